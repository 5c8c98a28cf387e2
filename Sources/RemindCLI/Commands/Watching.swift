import Glibc
import RemindAPI
import RemindCore

/// `watch`: the list live on a terminal (`LiveList`), else the events.
enum Watching {
    /// One line an event, each written at once, until interrupted. A daemon that is restarted is
    /// watched again.
    /// - Throws: exit 69 when the daemon ends and does not come back: nothing that happens from then
    ///   on would be seen.
    @Sendable static func watch(_ session: Session) throws(Failure) -> ExitStatus {
        if isLive(session) {
            var list = try LiveList(session)
            return try list.run()
        }
        if let option = session.arguments.given.first(where: { $0.option.field != nil })?.option {
            throw .usage(
                "‘--\(option.name)’ is for the list on a terminal: here, one line an event comes.",
                hint: "remindctl --json watch")
        }
        try follow(session)
        var attempts = 0
        while attempts < session.surroundings.restartAttempts {
            attempts += 1
            poll(nil, 0, attemptMilliseconds)
            let begun = session.surroundings.now().milliseconds
            var isLong: Bool { session.surroundings.now().milliseconds - begun > longMilliseconds }
            do {
                try follow(session, again: true)
                // It was at work; streams that end at once are not begun again for ever.
                if isLong { attempts = 0 }
            } catch {
                // After so long it is not starting, but stuck.
                if error.name != Failure.unreachable || isLong { throw error }
            }
        }
        throw Failure(
            Failure.unreachable, "The daemon has stopped: there is nothing more to watch.",
            hint: "systemctl --user start remindd.socket", exit: .unavailable)
    }

    /// On a terminal that can do more than print line after line.
    private static func isLive(_ session: Session) -> Bool {
        !session.json && session.surroundings.terminal != nil
            && session.surroundings.variable("TERM").map { $0 != "dumb" } ?? false
    }

    /// Between two attempts to reach a daemon that has stopped.
    private static let attemptMilliseconds: Int32 = 100
    private static let longMilliseconds: Int64 = 5000

    /// Prints the events of one connection until the daemon ends it.
    /// - Parameter again: says, once connected, that there was a gap.
    /// - Throws: `Unreachable` only when the stream has not begun.
    private static func follow(_ session: Session, again: Bool = false) throws(Failure) {
        var hasBegun = false
        session.disconnect()
        do {
            try session.callMore(Watch.self, patient: true) { _ throws(Failure) in
            } each: { bytes throws(Failure) in
                if again, !hasBegun { try sayRestarted(session) }
                hasBegun = true
                try print(bytes, session)
            }
        } catch {
            if !hasBegun || error.name != Failure.unreachable { throw error }
        }
    }

    private static func print(_ bytes: [UInt8], _ session: Session) throws(Failure) {
        // The first reply only says that the daemon watches.
        guard let change = try Change(bytes) else { return }
        if session.json {
            try session.output.writeLine(json: bytes)
        } else {
            let event = change.event.padded(toCells: 9)
            try session.output.write("\(event) \(change.heading)\n")
        }
        try session.output.flush()
    }

    private static func sayRestarted(_ session: Session) throws(Failure) {
        let notice = Failure(
            "Restarted", "The daemon was restarted; what happened meanwhile is not shown.",
            hint: "remindctl list", exit: .done)
        try session.errors.write(notice.text(json: session.json))
        try session.errors.flush()
    }
}

/// An event of the stream.
private struct Change {
    let event: String
    /// Of the task that it is about.
    let heading: String

    /// `nil` for a reply without an event.
    init?(_ bytes: [UInt8]) throws(Failure) {
        var (event, reminder): (String?, ReminderRecord?)
        var json = JSONReader(bytes)
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "event": event = try json.optionalString()
                case "reminder": reminder = json.null() ? nil : try ReminderRecord(reading: &json)
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        guard let event else { return nil }
        self.event = event.singleLine
        heading = reminder?.heading ?? ""
    }
}
