import Popups
import RemindAPI
import RemindCore
import Store
import Testing

@testable import RemindDaemon

@Suite("Ringing")
struct RingingTests {
    @Test("A reminder rings at its time: committed as ringing, then shown")
    func rings() throws {
        let world = try World()
        let tea = try world.add("Tea", at: "11:00")
        #expect(tea.alarm.state == .pending)
        try world.advance(to: "2024-05-01T10:59:59+02:00")
        #expect(world.shown == [])
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == ["Tea"])
        #expect(try world.reminder(tea.number).alarm.state == .ringing)
        #expect(world.popups.first?.key == tea.id.text)
    }

    @Test("Deleted before its time, nothing rings")
    func deletedBefore() throws {
        let world = try World()
        let tea = try world.add("Tea", at: "11:00")
        _ = try world.isolated { try $0.remove([tea]) }
        try world.advance(to: "2024-05-01T12:00:00+02:00")
        #expect(world.shown == [])
        #expect(throws: APIError.self) { try world.reminder(tea.number) }
    }

    @Test("Deleted while it is shown, its pop-up goes")
    func deletedWhileShown() throws {
        let world = try World()
        let tea = try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        _ = try world.isolated { try $0.remove([tea]) }
        #expect(world.closed == [tea.id.text])
    }

    @Test("A daemon that was off rings what is overdue once, and says how late")
    func overdueAtStart() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        world.clock.now = try #require(Instant(rfc3339: "2024-05-01T12:30:00+02:00"))
        try world.restart()
        #expect(world.shown == ["Tea"])
        #expect(world.popups.first?.body.contains("1 h 30 min late") == true)
        try world.restart()
        #expect(try world.reminder(1).alarm.rings == 1)
    }

    @Test("What rang unanswered is shown again by the next run, in the place of the old pop-up")
    func shownAgain() throws {
        let world = try World()
        let tea = try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        world.screen(.shown(key: tea.id.text, serverBusName: ":1.7", id: 3))
        try world.restart()
        #expect(world.popups.map(\.earlier) == [ShownPopup(serverBusName: ":1.7", id: 3)])
    }

    @Test(
        "A pop-up answered by the command line while the daemon died is taken away by the next run")
    func staleRecord() throws {
        let world = try World()
        let tea = try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        world.screen(.shown(key: tea.id.text, serverBusName: ":1.7", id: 3))
        _ = try world.isolated { try $0.complete([tea], series: false, origin: .command) }
        try world.restart()
        #expect(world.shown == [])
        let calls = world.presenter.calls
        #expect(
            calls.contains(
                .close(key: tea.id.text, earlier: ShownPopup(serverBusName: ":1.7", id: 3))))
        // Its record is gone with the next change.
        try world.add("Milk")
        try world.restart()
        #expect(world.closed == [])
    }

    @Test("A thousand due in one second all ring, in one transaction")
    func thousand() throws {
        let world = try World()
        for index in 0..<1000 { try world.add("Item \(index)", at: "11:00") }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        let ringing = try world.isolated { try $0.store.ringing().count }
        #expect(ringing == 1000)
    }

    @Test("A store that is locked by another program does not keep a reminder from the screen")
    func lockedStore() throws {
        let world = try World()
        let tea = try world.add("Tea", at: "11:00")
        let lock = try DatabaseLock(world.database)
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown == ["Tea"])
        #expect(throws: APIError.self) { try world.add("Milk") }
        lock.release()
        try world.advance(to: "2024-05-01T11:00:01+02:00")
        #expect(try world.reminder(tea.number).alarm.state == .ringing)
        #expect(try world.reminder(tea.number).alarm.rings == 1)
        #expect(try world.add("Milk").number == 2)
    }
}

@Suite("A locked store")
struct LockedStoreTests {
    @Test("A button pressed before the ring could be committed is not lost")
    func answeredBeforeCommit() throws {
        let world = try World()
        let tea = try world.add("Tea", at: "11:00")
        let lock = try DatabaseLock(world.database)
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        world.screen(.answered(key: tea.id.text, action: "done"))
        // It could not be stored, so the pop-up is there again.
        #expect(world.shown == ["Tea", "Tea"])
        lock.release()
        world.screen(.answered(key: tea.id.text, action: "done"))
        #expect(try world.reminder(1).state == .done)
        let kinds = try world.isolated { try $0.store.log(limit: 10).map(\.kind) }
        #expect(kinds == [.done, .rang])
        try world.advance(to: "2024-05-01T11:00:05+02:00")
        #expect(try world.reminder(1).state == .done)
    }

    @Test("Only the first change waits for the lock")
    func waitsOnce() throws {
        let world = try World()
        let lock = try DatabaseLock(world.database)
        #expect(throws: APIError.self) { try world.add("One") }
        #expect(world.isolated { $0.store.busyTimeout } == 0)
        #expect(throws: APIError.self) { try world.add("Two") }
        lock.release()
        try world.add("Three")
        #expect(world.isolated { $0.store.busyTimeout } == 200)
    }
}

