import RemindCore
import Testing

@testable import Store

@Suite("Alarms and records")
struct AlarmTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    private func pending(_ seconds: Int64) -> Alarm {
        Alarm(state: .pending, nextRing: epoch.advanced(bySeconds: seconds))
    }

    @Test("The horizon gives the alarms after its start and through its end, and no others")
    func horizon() throws {
        for (index, seconds) in [50, 10, 30, 20, 20].enumerated() {
            var reminder = sample(index)
            reminder.alarm = pending(Int64(seconds))
            try store.insert(reminder, due: nil)
        }
        try store.insert(sample(9), due: nil)
        func at(_ seconds: Int64) -> Instant { epoch.advanced(bySeconds: seconds) }
        #expect(try store.alarms(through: at(9)).isEmpty)
        #expect(try store.alarms(through: at(20)).map(\.number) == [2, 4, 5])
        #expect(try store.alarms(after: at(10), through: at(30)).map(\.number) == [4, 5, 3])
        #expect(try store.alarms(after: at(50), through: .latest).isEmpty)
        #expect(try store.nextAlarm(after: at(30)) == PendingAlarm(number: 1, at: at(50)))
        #expect(try store.nextAlarm(after: at(50)) == nil)
        try store.close()
    }

    @Test("An alarm is written alone, and gone when it is silent")
    func alarmAlone() throws {
        var reminder = sample()
        reminder.number = try store.insert(reminder, due: nil)
        try store.update(pending(5), of: 1)
        #expect(try store.reminder(number: 1)?.alarm == pending(5))
        try store.update(pending(7), of: 1)
        #expect(try store.alarms(through: .latest).map(\.at) == [epoch.advanced(bySeconds: 7)])
        try store.update(.silent, of: 1)
        #expect(try store.reminder(number: 1) == reminder)
        #expect(try store.nextAlarm(after: .earliest) == nil)
        try store.close()
    }

    @Test("An alarm of a reminder that is not there is refused")
    func alarmOfNothing() throws {
        let error = storeError { try store.update(pending(5), of: 3) }
        #expect(error?.code == "SQLITE_CONSTRAINT_FOREIGNKEY")
        #expect(try store.nextAlarm(after: .earliest) == nil)
        try store.close()
    }

    @Test("Open reminders with a floating deadline or a date follow the zone")
    func followingZone() throws {
        let civil = CivilDateTime(.first, .noon)
        let deadlines: [Deadline?] = [
            .floating(civil), .date(.first), .zoned(civil, zone: "Asia/Tokyo"), .absolute(epoch),
            nil, .date(.last),
        ]
        for (index, deadline) in deadlines.enumerated() {
            var reminder = sample(index)
            reminder.deadline = deadline
            reminder.state = index == 5 ? .done : .open
            try store.insert(reminder, due: epoch)
        }
        #expect(try store.followingZone() == [1, 2])
        let first = try #require(try store.reminder(number: 1))
        try store.update(first, due: .latest)
        #expect(try store.list().map(\.number) == [2, 3, 4, 5, 1])
        try store.close()
    }

    @Test("Log entries come back whole, the newest first, of one reminder or of all")
    func log() throws {
        var entries: [LogEntry] = []
        for (index, kind) in LogEntry.Kind.allCases.enumerated() {
            var reminder = sample(index % 2, "Title \(index)")
            reminder.number = Int64(index % 2 + 1)
            let entry = LogEntry(
                reminder: reminder, kind: kind, at: epoch, due: index == 0 ? nil : epoch,
                late: index == 1 ? nil : 1234, missed: index,
                origin: LogEntry.Origin.allCases[index % 3], until: index == 2 ? epoch : nil)
            try store.append(entry)
            entries.insert(entry, at: 0)
        }
        #expect(try store.log(limit: 100) == entries)
        #expect(try store.log(limit: 2) == Array(entries.prefix(2)))
        #expect(try store.log(of: 2, limit: 100) == entries.filter { $0.number == 2 })
        #expect(try store.log(of: 3, limit: 100).isEmpty)
        try store.close()
    }

    @Test("Pop-ups are kept by key, replaced and removed")
    func popups() throws {
        let first = PopupRecord(key: "a", server: ":1.5", id: .max)
        let second = PopupRecord(key: "b", server: ":1.5", id: 1)
        try store.setPopup(PopupRecord(key: "a", server: ":1.4", id: 7))
        try store.setPopup(first)
        try store.setPopup(second)
        #expect(try store.popup(key: "a") == first)
        #expect(try store.popups() == [first, second])
        try store.removePopup(key: "a")
        #expect(try store.popup(key: "a") == nil)
        #expect(try store.popups() == [second])
        try store.close()
    }

    @Test("Facts are kept, replaced and removed")
    func facts() throws {
        try store.setMeta("pause", "1")
        try store.setMeta("pause", "")
        #expect(try store.meta("pause") == "")
        try store.setMeta("pause", nil)
        #expect(try store.meta("pause") == nil)
        try store.close()
    }
}
