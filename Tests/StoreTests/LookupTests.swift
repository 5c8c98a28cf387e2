import RemindCore
import Testing

@testable import Store

@Suite("References to reminders")
struct LookupTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    private func insert(high: UInt64, low: UInt64) throws -> UUIDv7 {
        let id = UUIDv7(high: high, low: low)
        try store.insert(Reminder(id: id, title: "t", created: epoch), due: nil)
        return id
    }

    @Test("A beginning finds those that begin so, at odd and even lengths and in any case")
    func prefix() throws {
        let first = try insert(high: 0x0190_ABCD_1234_7000, low: 0x8000_0000_0000_0001)
        let second = try insert(high: 0x0190_ABCE_0000_7000, low: 0x8000_0000_0000_0001)
        let last = try insert(high: .max, low: .max)
        func found(_ hex: String) throws -> [UUIDv7] {
            try store.reminders(idPrefix: hex).map(\.id)
        }
        #expect(try found("0190") == [first, second])
        #expect(try found("0190aBc") == [first, second])
        #expect(try found("0190abcd") == [first])
        #expect(try found("0190abce000070008000000000000001") == [second])
        #expect(try found("ffff") == [last])
        #expect(try found("0191") == [])
        #expect(try store.reminders(idPrefix: "0190", limit: 1).count == 1)
        try store.close()
    }

    @Test("An ending finds those that end so, at odd and even lengths and in any case")
    func suffix() throws {
        let first = try insert(high: 0x0190_0000_0000_7000, low: 0x8000_0000_12AB_CDEF)
        let second = try insert(high: 0x0190_0000_0001_7000, low: 0x8000_0000_34AB_CDEF)
        func found(_ hex: String) throws -> [UUIDv7] {
            try store.reminders(idSuffix: hex).map(\.id)
        }
        #expect(try found("cdef") == [first, second])
        #expect(try found("BcDeF") == [first, second])
        #expect(try found("2abcdef") == [first])
        #expect(try found("01900000000170008000000034abcdef") == [second])
        #expect(try found("34abcdee") == [])
        #expect(try store.reminders(idSuffix: "cdef", limit: 1).count == 1)
        try store.close()
    }

    @Test(
        "A text that is too short, too long or no number finds nothing",
        arguments: [
            "", "019", "019g", "+190", "%%%%", "____", "０190", "0190-",
            "0190abce0000700080000000000000011",
        ])
    func refused(text: String) throws {
        _ = try insert(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0190)
        #expect(try store.reminders(idPrefix: text).isEmpty)
        #expect(try store.reminders(idSuffix: text).isEmpty)
        try store.close()
    }

    @Test("The last to ring is the one whose ring was logged last, answered or not, if it still is")
    func lastRung() throws {
        #expect(try store.lastRung() == nil)
        for index in 1...3 {
            var reminder = sample(index)
            reminder.number = try store.insert(reminder, due: nil)
            let at = epoch.advanced(bySeconds: Int64(-index))
            try store.append(LogEntry(reminder: reminder, kind: .rang, at: at, origin: .daemon))
        }
        let first = try #require(try store.reminder(number: 1))
        try store.append(LogEntry(reminder: first, kind: .done, at: epoch, origin: .popup))
        #expect(try store.lastRung()?.number == 3)
        try store.delete(number: 3)
        #expect(try store.lastRung()?.number == 2)
        try store.close()
    }

    @Test("What rings is given with the longest first, and what rings next in its order")
    func ringing() throws {
        for (index, rangAt) in [30, 10, 20].enumerated() {
            var reminder = sample(index)
            let at = epoch.advanced(bySeconds: Int64(rangAt))
            let ring = Ring(scheduled: at, due: at, rangAt: at)
            reminder.alarm = Alarm(state: .ringing, nextRing: at, ring: ring, rings: 1)
            try store.insert(reminder, due: at)
        }
        var snoozed = sample(9)
        snoozed.alarm = Alarm(state: .snoozed, nextRing: epoch, rings: 1)
        try store.insert(snoozed, due: epoch)
        try store.insert(sample(10), due: epoch)
        #expect(try store.ringing().map(\.number) == [2, 3, 1])
        #expect(try store.list(ListFilter(.ringing)).map(\.number) == [2, 3, 1])
        #expect(try store.nextRings(limit: 9).map(\.number) == [4, 2, 3, 1])
        #expect(try store.nextRings(limit: 2).map(\.number) == [4, 2])
        #expect(try store.counts() == StoreCounts(open: 5, ringing: 3, pending: 4))
        try store.close()
    }
}
