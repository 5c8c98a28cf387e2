import RemindCore
import Testing

@testable import Store

@Suite("Reminders on disk")
struct ReminderTests {
    private static let zoned = Deadline.zoned(
        CivilDateTime(secondsSinceEpoch: 1_903_939_200), zone: "Europe/Paris")

    /// A reminder with everything that one can have.
    private static func full(_ index: Int) -> Reminder {
        var reminder = sample(index, "Zürich 🇨🇭 ‘tax’; DROP TABLE task")
        reminder.note = "two\nlines, a tab\t and a NUL \0 in it"
        reminder.list = "home"
        reminder.tags = ["blue", "errand", "été"]
        reminder.priority = .high
        reminder.state = .done
        reminder.deadline = zoned
        reminder.recurrence = Recurrence(
            rule: RecurrenceRule(rrule: "FREQ=DAILY;INTERVAL=3", basis: .completion), start: zoned,
            additions: [zoned, .absolute(epoch)], exceptions: [.date(.last)])
        reminder.before = [CalendarDuration(seconds: 900), CalendarDuration(days: -1)]
        reminder.nag = 300
        reminder.alarm = Alarm(
            state: .ringing, nextRing: epoch.advanced(bySeconds: 5),
            ring: Ring(scheduled: epoch, due: .latest, rangAt: .earliest, missed: 3), rings: 7,
            rungThrough: -12)
        reminder.modified = epoch.advanced(bySeconds: 1)
        reminder.completed = epoch.advanced(bySeconds: 2)
        reminder.scheduled = epoch.advanced(bySeconds: 3)
        return reminder
    }

    /// Each takes one part away, so that every part is seen absent while the others are there.
    private static let reductions: [@Sendable (inout Reminder) -> Void] = [
        { _ in }, { $0.note = nil }, { $0.note = "" }, { $0.list = Reminder.defaultList },
        { $0.tags = [] }, { $0.tags = [""] }, { $0.priority = .low }, { $0.priority = .normal },
        { $0.state = .open }, { $0.deadline = nil }, { $0.deadline = .date(.first) },
        { $0.deadline = .floating(CivilDateTime(.last, .noon)) },
        { $0.deadline = .absolute(Instant(milliseconds: -1)) }, { $0.recurrence = nil },
        { $0.recurrence?.additions = [] }, { $0.recurrence?.exceptions = [] },
        { $0.recurrence?.rule.basis = .schedule }, { $0.before = [] }, { $0.nag = nil },
        { $0.alarm = .silent }, { $0.alarm.nextRing = nil }, { $0.alarm.ring = nil },
        { $0.alarm.rungThrough = nil }, { $0.alarm.state = .snoozed },
        { $0.alarm.state = .pending }, { $0.alarm.state = .none }, { $0.completed = nil },
        { $0.scheduled = nil },
    ]

