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
        var piece = [UInt8](repeating: 0, count: Import.pieceBytes)
        var filled = 0
        while filled < piece.count {
            let wanted = piece.count - filled
            let count = piece.withUnsafeMutableBytes { bytes in
                read(fd, bytes.baseAddress.map { $0 + filled }, wanted)
            }
            if count == 0 { break }
            if count > 0 {
                filled += count
            } else if errno != EINTR {
                throw Failure(
                    "ReadFailed",
                    "‘\(path)’ cannot be read: \(String(cString: strerror(errno))).",
                    exit: .inputOutput)
            }
        }
        piece.removeLast(piece.count - filled)
        return piece
    }
}
