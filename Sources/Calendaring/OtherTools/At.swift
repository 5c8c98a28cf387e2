import RemindCore

/// The jobs of at(1): the lines of `atq`, and for each the text of `at -c`, after its line or all
/// texts in the same order after all lines.
struct AtParser: LineParser {
    private struct Job {
        let number: Int
        let wall: CivilDateTime
        let line: Int
    }

    /// Jobs whose text has not come yet.
    private var waiting: ArraySlice<Job> = []
    private var script: [String]?
    private var scriptLine = 0
    private var scriptBytes = 0
    private var count = 0

    mutating func take(_ line: String, number: Int, _ body: (ICalendarOutput) -> Void) {
        if let job = Self.job(line, number) {
            closeScript(body)
            guard count < ICalendarLimits.items else {
                return body(.problem(.tooMany(line: number)))
            }
            count += 1
            waiting.append(job)
        } else if line.hasPrefix("# atrun uid=") {
            if script?.last?.hasPrefix("#!") == true { script?.removeLast() }
            closeScript(body)
            (script, scriptLine, scriptBytes) = ([], number, 0)
        } else if script != nil {
            scriptBytes += line.utf8.count
            if scriptBytes <= ICalendarLimits.itemBytes { script?.append(line) }
        } else if !line.hasPrefix("#!"), !line.allSatisfy(\.isWhitespace) {
            let reason = "‘\(line.prefix(60))’ is not a line of atq; run it with LC_ALL=C."
            body(.problem(.init(line: number, reason: reason, isRefusal: true)))
        }
    }

    mutating func end(_ body: (ICalendarOutput) -> Void) {
        closeScript(body)
        for job in waiting {
            let reason = "The command of job \(job.number) is not there; add what at -c prints."
            body(.problem(.init(uid: uid(job), line: job.line, reason: reason)))
            body(.item(item(job, title: "at job \(job.number)", lines: [])))
        }
        waiting = []
    }

    private mutating func closeScript(_ body: (ICalendarOutput) -> Void) {
        guard let script else { return }
        self.script = nil
        guard let job = waiting.popFirst() else {
            let reason = "A job without a time; put its line of atq before it."
            return body(.problem(.init(line: scriptLine, reason: reason, isRefusal: true)))
        }
        let lines = Self.commands(script)
        let title = lines.first { !$0.isEmpty && !$0.hasPrefix("#") } ?? lines.first
        body(.item(item(job, title: title ?? "at job \(job.number)", lines: lines)))
    }

    private func uid(_ job: Job) -> String { "at-\(job.number)-\(job.wall.iso8601)" }

    private func item(_ job: Job, title: String, lines: [String]) -> ICalendarItem {
        let source = [job.wall.iso8601] + lines
        var item = ICalendarItem(
            .todo, uid: uid(job), line: job.line, title: title, source: source)
        if lines.count > 1 { item.description = lines.joined(separator: "\n") }
        item.setDue(.floating(job.wall))
        return item
    }

    /// `3  Wed May  1 09:00:00 2030 a root`.
    private static func job(_ line: String, _ number: Int) -> Job? {
        let words = line.split(whereSeparator: \.isWhitespace)
        guard words.count >= 7, let id = Int(words[0]), let day = Int(words[3]),
            let month = months.firstIndex(of: words[2]), let year = Int(words[5]),
            let date = CivilDate(year: year, month: month + 1, day: day),
            words[6].utf8.count == 1
        else { return nil }
        let parts = words[4].split(separator: ":").map { Int($0) ?? -1 }
        guard parts.count == 3,
            let time = CivilTime(hour: parts[0], minute: parts[1], second: parts[2])
        else { return nil }
        return Job(number: id, wall: CivilDateTime(date, time), line: number)
    }

    private static let months: [Substring] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// What the user typed: behind the environment, which ends with the change of the folder.
    private static func commands(_ script: [String]) -> [String] {
        var lines = script[...]
        let folder = lines.firstIndex { $0.hasPrefix("cd ") && $0.hasSuffix("|| {") }
        if let folder, let close = lines[folder...].firstIndex(of: "}") {
            lines = lines[(close + 1)...]
        } else if let last = lines.lastIndex(where: { $0.contains("; export ") }) {
            lines = lines[(last + 1)...]
        }
        if let first = lines.first, let mark = first.hereDocumentEnd {
            lines.removeFirst()
            if let close = lines.lastIndex(where: { $0 == mark }) { lines = lines[..<close] }
        }
        while lines.first?.allSatisfy(\.isWhitespace) == true { lines.removeFirst() }
        while lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        return Array(lines)
    }
}

extension String {
    /// The word of a here-document, `${SHELL:-/bin/sh} << 'marcinDELIMITER01'`.
    fileprivate var hereDocumentEnd: String? {
        guard hasPrefix("${SHELL:-/bin/sh}"), hasSuffix("'") else { return nil }
        let parts = dropLast().split(separator: "'")
        return parts.count == 2 ? String(parts[1]) : nil
    }
}
