import Glibc
import RemindAPI

/// A file or stdin, read in the pieces in which it is sent.
struct PiecewiseFile: ~Copyable {
    private let fd: Int32
    private let path: String

    /// - Parameters:
    ///   - path: `-` is stdin.
    ///   - input: the descriptor of stdin.
    /// - Throws: exit 66 when there is no such file or it cannot be opened.
    init(_ path: String, input: Int32) throws(Failure) {
        self.path = path
        guard path != "-" else {
            fd = dup(input)
            return
        }
        fd = open(path, O_RDONLY | O_CLOEXEC)
        guard fd >= 0 else {
            throw Failure(
                "CannotRead", "‘\(path)’ cannot be opened: \(String(cString: strerror(errno))).",
                hint: "Give the path of a calendar file, or - for stdin.", exit: .noInput)
        }
    }

    deinit { close(fd) }

    /// The next piece; empty at the end.
    mutating func next() throws(Failure) -> [UInt8] {
        var code: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: roomForNext) { bytes, filled in
            while filled < bytes.count {
                let count = read(fd, bytes.baseAddress.map { $0 + filled }, bytes.count - filled)
                if count > 0 {
                    filled += count
                } else if count == 0 || errno != EINTR {
                    if count < 0 { code = errno }
                    return
                }
            }
        }
        guard code == 0 else {
            throw Failure(
                "ReadFailed", "‘\(path)’ cannot be read: \(String(cString: strerror(code))).",
                exit: .inputOutput)
        }
        return piece
    }

    /// No more than what is left of a file: a folder may have a hundred thousand short ones.
    private var roomForNext: Int {
        var status = stat()
        guard fstat(fd, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return Import.pieceBytes
        }
        let left = Int(status.st_size) - Int(lseek(fd, 0, SEEK_CUR))
        return min(max(left, 0) + 1, Import.pieceBytes)
    }
}
