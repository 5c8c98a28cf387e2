import Glibc

/// The first 100 bytes of a database file (<https://www.sqlite.org/fileformat.html>, section 1.3),
/// read without SQLite: it would call a file of zeros empty, and write to it.
struct DatabaseHeader {
    private static let length = 100
    private static let magic = Array("SQLite format 3\0".utf8)

    private let bytes: [UInt8]
    private let fileSize: Int64
    private let walSize: Int64

    /// `nil` when there is no file. Call it before SQLite has the file open, for closing a
    /// descriptor drops the process's POSIX locks.
    init?(path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw StoreFile.failure(errno, path: path, doing: "the file cannot be read")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw StoreFile.failure(errno, path: path, doing: "the file cannot be read")
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.length) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, Self.length, 0))
        }
        (self.bytes, fileSize) = (bytes, Int64(status.st_size))
        var wal = stat()
        walSize = stat(path + "-wal", &wal) == 0 ? Int64(wal.st_size) : 0
    }

    /// The same for a path of the user's: a pipe would hold us up, a folder has no head.
    init?(regularFile path: String) throws(StoreError) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "no regular file"
            throw StoreError(.cannotOpen, path: path, detail: "it is \(kind)")
        }
        try self.init(path: path)
    }

    var isEmpty: Bool { fileSize == 0 }

    /// - Throws: as `check`, and `notOurs` when the file does not bear our mark.
    func checkOurs(path: String) throws(StoreError) {
        try check(path: path)
        guard !isEmpty, Int64(integer(at: 68)) == Schema.applicationID else {
            throw StoreError(.notOurs, path: path, detail: "it has not the mark of remindd")
        }
    }

    /// - Throws: `corrupt` or `notOurs` when SQLite must not touch the file.
    func check(path: String) throws(StoreError) {
        if fileSize == 0 {
            // SQLite would throw the WAL of an empty database away, with all that is in it.
            guard walSize == 0 else { throw damaged("it is empty, but not its WAL", path) }
            return
        }
        guard bytes.count == Self.length, bytes.starts(with: Self.magic) else {
            if bytes.allSatisfy({ $0 == 0 }) { throw damaged("it begins with zeros", path) }
            if Self.magic.starts(with: bytes.prefix(Self.magic.count)) {
                throw damaged("its header is cut off", path)
            }
            throw StoreError(.notOurs, path: path, code: "SQLITE_NOTADB", detail: "not a database")
        }
        let pageSize = self.pageSize
        guard pageSize >= 512, pageSize.nonzeroBitCount == 1 else {
            throw damaged("its page size is \(pageSize)", path)
        }
        guard bytes[18] <= 2, bytes[19] <= 2 else {
            throw damaged("its file format is of a newer SQLite", path)
        }
        // While there is a WAL, the header may be ahead of the file (a copy that was interrupted).
        let expected = pageSize * Int64(integer(at: 28))
        if walSize == 0, integer(at: 24) == integer(at: 92), fileSize < expected {
            throw damaged("it has \(fileSize) bytes of \(expected)", path)
        }
        try StoreFile.checkMarks(
            application: Int64(integer(at: 68)), version: Int(Int32(bitPattern: integer(at: 60))),
            path: path)
    }

    /// Big-endian; 1 stands for 65,536.
    private var pageSize: Int64 {
        let value = Int64(bytes[16]) << 8 | Int64(bytes[17])
        return value == 1 ? 65_536 : value
    }

    private func integer(at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private func damaged(_ detail: String, _ path: String) -> StoreError {
        StoreError(.corrupt, path: path, code: "SQLITE_CORRUPT", detail: detail)
    }
}
