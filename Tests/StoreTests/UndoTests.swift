import RemindCore
import Testing

@testable import Store

/// All rows of all tables but those of undo itself, one a line.
private func dump(_ store: Store) throws -> [String] {
    var lines: [String] = []
    let tables = [
        "task", "alarm", "tag", "calendar_item", "calendar_file", "log", "search_text", "meta",
    ]
    for table in tables {
        let statement = try Statement("SELECT * FROM \(table)", on: store.connection)
        while try statement.step() { lines.append("\(table): \(statement.cells)") }
    }
    return lines.sorted()
}

@Suite("Undo")
struct UndoTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func change(_ what: UserChange.What, step: Int64? = nil) -> UserChange {
        UserChange(what, at: epoch, step: step)
    }

    private func undo(_ store: Store) throws -> UndoOutcome {
        let step = try #require(try store.undoSteps(limit: 1).first)
        return try store.transaction { try store.undo(step) }
    }

    @Test(
        "Random changes are taken back one by one, row for row, over restarts",
        arguments: 1...6 as ClosedRange<UInt64>)
    func randomChanges(seed: UInt64) throws {
        var random = Generator(state: seed &* 0x9E37_79B9_7F4A_7C15)
        var store = try Store(path: folder.database)
        var states: [[String]] = []
        while states.count < 60 {
            let before = try dump(store)
            try randomChange(store, &random)
            guard try dump(store) != before else { continue }
            states.append(before)
            if random.chance(8) {
                try store.close()
                store = try Store(path: folder.database)
            }
            // Going back and forth.
            if random.chance(6), let state = states.popLast() {
                _ = try undo(store)
                #expect(try dump(store) == state)
            }
        }
        #expect(try store.undoSteps(limit: 1000).count == states.count)
        while let state = states.popLast() {
            _ = try undo(store)
            #expect(try dump(store) == state, "\(states.count)")
            if random.chance(8) {
                try store.close()
                store = try Store(path: folder.database)
            }
        }
        #expect(try store.undoSteps(limit: 1).isEmpty)
        #expect(try store.checkIntegrity() == [])
        try store.close()
    }

    /// One step with one to three changes, as the engine makes them.
    private func randomChange(_ store: Store, _ random: inout Generator) throws {
        let what = UserChange.What.allCases[random.below(UserChange.What.allCases.count)]
        try store.transaction(change(what)) {
            for _ in 0...random.below(3) {
                let numbers = try store.list(ListFilter(.all)).map(\.number)
                guard !numbers.isEmpty, !random.chance(3) else {
                    try store.insert(randomReminder(&random), due: nil)
                    continue
                }
                try touch(numbers[random.below(numbers.count)], store, &random)
            }
        }
    }

    private func touch(_ number: Int64, _ store: Store, _ random: inout Generator) throws {
        guard var reminder = try store.reminder(number: number) else { return }
        switch random.below(6) {
        case 0:
            try store.append(
                LogEntry(reminder: reminder, kind: .deleted, at: epoch, origin: .command))
            try store.delete(number: number)
        case 1:
            let value = Int64(random.below(9))
            try store.setCalendarItem(
                CalendarItemRecord(
                    uid: "\(number)", sequence: 0, version: epoch, content: value, stored: epoch,
                    text: "\(value)"), of: number)
            try store.setCalendarFile(
                CalendarFileRecord(name: "\(number).ics", content: value, agreed: nil),
                of: number, folder: "/\(random.below(3))")
        case 2:
            reminder.alarm = Alarm(
                state: .snoozed, nextRing: epoch, ring: nil,
                snoozedUntil: epoch.advanced(bySeconds: Int64(random.below(99))), rings: 3)
            try store.update(reminder.alarm, of: number)
            try store.append(
                LogEntry(reminder: reminder, kind: .snoozed, at: epoch, origin: .popup))
        default:
            var other = randomReminder(&random)
            (other.id, other.number) = (reminder.id, number)
            try store.update(other, due: random.chance(2) ? epoch : nil)
        }
    }

    private func randomReminder(_ random: inout Generator) -> Reminder {
        let texts = ["Pay rent", "e\u{301}", "\u{E9}", "日本", "ﬁ", "a\"b"]
        var reminder = sample(random.below(1 << 40), texts[random.below(texts.count)])
        reminder.note = random.chance(2) ? texts[random.below(texts.count)] : nil
        reminder.tags = random.chance(2) ? ["a", "b"] : random.chance(2) ? ["c"] : []
        reminder.list = random.chance(2) ? "home" : "inbox"
        reminder.before = random.chance(2) ? [CalendarDuration(seconds: 60)] : []
        reminder.nag = random.chance(3) ? 60 : nil
        reminder.state = random.chance(3) ? .done : .open
        if random.chance(2) {
            reminder.alarm = Alarm(
                state: .pending, nextRing: epoch.advanced(bySeconds: Int64(random.below(999))))
        }
        return reminder
    }

    @Test("What happened by itself since stays, unless the step changed the schedule")
    func automaticChanges() throws {
        let store = try Store(path: folder.database)
        let number = try store.insert(sample(0, "Old"), due: nil)
        var reminder = try #require(try store.reminder(number: number))
        reminder.title = "New"
        try store.transaction(change(.edit)) { try store.update(reminder, due: nil) }
        let ringing = Alarm(
            state: .ringing, nextRing: nil,
            ring: Ring(scheduled: epoch, due: epoch, rangAt: epoch), rings: 1)
        try store.update(ringing, of: number)
        try store.append(LogEntry(reminder: reminder, kind: .rang, at: epoch, origin: .daemon))
        _ = try undo(store)
        let after = try #require(try store.reminder(number: number))
        #expect(after.title == "Old")
        #expect(after.alarm == ringing)
        #expect(try store.log(of: number, limit: 9).map(\.kind) == [.rang])
        try store.close()
    }

    @Test("A number is not given again after its task's addition was taken back")
    func numbers() throws {
        let store = try Store(path: folder.database)
        let first = try store.transaction(change(.add)) { try store.insert(sample(), due: nil) }
        #expect(try undo(store).numbers == [first])
        #expect(try store.reminder(number: first) == nil)
        let second = try store.transaction(change(.add)) { try store.insert(sample(), due: nil) }
        #expect(second == first + 1)
        try store.close()
    }

    @Test("A change that failed or changed nothing is no step")
    func noStep() throws {
        struct Failure: Error {}
        let store = try Store(path: folder.database)
        #expect(throws: Failure.self) {
            try store.transaction(change(.add)) {
                try store.insert(sample(), due: nil)
                throw Failure()
            }
        }
        let number = try store.insert(sample(), due: nil)
        let same = try #require(try store.reminder(number: number))
        try store.transaction(change(.edit)) { try store.update(same, due: nil) }
        #expect(store.lastStep == nil)
        #expect(try store.undoSteps(limit: 9).isEmpty)
        try store.update(same, due: epoch)
        #expect(try store.undoSteps(limit: 9).isEmpty)
        try store.close()
    }

    @Test("Several parts of one import are one step, whatever came between them")
    func parts() throws {
        let store = try Store(path: folder.database)
        let empty = try dump(store)
        try store.transaction(change(.importing)) { try store.insert(sample(1), due: nil) }
        let step = try #require(store.lastStep)
        try store.transaction(change(.add)) { try store.insert(sample(2, "Other"), due: nil) }
        try store.transaction(change(.importing, step: step)) {
            try store.insert(sample(3), due: nil)
        }
        #expect(store.lastStep == step)
        #expect(try store.undoSteps(limit: 9).map(\.what) == [.add, .importing])
        #expect(try store.undoSteps(limit: 9).map(\.count) == [1, 2])
        #expect(try undo(store).numbers == [2])
        #expect(try undo(store).numbers == [3, 1])
        #expect(try dump(store) == empty)
        try store.close()
    }

    @Test("No more steps than the limit are kept, and a few more; the newest ones")
    func limit() throws {
        let store = try Store(path: folder.database)
        try store.transaction {
            for index in 0..<2100 {
                store.recording = UndoRecording(change(.add))
                try store.insert(sample(index), due: nil)
                try store.endRecording()
            }
        }
        let steps = try store.undoSteps(limit: 5000)
        #expect(steps.first?.number == 2100)
        #expect(steps.count >= Store.undoLimit)
        #expect(steps.count <= Store.undoLimit + Int(Store.undoSlack))
        try store.close()
    }

    @Test("Large images push older steps out; the last step stays whatever it takes")
    func byteLimit() throws {
        let store = try Store(path: folder.database)
        try store.transaction(change(.add)) { try store.insert(sample(1), due: nil) }
        var large = sample(2)
        large.note = String(repeating: "x", count: Store.undoBytesLimit / 2 + 1)
        large.number = try store.insert(large, due: nil)
        for note in ["a", large.note, "b", large.note] {
            large.note = note
            try store.transaction(change(.edit)) { try store.update(large, due: nil) }
        }
        #expect(try store.undoSteps(limit: 9).map(\.what) == [.edit, .edit, .edit])
        large.note = String(repeating: "y", count: Store.undoBytesLimit + 1)
        try store.update(large, due: nil)
        try store.transaction(change(.remove)) { try store.delete(number: large.number) }
        #expect(try store.undoSteps(limit: 9).map(\.what) == [.remove])
        #expect(try undo(store).numbers == [large.number])
        #expect(try store.reminder(number: large.number)?.note == large.note)
        try store.close()
    }

    @Test("Every table that refers to tasks is taken along")
    func tables() throws {
        let store = try Store(path: folder.database)
        let tables = try store.tables()
        let names = tables.children.map(\.name)
        #expect(Set(names).isSuperset(of: ["alarm", "tag"]))
        #expect(tables.schedule.count >= 12)
        #expect(tables.alarm == names.firstIndex(of: "alarm"))
        try store.close()
    }

    @Test("A change of the wall marks the steps that are kept")
    func wall() throws {
        let store = try Store(path: folder.database)
        try store.transaction(change(.add)) { try store.insert(sample(1), due: nil) }
        try store.markUndoMoved()
        try store.transaction(change(.add)) { try store.insert(sample(2), due: nil) }
        #expect(try undo(store).wallMoved == false)
        #expect(try undo(store).wallMoved)
        try store.close()
    }
}

/// SplitMix64: the same numbers in every run.
private struct Generator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
        return z ^ z >> 31
    }

    mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

    /// One in `count`.
    mutating func chance(_ count: Int) -> Bool { below(count) == 0 }
}
