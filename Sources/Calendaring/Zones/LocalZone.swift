/// Finds the machine's zone.
struct LocalZone {
    let files: ZoneFiles
    let localtime: String
    let timezone: String

    func find(tz: String?) -> SystemZone {
        let zone = tz.map(fromEnvironment) ?? fromLocaltime()
        guard let zone = zone ?? SystemZone(identifier: "UTC", posix: "UTC0") else {
            preconditionFailure("GLib makes UTC without any file")
        }
        return zone
    }

    /// Without a text it is UTC on purpose.
    func isKnown(tz: String) -> Bool {
        tz.isEmpty || tz == ":" || fromEnvironment(tz) != nil
    }

    /// `nil` when the text means nothing: UTC then, as POSIX leaves it and the C library does.
    private func fromEnvironment(_ text: String) -> SystemZone? {
        let value = text.hasPrefix(":") ? String(text.dropFirst()) : text
        guard !value.isEmpty else { return nil }
        let path = value.hasPrefix("/") ? value : files.path(of: value)
        if files.isZone(path: path) {
            let name = value.hasPrefix("/") ? files.name(ofTarget: value) ?? value : value
            return SystemZone(identifier: name, path: files.salted(path))
        }
        if value.hasPrefix("/") { return nil }
        return PosixZone.completed(value).flatMap { SystemZone(identifier: value, posix: $0) }
    }

    private func fromLocaltime() -> SystemZone? {
        guard files.isZone(path: localtime) else { return nil }
        let linked = ZoneFiles.target(of: localtime).flatMap(files.name(ofTarget:))
        return SystemZone(
            identifier: linked ?? nameOfCopy() ?? "localtime", path: files.salted(localtime))
    }

    /// The name in `/etc/timezone`, when that zone's file is what `localtime` is a copy of.
    private func nameOfCopy() -> String? {
        guard let text = ZoneFiles.read(timezone, limit: 1000),
            let line = String(decoding: text, as: UTF8.self)
                .split(whereSeparator: \.isWhitespace).first,
            !line.contains("..")
        else { return nil }
        let copied = ZoneFiles.read(localtime)
        return copied == ZoneFiles.read(files.path(of: String(line))) ? String(line) : nil
    }
}
