import Testing

@testable import RemindCore

/// Every event in every state: instants are minutes, so that tables read well.
private func at(_ minute: Int64) -> Instant { Instant(seconds: minute * 60) }

private func point(_ minute: Int64, lead: Int64 = 0) -> RingPoint {
    RingPoint(
        occurrence: .absolute(at(minute)), due: at(minute), instant: at(minute - lead),
        position: (minute - lead) * 60)
}

private func reminder(
    _ state: Alarm.State, recurring: Bool = false, nag: Int64? = nil
) -> Reminder {
    var result = Reminder(id: UUIDv7(high: 1, low: 2), title: "Tea", created: at(0))
    result.deadline = .absolute(at(100))
    result.nag = nag
    if recurring {
        result.recurrence = Recurrence(
            rule: RecurrenceRule(rrule: "FREQ=HOURLY"), start: .absolute(at(100)))
    }
    switch state {
    case .none: result.alarm = Alarm(rings: 1, rungThrough: 6000)
    case .pending: result.alarm = Alarm(state: .pending, nextRing: at(100))
    case .ringing:
        result.alarm = Alarm(
            state: .ringing, nextRing: nag.map { _ in at(105) },
            ring: Ring(scheduled: at(100), due: at(100), rangAt: at(100)), rings: 1,
            rungThrough: 6000)
    case .snoozed:
        result.alarm = Alarm(
            state: .snoozed, nextRing: at(110),
            ring: Ring(scheduled: at(100), due: at(100), rangAt: at(100)), snoozedUntil: at(110),
            rings: 1, rungThrough: 6000)
    }
    return result
}

@Suite("Transitions of an alarm")
struct TransitionTests {
    @Test("A pending reminder that is due rings, on time")
    func ringsOnTime() throws {
        let outcome = reminder(.pending).rang(ScheduleFacts(due: point(100)), now: at(100))
        #expect(outcome.popup == .show)
        #expect(outcome.reminder.alarm.state == .ringing)
        #expect(outcome.reminder.alarm.nextRing == nil)
        #expect(outcome.reminder.alarm.rungThrough == 6000)
        #expect(outcome.log.map(\.kind) == [.rang])
        #expect(outcome.log.first?.late == 0)
    }

    @Test("A late ring says how late and how many were missed, and moves a series to the newest")
    func ringsLate() throws {
        let facts = ScheduleFacts(due: point(400), missed: 5, next: point(460))
        let outcome = reminder(.pending, recurring: true).rang(facts, now: at(430))
        #expect(outcome.reminder.deadline == .absolute(at(400)))
        #expect(outcome.reminder.alarm.ring?.missed == 5)
        #expect(outcome.reminder.alarm.nextRing == at(460))
        #expect(outcome.log.first?.late == 1_800_000)
    }

    @Test("An unanswered ring is replaced by the next occurrence, and the log says so")
    func superseded() {
        let outcome = reminder(.ringing, recurring: true).rang(
            ScheduleFacts(due: point(160), next: point(220)), now: at(160))
        #expect(outcome.log.map(\.kind) == [.superseded, .rang])
        #expect(outcome.reminder.alarm.ring?.due == at(160))
        #expect(outcome.reminder.alarm.rings == 2)
    }

    @Test("A second ring of the same occurrence does not supersede the first")
    func leadTimeThenDeadline() {
        var early = reminder(.pending)
        early =
            early.rang(
                ScheduleFacts(due: point(100, lead: 15), next: point(100)), now: at(85)
            ).reminder
        #expect(early.alarm.nextRing == at(100))
        let outcome = early.rang(ScheduleFacts(due: point(100)), now: at(100))
        #expect(outcome.log.map(\.kind) == [.rang])
        #expect(outcome.reminder.alarm.rings == 2)
    }

    @Test("A snooze ends with a ring that is not late")
    func snoozeEnds() {
        let outcome = reminder(.snoozed).rang(.nothing, now: at(110))
        #expect(outcome.reminder.alarm.state == .ringing)
        #expect(outcome.reminder.alarm.snoozedUntil == nil)
        #expect(outcome.log.first?.late == 0)
        #expect(outcome.reminder.alarm.ring?.due == at(100))
    }

    @Test("A nag rings again and sets the next")
    func nags() {
        let outcome = reminder(.ringing, nag: 300).rang(.nothing, now: at(105))
        #expect(outcome.popup == .show)
        #expect(outcome.reminder.alarm.rings == 2)
        #expect(outcome.reminder.alarm.nextRing == at(110))
    }

    @Test(
        "Nothing rings before its time, when the clock was stepped back",
        arguments: Alarm.State.allCases)
    func clockSteppedBack(state: Alarm.State) {
        let before = reminder(state, nag: 300)
        let ahead = ScheduleFacts(next: state == .pending ? point(100) : nil)
        let outcome = before.rang(ahead, now: at(50))
        #expect(outcome.popup == .unchanged)
        #expect(outcome.log.isEmpty)
        #expect(outcome.reminder == before)
    }

    @Test(
        "Done from any state is done, silent, and logged", arguments: Alarm.State.allCases)
    func done(state: Alarm.State) {
        let outcome = reminder(state).completed(
            next: nil, facts: .nothing, now: at(120), origin: .popup)
        #expect(outcome.reminder.state == .done)
        #expect(outcome.reminder.completed == at(120))
        #expect(outcome.reminder.alarm.state == .none)
        #expect(outcome.reminder.alarm.nextRing == nil)
        #expect(outcome.popup == .close)
        #expect(outcome.log.map(\.kind) == [.done])
    }

