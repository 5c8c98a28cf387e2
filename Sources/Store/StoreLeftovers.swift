import Glibc

/// What a run that was killed has left of copies and imports: removed by the next one.
///
/// Only names that nobody else gives are touched, and no file that a living process holds: each
/// copy under way is locked (flock(2)).
enum StoreLeftovers {
    /// Between the name of the file to be and six random characters.
    static let mark = ".remindd-part-"
    /// Before the six characters of an import's file (`ImportSpool`).
    static let importMark = ".remindd-import-"

    /// Those of the store at `path`, whose lock the caller holds. Cannot fail: what cannot be
    /// removed stays.
    static func remove(of path: String) {
        let folder = StoreFile.folder(of: path)
        let name = path.split(separator: "/").last.map { String($0) } ?? path
        for entry in FolderEntries.names(in: folder) {
            let whole = folder + "/" + entry
            if isRandom(entry, after: importMark) { unlink(whole) }
            guard isPartial(entry, of: name) else { continue }
            if let noted = target(of: whole) {
                if isPartial(noted), remove(partial: noted) { unlink(whole) }
            } else {
                remove(partial: withoutSuffix(whole))
            }
        }
    }

    /// Says beside the store that a copy is being made elsewhere: a link that leads to it.
    /// - Returns: the path of the link; `nil` when it could not be made.
    static func note(_ partial: String, beside store: String) -> String? {
        let note = store + mark + partial.suffix(6)
        return symlink(partial, note) == 0 ? note : nil
    }

    /// Six letters and digits.
    static func randomName() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        return String((0..<6).map { _ in letters[Int.random(in: letters.indices)] })
    }

    /// Whether a name is one of a copy under way: of the file `name`, or of any.
    static func isPartial(_ entry: String, of name: String? = nil) -> Bool {
        let base = withoutSuffix(entry)
        guard let name else {
            guard base.utf8.count > mark.utf8.count + 6 else { return false }
            let known = base.dropLast(6)
            return known.hasSuffix(mark) && isRandom(base, after: String(known))
        }
        return isRandom(base, after: name + mark)
    }

    private static func isRandom(_ entry: String, after start: String) -> Bool {
        guard entry.hasPrefix(start) else { return false }
        let rest = entry.dropFirst(start.count).utf8
        return rest.count == 6
            && rest.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "A")...UInt8(ascii: "Z"):
                    true
                default: false
                }
            }
    }

    private static func withoutSuffix(_ name: String) -> String {
        for suffix in StoreFile.suffixes where !suffix.isEmpty && name.hasSuffix(suffix) {
            return String(name.dropLast(suffix.count))
        }
        return name
    }

    /// Where a symbolic link leads (readlink(2)); `nil` for what is none.
    static func target(of path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// - Returns: false when somebody holds it.
    @discardableResult
    private static func remove(partial path: String) -> Bool {
        var status = stat()
        if lstat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
                return false
            }
            let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { return false }
            StoreFile.remove(path)
        } else {
            StoreFile.remove(path)
        }
        return true
    }
}

/// The names in a folder (readdir(3)).
enum FolderEntries {
    /// Empty for a folder that cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names
    }
}
