import Glibc

/// The files of the system's tzdata (`zoneinfo`), read anew by each value of this type.
struct ZoneFiles: Sendable {
    /// The `zoneinfo` directory, without a slash at its end.
    let directory: String
    /// Prefix that makes the paths of this value differ from those of every other one. GLib keeps
    /// a zone under its name as long as anyone holds it and would answer from memory for a file
    /// that has changed since.
    private let salt: String

    /// - Parameter generation: a number that no other value of this process has.
    init(directory: String, generation: UInt64) {
        self.directory = directory
        salt = String(generation, radix: 2).map { $0 == "1" ? "/." : "/" }.joined()
    }

    /// The path for GLib of an absolute path.
    func salted(_ path: String) -> String { salt + path }

    func path(of name: String) -> String { directory + "/" + name }

    /// True when the file exists and begins as RFC 8536 says. GLib would log a failed assertion
    /// for any other.
    func isZone(path: String) -> Bool {
        Self.read(path, limit: 4).map { $0.elementsEqual("TZif".utf8) } ?? false
    }

    /// The part of `path` below a `zoneinfo` directory: the IANA name that a link points to.
    func name(ofTarget path: String) -> String? {
        for root in [directory + "/", "/zoneinfo/"] {
            guard let range = path.range(ofLast: root) else { continue }
            var name = path[range.upperBound...]
            for variant in ["posix/", "right/"] where name.hasPrefix(variant) {
                name = name.dropFirst(variant.count)
            }
            if !name.isEmpty { return String(name) }
        }
        return nil
    }

    /// Where links at `path` lead in the end (`realpath`).
    static func target(of path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// At most `limit` bytes from the beginning of a file; `nil` when it cannot be read.
    static func read(_ path: String, limit: Int = 4 << 20) -> [UInt8]? {
        // Without O_NONBLOCK, a pipe in the place of the file would block.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(limit, 65_536))
        while bytes.count < limit {
            let count = Glibc.read(file, &chunk, min(chunk.count, limit - bytes.count))
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}

extension String {
    /// The last place where `text` stands.
    fileprivate func range(ofLast text: String) -> Range<Index>? {
        var start = endIndex
        while start > startIndex {
            start = index(before: start)
            if self[start...].hasPrefix(text) {
                return start..<index(start, offsetBy: text.count)
            }
        }
        return nil
    }
}
