import RemindAPI
import RemindCore

/// `doctor`: what this side sees, then what the daemon sees.
enum Examining {
    @Sendable static func doctor(_ session: Session) throws(Failure) -> ExitStatus {
        let surroundings = session.surroundings
        var report = Report()
        do {
            let path = try SocketPath.find(
                option: session.arguments.value("socket"), in: surroundings)
            report.add(SocketChecks.socket(path: path))
        } catch {
            report.add(Doctor.Check("socket", .failed, error.message, hint: error.hint))
        }
        report.add(SystemChecks.login(surroundings))
        if let lingering = SystemChecks.lingering(surroundings) { report.add(lingering) }
        try session.print(report.checks)
        let exit = try askDaemon(session, &report)
        return exit ?? (report.hasFailed ? .partly : .done)
    }

    /// - Returns: the code of what kept the daemon from answering.
    private static func askDaemon(_ session: Session, _ report: inout Report) throws(Failure)
        -> ExitStatus?
    {
        let now = session.surroundings.now
        var found = Report()
        var exit: ExitStatus?
        do {
            if session.arguments.has("test"), !session.json {
                try session.errors.write("A test pop-up comes: press a button of it within 15 s.\n")
                try session.errors.flush()
            }
            let reply = try DoctorReply(
                try session.call(Doctor.self) { json throws(Failure) in
                    try session.writeOptions(to: &json)
                })
            found.add(SocketChecks.version(of: reply.version))
            found.add(
                SystemChecks.clock(
                    now: now(), daemon: reply.now,
                    isSynchronised: SystemChecks.isClockSynchronised()))
            reply.checks.forEach { found.add($0) }
        } catch {
            if error.concernsOutput { throw error }
            found.add(Doctor.Check("daemon", .failed, error.message, hint: error.hint))
            found.add(
                SystemChecks.clock(
                    now: now(), daemon: nil, isSynchronised: SystemChecks.isClockSynchronised()))
            exit = error.exit == .configuration ? .unavailable : error.exit
        }
        try session.print(found.checks)
        found.checks.forEach { report.add($0) }
        return exit
    }

    private struct Report {
        var checks: [Doctor.Check] = []
        var hasFailed: Bool { checks.contains { $0.result == .failed } }

        mutating func add(_ check: Doctor.Check) { checks.append(check) }
    }
}

/// The reply of `Doctor`.
private struct DoctorReply {
    var version = ""
    var now: Instant?
    var checks: [Doctor.Check] = []

    /// - Throws: `MalformedReply`.
    init(_ bytes: [UInt8]) throws(Failure) {
        var json = JSONReader(bytes)
        var (version, now, checks) = ("", Instant?.none, [Doctor.Check]())
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "version": version = try json.string()
                case "now": now = Instant(rfc3339: try json.string())
                case "checks":
                    try json.array { json throws(JSONReader.Fault) in
                        checks.append(try Doctor.Check(reading: &json))
                    }
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        guard !checks.isEmpty else { throw .lacking("checks") }
        (self.version, self.now, self.checks) = (version, now, checks)
    }
}

extension Session {
    /// One check a line, and under it what to do; with `--json` one object a line.
    fileprivate func print(_ checks: [Doctor.Check]) throws(Failure) {
        for check in checks {
            if json {
                var writer = JSONWriter(capacity: 256)
                check.write(to: &writer)
                try output.writeLine(json: writer.bytes)
                continue
            }
            let (word, meaning): (String, Meaning?) =
                switch check.result {
                case .good: ("ok    ", nil)
                case .notice: ("note  ", .important)
                case .failed: ("FAILED", .late)
                }
            let name = check.name.singleLine
            let blanks = String(repeating: " ", count: max(14 - name.count, 1))
            let text = "  \(name)\(blanks)\(check.text.singleLine)"
            try write(lines: [style.paint(word, meaning) + text], hanging: 22)
            if check.result != .good, let hint = check.hint {
                try write(lines: ["        → \(hint.singleLine)"], hanging: 10)
            }
        }
        try output.flush()
    }
}
