import Glibc

/// Stores of many tasks, made by importing a calendar file.
extension World {
    /// So many tasks of a store are due within the daemon's horizon of a week.
    static let withinHorizon = 1000

    /// Starts the daemon on a new store of `count` tasks, `withinHorizon` of them due soon but not
    /// within the next hours, the others years from now.
    func fill(_ count: Int) throws {
        try start()
        guard count > 0 else { return }
        let file = folder + "/tasks.ics"
        try writeTasks(count, to: file)
        _ = try remindctl("import", file).run()
        unlink(file)
    }

    /// An iCalendar file of `count` VTODOs.
    func writeTasks(_ count: Int, to path: String) throws {
        guard let file = fopen(path, "w") else {
            throw BenchmarkFailure(description: "\(path): \(errno)")
        }
        defer { fclose(file) }
        fputs("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//remindd//bench//EN\r\n", file)
        for index in 0..<count {
            let due = index < Self.withinHorizon ? Self.soon(index) : Self.late(index)
            fputs(
                "BEGIN:VTODO\r\nUID:\(index)@bench\r\nDTSTAMP:20260101T000000Z\r\n"
                    + "SUMMARY:Task \(index) with a title of ordinary length\r\n"
                    + "DESCRIPTION:A line of notes that says what is to be done there\\, and why.\r\n"
                    + "CATEGORIES:home,bench\r\nPRIORITY:5\r\nDUE:\(due)\r\nEND:VTODO\r\n", file)
        }
        fputs("END:VCALENDAR\r\n", file)
    }

    private static func soon(_ index: Int) -> String {
        stamp(time(nil) + 36_000 + index * 400)
    }

    private static func late(_ index: Int) -> String {
        stamp(2_208_988_800 + index % 2_000_000 * 97)
    }

    /// UTC, as iCalendar writes it.
    private static func stamp(_ seconds: Int) -> String {
        var (seconds, parts) = (seconds, tm())
        gmtime_r(&seconds, &parts)
        let date = [parts.tm_mon + 1, parts.tm_mday].map { two(Int($0)) }.joined()
        let clock = [parts.tm_hour, parts.tm_min, parts.tm_sec].map { two(Int($0)) }.joined()
        return "\(parts.tm_year + 1900)\(date)T\(clock)Z"
    }
}
