import RemindCore
import Testing

@testable import Store

@Suite("Reminders on disk")
struct ReminderTests {
    @Test("A reminder is found by number and identifier, also after a restart")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.database)
        var reminder = sample()
        reminder.number = try store.insert(reminder, due: nil)
        #expect(reminder.number == 1)
        #expect(try store.reminder(number: 1) == reminder)
        try store.close()
        let again = try Store(path: folder.database)
        #expect(try again.reminder(id: reminder.id) == reminder)
        #expect(try again.list() == [reminder])
        try again.close()
    }
}
