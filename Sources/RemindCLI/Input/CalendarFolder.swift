import Glibc
import RemindAPI

/// A vdir folder: one item a file, `NAME.ics`.
struct CalendarFolder {
    /// Absolute, without symbolic links.
    let path: String

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// realpath(3).
    init(_ path: String) throws(Failure) {
        guard let absolute = realpath(path, nil) else {
            throw Failure(
                "CannotRead", "‘\(path)’ cannot be opened: \(String(cString: strerror(errno))).",
                hint: "Give the path of a folder.", exit: .noInput)
        }
        self.path = String(cString: absolute)
        free(absolute)
    }

    /// Makes the folder when there is none, and those it lies in, for their owner alone.
    static func made(_ path: String) throws(Failure) -> CalendarFolder {
        for end in path.indices.dropFirst() where path[end] == "/" {
            mkdir(String(path[..<end]), 0o700)
        }
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw Failure(
                "CannotCreate", "‘\(path)’ cannot be made: \(String(cString: strerror(errno))).",
                hint: "Give the path of a folder, or of one that can be made.",
                exit: .cannotCreate)
        }
        return try CalendarFolder(path)
    }

    /// The files in it, sorted; hidden ones are others' temporary files. And what is named like one
    /// but cannot be read as one: a folder, a pipe, a link to nowhere, a name that is not UTF-8.
    func names() throws(Failure) -> (files: [String], others: [String]) {
        let names = try entries(of: path).filter(Self.isCalendar)
        return (names.filter(isFile), names.filter { !isFile($0) })
    }

    /// In whatever letters: `.ICS` is what some programs write.
    static func isCalendar(_ name: String) -> Bool { name.lowercased().hasSuffix(".ics") }

    private func isFile(_ name: String) -> Bool {
        var status = stat()
        return stat(path + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The files of calcurse in it, those that others refer to first.
    func calcurseNames() throws(Failure) -> [String] {
        let files = ["apts", "todo"].filter { access(path + "/" + $0, R_OK) == 0 }
        guard !files.isEmpty else {
            throw Failure(
                "CannotRead", "The folder ‘\(path)’ holds neither apts nor todo.",
                hint: "Calcurse keeps them in ~/.local/share/calcurse, or in ~/.calcurse.",
                exit: .noInput)
        }
        let notes = path + "/notes"
        return try (Self.isFolder(notes) ? entries(of: notes).map { "notes/" + $0 } : []) + files
    }

    private func entries(of path: String) throws(Failure) -> [String] {
        guard let folder = opendir(path) else {
            throw Failure(
                "CannotRead", "‘\(path)’ cannot be read: \(String(cString: strerror(errno))).",
                exit: .noInput)
        }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