    @Test("A reminder comes back as it was, whatever it has", arguments: reductions.indices)
    func roundTrip(index: Int) throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        var reminder = Self.full(index)
        Self.reductions[index](&reminder)
        reminder.number = try store.insert(reminder, due: epoch)
        #expect(try store.reminder(number: reminder.number) == reminder)
        try store.close()
        let again = try Store(path: folder.database)
        #expect(try again.reminder(id: reminder.id) == reminder)
        #expect(try again.list(ListFilter(.all)) == [reminder])
        try again.close()
    }

    @Test("An update writes every part, and takes away what is gone", arguments: reductions.indices)
    func update(index: Int) throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        var reminder = sample(index)
        reminder.number = try store.insert(reminder, due: nil)
        let before = reminder
        reminder = Self.full(index)
        reminder.number = before.number
        Self.reductions[index](&reminder)
        try store.update(reminder, due: epoch)
        #expect(try store.reminder(number: 1) == reminder)
        try store.update(before, due: nil)
        #expect(try store.reminder(number: 1) == before)
        #expect(try store.connection.integer("SELECT count(*) FROM tag") == 0)
        #expect(try store.connection.integer("SELECT count(*) FROM alarm") == 0)
        try store.close()
    }

    @Test("An update of a reminder that is not there adds nothing")
    func updateOfNothing() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        var reminder = Self.full(1)
        reminder.number = 5
        try store.update(reminder, due: epoch)
        #expect(try store.list(ListFilter(.all)).isEmpty)
        try store.close()
    }

    @Test("A number is never given twice, also after the highest was deleted and after a restart")
    func numbers() throws {
        let folder = try TemporaryFolder()
        var store = try Store(path: folder.database)
        #expect(try store.insert(sample(1), due: nil) == 1)
        #expect(try store.insert(sample(2), due: nil) == 2)
        #expect(try store.delete(number: 2))
        #expect(try !store.delete(number: 2))
        try store.close()
        store = try Store(path: folder.database)
        #expect(try store.insert(sample(3), due: nil) == 3)
        var again = sample(2)
        again.number = 2
        #expect(try store.insert(again, due: nil) == 2)
        #expect(try store.reminder(number: 2) == again)
        #expect(try store.insert(sample(4), due: nil) == 4)
        try store.close()
    }

    @Test("An identifier stands for one reminder; a second one with it is refused whole")
    func doubleIdentifier() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        try store.insert(sample(1), due: nil)
        var second = sample(1, "other")
        second.tags = ["t"]
        let error = storeError { try store.insert(second, due: nil) }
        #expect(error?.code == "SQLITE_CONSTRAINT_UNIQUE")
        #expect(error?.detail == "UNIQUE constraint failed: task.id")
        #expect(error?.sql?.hasPrefix("INSERT INTO task") == true)
        #expect(try store.list(ListFilter(.all)).map(\.title) == ["Pay rent"])
        try store.close()
    }

    @Test("A deletion takes along all that belongs to the reminder, and leaves log and pop-up")
    func deletion() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        var reminder = Self.full(1)
        reminder.number = try store.insert(reminder, due: epoch)
        try store.setCalendarItem(
            CalendarItemRecord(
                uid: "u", sequence: 0, version: epoch, content: 1, stored: epoch, text: "x"),
            of: reminder.number)
        try store.setCalendarFile(
            CalendarFileRecord(name: "u.ics", content: 1, agreed: nil), of: reminder.number,
            folder: "/f")
        try store.append(LogEntry(reminder: reminder, kind: .rang, at: epoch, origin: .daemon))
        let popup = PopupRecord(key: reminder.id.text, server: ":1.7", id: 3)
        try store.setPopup(popup)
        #expect(try store.delete(number: reminder.number))
        for table in ["task", "alarm", "tag", "calendar_item", "calendar_file"] {
            #expect(try store.connection.integer("SELECT count(*) FROM \(table)") == 0)
        }
        #expect(try store.log(limit: 9).count == 1)
        #expect(try store.popups() == [popup])
        #expect(try store.checkIntegrity().isEmpty)
        try store.close()
    }

    @Test("A tag with the separator in it is refused whole, not split")
    func separatorInTag() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        var reminder = sample()
        reminder.tags = ["a", "b\u{1F}c"]
        #expect(
            storeError { try store.insert(reminder, due: nil) }?.code == "SQLITE_CONSTRAINT_CHECK")
        #expect(try store.list(ListFilter(.all)).isEmpty)
        try store.close()
    }

    @Test("A value that is never written is called damage, naming reminder and column")
    func damagedValue() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        try store.insert(sample(), due: nil)
        try store.connection.execute("UPDATE task SET deadline = 'soon'")
        let error = storeError { _ = try store.reminder(number: 1) }
        #expect(error?.category == .corrupt)
        #expect(error?.detail == "reminder 1 has no valid value in ‘deadline’")
        try store.close()
    }
}
