import RemindAPI
import RemindCore
import VarlinkWire

/// What a line for a status bar can tell.
enum StatusField: String, CaseIterable, Sendable {
    /// Tasks: open, ringing now, due in the past, due today (gone by or not).
    case open, ringing, overdue, today
    /// Alarms that are set.
    case pending
    /// `yes` while pop-ups are held back, and until when; how many wait.
    case paused
    case pausedUntil = "paused.until"
    case held
    /// The next ring: which task, when in words, and how long until then.
    case nextNumber = "next.number"
    case nextTitle = "next.title"
    case nextTime = "next.time"
    case nextIn = "next.in"
    /// `running` or `stopped`.
    case daemon
    /// One word for what matters most: `stopped`, `ringing`, `paused`, `overdue`, `today` or `idle`.
    case `class`

    /// Whether the tasks themselves have to be counted.
    var needsTasks: Bool { [.overdue, .today, .class].contains(self) }

    var needsNext: Bool { rawValue.hasPrefix("next.") }
}

/// The values of the fields at one moment.
struct StatusValues {
    private(set) var values: [StatusField: String] = [:]
    /// When they are others although nothing happens.
    private(set) var nextChange = Instant.latest

    /// Those of a daemon that is not there.
    static var stopped: StatusValues {
        var stopped = StatusValues()
        stopped.values = [.daemon: "stopped", .class: "stopped"]
        return stopped
    }

    private init() {}

    /// Asks the daemon for what `fields` need.
    init(_ fields: Set<StatusField>, _ session: Session) throws(Failure) {
        let now = session.surroundings.now()
        let status = try StatusFields(try session.call(Status.self))
        for field in [StatusField.open, .ringing, .pending, .held] {
            values[field] = String(status.numbers[field.rawValue] ?? 0)
        }
        values[.daemon] = "running"
        values[.paused] = status.isHolding ? "yes" : ""
        if let until = status.texts["holdingUntil"] {
            let moment = Moment(until, dateOffset: 0)
            values[.pausedUntil] = moment?.words(now: now) ?? until
        }
        if fields.contains(where: \.needsTasks) { try countTasks(session, now) }
        if fields.contains(where: \.needsNext) { try findNext(fields, session, now) }
        values[.class] = word
    }

    private var word: String {
        func isSet(_ field: StatusField) -> Bool { !["", "0"].contains(values[field] ?? "") }
        let words: [(StatusField, String)] = [
            (.ringing, "ringing"), (.paused, "paused"), (.overdue, "overdue"), (.today, "today"),
        ]
        return words.first { isSet($0.0) }?.1 ?? "idle"
    }

    /// Reads the open tasks in the order of their deadlines, no further than those of today.
    private mutating func countTasks(_ session: Session, _ now: Instant) throws(Failure) {
        let client = try session.open(List.self) { json throws(Failure) in
            json.field("brief", true)
        }
        var (rows, read, overdue, today) = (ListRows(now: now, style: session.style), 0, 0, 0)
        do {
            while true {
                for reply in try client.take() {
                    guard try rows.read(try reply.success()) else {
                        throw Failure.lacking("reminders")
                    }
                    for row in rows[read...] {
                        if row.group == .overdue { overdue += 1 }
                        if row.isToday { today += 1 }
                    }
                    read = rows.count
                    let isPastToday = rows.last.map {
                        ![.overdue, .today, .tomorrow].contains($0.group)
                    }
                    guard reply.continues, isPastToday != true else {
                        nextChange = min(nextChange, rows.nextChange)
                        (values[.overdue], values[.today]) = (String(overdue), String(today))
                        return
                    }
                }
            }
        } catch {
            throw Session.failure(error)
        }
    }

    private mutating func findNext(
        _ fields: Set<StatusField>, _ session: Session, _ now: Instant
    ) throws(Failure) {
        let reply = try Reply(
            try session.call(Next.self) { json throws(Failure) in json.field("limit", Int64(1)) },
            with: ["rings"])
        guard let ring = try reply.ringRecords().first else { return }
        values[.nextNumber] = String(ring.reminder.number)
        values[.nextTitle] = ring.reminder.title.singleLine
        guard let moment = Moment(ring.at, dateOffset: 0), let instant = moment.instant else {
            return
        }
        values[.nextTime] = moment.words(now: now)
        nextChange = min(nextChange, moment.change(after: now))
        let distance = Distance(from: now, to: instant)
        values[.nextIn] = distance.words
        if fields.contains(.nextIn) { nextChange = min(nextChange, distance.nextChange) }
    }
}

/// How long until something, as short as a bar wants it: `5 min`, `1 h 30 min`, `14 h`, `3 days`.
struct Distance {
    let words: String
    /// When the words are others.
    let nextChange: Instant

    private static let (minute, hour, day) = (Int64(60_000), Int64(3_600_000), Int64(86_400_000))

    init(from now: Instant, to instant: Instant) {
        let left = instant.milliseconds - now.milliseconds
        switch left {
        case ...0: (words, nextChange) = ("now", .latest)
        case ..<(10 * Self.hour):
            // Rounded up: it is never sooner than it says.
            let minutes = (left + Self.minute - 1) / Self.minute
            words = CalendarDuration(seconds: minutes * 60).label
            nextChange = Instant(
                milliseconds: instant.milliseconds - (minutes - 1) * Self.minute)
        case ..<(2 * Self.day):
            (words, nextChange) = Self.whole(left, Self.hour, "h", before: instant)
        default: (words, nextChange) = Self.whole(left, Self.day, "days", before: instant)
        }
    }

    private static func whole(
        _ left: Int64, _ unit: Int64, _ name: String, before instant: Instant
    ) -> (String, Instant) {
        let count = left / unit
        return (
            "\(count) \(name)", Instant(milliseconds: instant.milliseconds - count * unit + 1)
        )
    }
}