    @Test("Done on a recurring reminder moves on", arguments: Alarm.State.allCases)
    func doneRecurring(state: Alarm.State) {
        let outcome = reminder(state, recurring: true).completed(
            next: .absolute(at(160)), facts: ScheduleFacts(next: point(160)), now: at(120),
            origin: .command)
        #expect(outcome.reminder.state == .open)
        #expect(outcome.reminder.deadline == .absolute(at(160)))
        #expect(outcome.reminder.alarm.state == .pending)
        #expect(outcome.reminder.alarm.nextRing == at(160))
        #expect(outcome.reminder.alarm.ring == nil)
    }

    @Test(
        "Dismissed: silent, open, and later points still ring",
        arguments: [(nil, Alarm.State.none), (at(160), .pending)] as [(Instant?, Alarm.State)])
    func dismissed(next: Instant?, state: Alarm.State) {
        let outcome = reminder(.ringing).dismissed(
            ScheduleFacts(next: next.map { _ in point(160) }), now: at(101), origin: .popup)
        #expect(outcome.reminder.state == .open)
        #expect(outcome.reminder.alarm.state == state)
        #expect(outcome.reminder.alarm.nextRing == next)
        #expect(outcome.reminder.alarm.ring == nil)
        #expect(outcome.popup == .close)
    }

    @Test("Snoozed: silent until then, whatever of the same occurrence comes before")
    func snoozed() {
        let facts = ScheduleFacts(next: point(105), nextOccurrence: point(160))
        let outcome = reminder(.ringing).snoozed(
            until: at(111), facts, now: at(101), origin: .command)
        #expect(outcome.reminder.alarm.state == .snoozed)
        #expect(outcome.reminder.alarm.nextRing == at(111))
        #expect(outcome.log.first?.until == at(111))
        #expect(outcome.popup == .close)
    }

    @Test("A snooze does not swallow the next occurrence")
    func snoozedAcrossOccurrences() {
        let facts = ScheduleFacts(next: point(160), nextOccurrence: point(160))
        let outcome = reminder(.ringing, recurring: true).snoozed(
            until: at(500), facts, now: at(101), origin: .command)
        #expect(outcome.reminder.alarm.nextRing == at(160))
        let rung = outcome.reminder.rang(
            ScheduleFacts(due: point(160), next: point(220)), now: at(160))
        #expect(rung.reminder.alarm.state == .ringing)
        #expect(rung.log.map(\.kind) == [.superseded, .rang])
    }

    @Test("Reopened: what has rung stays rung, what is ahead waits")
    func reopened() {
        var done = reminder(.none)
        done.state = .done
        #expect(
            done.reopened(.nothing, now: at(200), origin: .command).reminder.alarm.state == .none)
        let ahead = done.reopened(
            ScheduleFacts(next: point(300)), now: at(200), origin: .command
        ).reminder
        #expect(ahead.state == .open)
        #expect(ahead.alarm.nextRing == at(300))
    }

    @Test(
        "Set anew: a ring and a snooze go on, a wait follows the schedule",
        arguments: Alarm.State.allCases)
    func rearmed(state: Alarm.State) {
        let before = reminder(state)
        let after = before.rearmed(ScheduleFacts(next: point(300)))
        switch state {
        case .none, .pending:
            #expect(after.alarm.state == .pending)
            #expect(after.alarm.nextRing == at(300))
        case .ringing:
            #expect(after.alarm.ring == before.alarm.ring)
            #expect(after.alarm.nextRing == at(300))
        case .snoozed:
            #expect(after.alarm == before.alarm)
        }
    }

    @Test("A done reminder never rings")
    func doneStaysSilent() {
        var done = reminder(.pending)
        done.state = .done
        let outcome = done.rang(ScheduleFacts(due: point(100)), now: at(100))
        #expect(outcome.popup == .unchanged)
        #expect(outcome.reminder.alarm.state == .none)
        #expect(outcome.reminder.alarm.nextRing == nil)
    }
}

@Suite("Texts of a reminder")
struct TextRulesTests {
    @Test("A title is trimmed", arguments: [("  Pay rent\n", "Pay rent"), ("買い物\u{3000}", "買い物")])
    func trimmed(text: String, expected: String) throws {
        #expect(try TextRules.title(text) == expected)
    }

    @Test(
        "A blank title is refused",
        arguments: ["", "   ", "\t\n", "\u{A0}\u{2003}", "\u{200B}", "\u{202E}\u{FEFF}"])
    func blank(text: String) {
        #expect(throws: TextError.self) { try TextRules.title(text) }
    }

    @Test("The limit of a title holds on both sides")
    func limit() throws {
        let longest = String(repeating: "ä", count: Limits.title)
        #expect(try TextRules.title(longest) == longest)
        #expect(throws: TextError.self) { try TextRules.title(longest + "x") }
    }

    @Test(
        "A control character is refused by its name",
        arguments: [
            ("a\u{7}b", "U+0007 (BEL)"), ("a\nb", "U+000A"), ("a\u{1B}[31m", "U+001B (ESC)"),
        ])
    func controls(text: String, name: String) {
        let error = #expect(throws: TextError.self) { try TextRules.title(text) }
        #expect(error?.message.contains(name) == true)
    }

    @Test("A note may have lines, and a blank one is none")
    func notes() throws {
        #expect(try TextRules.note(" a\nb ") == "a\nb")
        #expect(try TextRules.note(" \n ") == nil)
        #expect(try TextRules.note("a\r\nb\rc\r\r\nd\r") == "a\nb\nc\n\nd")
        #expect(throws: TextError.self) { try TextRules.note("a\u{0}b") }
    }

    @Test("A tag holds no blank and no comma", arguments: ["", "a b", "a,b", "a\tb"])
    func tags(text: String) {
        #expect(throws: TextError.self) { try TextRules.name(text, of: "tag") }
    }
}
