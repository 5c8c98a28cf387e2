import RemindAPI
import RemindCore

/// `status --format` and `status --follow`: a line for a status bar.
struct StatusLine {
    private let session: Session
    /// `nil`: the daemon's own object.
    private let template: StatusTemplate?
    private var written: [UInt8]?

    /// A thousand changes at once are one line.
    private static let restMilliseconds: Int64 = 100

    /// - Throws: what is wrong with the format.
    init(_ session: Session) throws(Failure) {
        self.session = session
        let format = session.arguments.value("format")
        if session.json, format != nil {
            throw .usage(
                "‘--format’ and ‘--json’ exclude each other.",
                hint: "remindctl status --format '{\"text\":\"{open}\"}'")
        }
        template = session.json ? nil : try StatusTemplate(format ?? StatusTemplate.usual)
    }

    /// The line as it is now.
    mutating func write() throws(Failure) -> ExitStatus {
        try write(current().line)
        return .done
    }

    /// The line again and again, whenever it is another one, until nobody reads it any more. A daemon
    /// that has gone is waited for.
    mutating func follow() throws(Failure) -> ExitStatus {
        let waiter = try Waiter(signals: [])
        var feed = try ChangeFeed(session)
        var (isStale, restUntil, change) = (true, Instant.earliest, Instant?.none)
        while true {
            try feed.retry()
            let now = session.surroundings.now()
            if feed.state == .lost {
                try write(template?.line(StatusValues.stopped.values))
            } else if feed.state == .following, isStale, now >= restUntil {
                isStale = false
                restUntil = Instant(milliseconds: now.milliseconds + Self.restMilliseconds)
                if let next = try tell() { change = next } else { isStale = true }
            }
            let rest = isStale && feed.state == .following ? restUntil : nil
            let wakeUp = [feed.retryAt, rest, isStale ? nil : change].compactMap(\.self).min()
            let reader = session.output.descriptor
            let watched = feed.descriptor.map { [$0] } ?? []
            for event in try waiter.wait(for: watched, reader: reader, until: wakeUp) {
                if event == .readable(reader) { return .done }
                if try feed.take() { isStale = true }
            }
            if let change, change <= session.surroundings.now() { isStale = true }
        }
    }

    /// - Returns: when the line changes although nothing happens; `nil` when the daemon has gone.
    private mutating func tell() throws(Failure) -> Instant? {
        session.disconnect()
        do throws(Failure) {
            let now = try current()
            try write(now.line)
            return now.nextChange
        } catch {
            if error.name == Failure.unreachable { return nil }
            throw error
        }
    }

    private func current() throws(Failure) -> (line: [UInt8], nextChange: Instant) {
        guard let template else { return (try session.call(Status.self), .latest) }
        let values = try StatusValues(template.fields, session)
        return (Array(template.line(values.values).utf8), values.nextChange)
    }

    private mutating func write(_ line: String?) throws(Failure) {
        if let line { try write(Array(line.utf8)) }
    }

    private mutating func write(_ line: [UInt8]) throws(Failure) {
        guard line != written else { return }
        written = line
        try session.output.writeLine(json: line)
        try session.output.flush()
    }
}