@Suite("Answers")
struct AnswerTests {
    private func ringing() throws -> (World, Reminder) {
        let world = try World()
        let tea = try world.add("Tea", at: "11:00")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        return (world, tea)
    }

    @Test("Done: the task is done and the pop-up taken away")
    func done() throws {
        let (world, tea) = try ringing()
        world.screen(.answered(key: tea.id.text, action: "done"))
        #expect(try world.reminder(1).state == .done)
        #expect(world.closed == [tea.id.text])
    }

    @Test(
        "Snooze: silent for ten minutes, then it rings again",
        arguments: [("snooze", 10), ("snooze-long", 60)])
    func snooze(action: String, minutes: Int64) throws {
        let (world, tea) = try ringing()
        world.screen(.answered(key: tea.id.text, action: action))
        let snoozed = try world.reminder(1)
        #expect(snoozed.alarm.state == .snoozed)
        let until = try #require(snoozed.alarm.snoozedUntil)
        #expect(until == world.clock.now.advanced(bySeconds: minutes * 60))
        world.clock.now = until
        world.isolated { $0.timerFired() }
        #expect(world.shown == ["Tea", "Tea"])
        #expect(try world.reminder(1).alarm.state == .ringing)
    }

    @Test("Dismissed by a click or by closing: seen, and still open", arguments: [true, false])
    func dismissed(click: Bool) throws {
        let (world, tea) = try ringing()
        world.screen(
            click ? .answered(key: tea.id.text, action: "default") : .dismissed(key: tea.id.text))
        #expect(try world.reminder(1).state == .open)
        #expect(try world.reminder(1).alarm.state == .none)
    }

    @Test(
        "A button that is told after the closing counts, once (awesomeWM/awesome#3836)",
        arguments: ["done", "snooze", "default", "unknown"])
    func answeredAfterClose(action: String) throws {
        let (world, tea) = try ringing()
        world.screen(.dismissed(key: tea.id.text))
        world.screen(.answeredAfterClose(key: "another", action: "done"))
        #expect(try world.reminder(1).alarm.state == .none)
        world.screen(.answeredAfterClose(key: tea.id.text, action: action))
        let answered = try world.reminder(1)
        #expect(answered.state == (action == "done" ? .done : .open))
        #expect(answered.alarm.state == (action == "snooze" ? .snoozed : .none))
        world.screen(.answeredAfterClose(key: tea.id.text, action: "done"))
        #expect(try action == "default" || action == "unknown" || world.reminder(1) == answered)
    }

    @Test("Expired or dropped by the server is no answer", arguments: [1, 4] as [UInt32])
    func expired(reason: UInt32) throws {
        let (world, tea) = try ringing()
        world.screen(.closedUnanswered(key: tea.id.text, reason: reason))
        #expect(try world.reminder(1).alarm.state == .ringing)
    }

    @Test("Only the first answer counts, and an unknown button is none")
    func firstAnswer() throws {
        let (world, tea) = try ringing()
        world.screen(.answered(key: tea.id.text, action: "explode"))
        #expect(try world.reminder(1).alarm.state == .ringing)
        world.screen(.answered(key: tea.id.text, action: "snooze"))
        let before = try world.reminder(1)
        for event in [
            PresenterEvent.answered(key: tea.id.text, action: "done"), .dismissed(key: tea.id.text),
            .answered(key: "no key of ours", action: "done"),
        ] {
            world.screen(event)
        }
        #expect(try world.reminder(1) == before)
    }

    @Test("A command answers as the button does")
    func command() throws {
        let (world, tea) = try ringing()
        let snoozed = try world.isolated {
            try $0.snooze(Snooze.Parameters(reference: "last", until: "1h")).0
        }
        #expect(snoozed.first?.alarm.snoozedUntil == world.clock.now.advanced(bySeconds: 3600))
        #expect(world.closed == [tea.id.text])
    }

    @Test("Answers that make no sense are refused and change nothing")
    func wrongState() throws {
        let world = try World()
        let milk = try world.add("Milk")
        #expect(throws: APIError.self) {
            try world.isolated { try $0.dismiss([milk], origin: .command) }
        }
        #expect(throws: APIError.self) { try world.isolated { try $0.reopen([milk]) } }
        let done = try world.isolated { try $0.complete([milk], series: false, origin: .command) }
        #expect(throws: APIError.self) {
            try world.isolated { try $0.complete(done, series: false, origin: .command) }
        }
        #expect(throws: APIError.self) {
            try world.isolated { try $0.snooze(Snooze.Parameters(reference: "1", until: "1h")) }
        }
    }
}
