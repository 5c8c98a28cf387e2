import Glibc
import RemindAPI
import RemindCore

/// The bytes that a client has sent, on the disk until the last of them has come: nothing is stored
/// of a file that did not arrive whole, and memory does not follow its size.
final class ImportSpool {
    /// A file among those that one import reads; its name is empty when there is but one.
    struct Part {
        let name: String
        var length = 0
        /// Of its bytes.
        var sum = ContentSum()
    }

    private let fd: Int32
    private(set) var parts: [Part] = []
    private(set) var total = 0
    /// Of the part that is being read, and of all.
    private(set) var read = 0

    /// Files in a folder that one import reads, at most.
    static let partsLimit = 1_000_000
    /// Bytes of an import, at most.
    static let bytesLimit = 4 << 30

    /// - Parameter folder: where a file without a name is made for as long as it is needed.
    /// - Throws: when it cannot be made. mkstemp(3), unlink(2).
    init(folder: String) throws(APIError) {
        var template = Array((folder + "/.remindd-import-XXXXXX").utf8CString)
        fd = mkstemp(&template)
        guard fd >= 0 else { throw Self.failure("made") }
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        unlink(template)
    }

    deinit { close(fd) }

    /// Adds bytes of the file `name`; other names before are complete.
    func append(_ bytes: [UInt8], name: String) throws(APIError) {
        guard total + bytes.count <= Self.bytesLimit, parts.count < Self.partsLimit else {
            throw .invalidArgument(
                "data", value: "", "An import reads at most \(Self.bytesLimit >> 30) GiB.",
                hint: nil)
        }
        if parts.last?.name != name { parts.append(Part(name: name)) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { all in
                pwrite(
                    fd, all.baseAddress.map { $0 + written }, all.count - written,
                    off_t(total + written))
            }
            if count > 0 {
                written += count
            } else if errno != EINTR {
                throw Self.failure("written")
            }
        }
        parts[parts.count - 1].length += bytes.count
        // The files of a folder alone have names.
        if !name.isEmpty { parts[parts.count - 1].sum.add(bytes) }
        total += bytes.count
    }

    /// The next bytes, `count` at most; empty at the end.
    func next(_ count: Int) throws(APIError) -> [UInt8] {
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: min(count, total - read)) { all, size in
            let got = all.isEmpty ? 0 : pread(fd, all.baseAddress, all.count, off_t(read))
            failed = got < 0 || got == 0 && !all.isEmpty
            size = max(got, 0)
        }
        if failed { throw Self.failure("read") }
        read += bytes.count
        return bytes
    }

    private static func failure(_ what: String) -> APIError {
        .storeFailed(
            "The file on its way in cannot be \(what): \(String(cString: strerror(errno))). "
                + "Nothing was changed.", code: "EIO", hint: nil)
    }
}
