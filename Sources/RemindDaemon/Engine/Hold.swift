import Calendaring
import RemindAPI
import RemindCore
import Store

/// Holding pop-ups back: `remindctl pause`, the desktop's “do not disturb”, and the quiet hours of
/// the configuration. Reminders ring meanwhile, in the store; what they would have shown comes in one
/// digest afterwards.
struct Hold: Hashable {
    var cause: HoldCause
    /// When it ends; `nil`: when somebody says so.
    var until: Instant?

    /// Reminders of high priority come through.
    var passesHigh: Bool { cause != .pause }

    func holds(_ reminder: Reminder) -> Bool { !(passesHigh && reminder.priority == .high) }
}

extension Engine {
    static let pauseKey = "pause-until"

    /// What holds pop-ups back at `now`; a pause comes before the rest, for nothing passes it. How
    /// long the desktop does not want to be disturbed, nobody knows: it counts for the present.
    func hold(at now: Instant) -> Hold? {
        if let pause, pause > now {
            return Hold(cause: .pause, until: pause == .latest ? nil : pause)
        }
        if isInhibited, now <= clock.now { return Hold(cause: .doNotDisturb, until: nil) }
        guard let quiet = settings.quiet else { return nil }
        let civil = timetable.zones.local.civil(at: now)
        guard quiet.contains(civil.time) else { return nil }
        let day = civil.time < quiet.until ? civil.date : civil.date.adding(days: 1)
        let end = timetable.zones.local.resolve(CivilDateTime(day, quiet.until)).instant
        return Hold(cause: .quietHours, until: max(end, now.advanced(byMilliseconds: 1)))
    }

    /// - Parameter until: `nil`: until `resume`.
    func pause(until: Instant?) throws(APIError) {
        let now = clock.now
        try recordingPause(as: .pause, at: now) { () throws(StoreError) in
            try storePause(until ?? .latest, begun: now)
        }
        (pause, pauseBegan) = (until ?? .latest, now)
        holdBack()
        arm()
    }

    /// Within a transaction. `UNTIL BEGUN`, in milliseconds since 1970.
    func storePause(_ until: Instant, begun: Instant) throws(StoreError) {
        try store.setMeta(Self.pauseKey, "\(until.milliseconds) \(begun.milliseconds)")
    }

    /// A step for undo.
    private func recordingPause(
        as what: UserChange.What, at now: Instant, _ body: () throws(StoreError) -> Void
    ) throws(APIError) {
        lastGroup = nil
        try storing {
            try commit {
                try store.recordMeta(Self.pauseKey, as: UserChange(what, at: now))
                try body()
            }
        }
    }

    /// Within the transaction that takes a step back: makes the pause what it was before.
    func takeBackPause(_ step: UndoStep) throws(StoreError) {
        guard let former = step.formerMeta else { return }
        try store.setMeta(Self.pauseKey, former.isEmpty ? nil : former)
    }

    /// After it: shows or holds back what the pause of then did.
    func carryOutPause(_ step: UndoStep) {
        guard let former = step.formerMeta else { return }
        readPause(former)
        if let pause, pause > clock.now { holdBack() } else { releaseHeld() }
        arm()
    }

    /// How pop-ups are after a pause was taken back.
    var pauseOutcome: String {
        guard let pause, pause > clock.now else { return "pop-ups are shown again" }
        guard pause < .latest else { return "pop-ups are held back" }
        return "pop-ups are held back until \(timetable.words(.absolute(pause), at: clock.now))"
    }

    /// Ends a pause; what was held back is shown.
    func resume() throws(APIError) {
        if let pause, pause > clock.now {
            try recordingPause(as: .resume, at: clock.now) { () throws(StoreError) in
                try store.setMeta(Self.pauseKey, nil)
            }
        } else {
            try storing { try commit { try store.setMeta(Self.pauseKey, nil) } }
        }
        pause = nil
        releaseHeld()
        arm()
    }

    /// The server's “do not disturb” has begun or ended.
    func setInhibited(_ inhibited: Bool) {
        guard isInhibited != inhibited else { return }
        Journal.info(
            inhibited ? "do not disturb: pop-ups are held back" : "do not disturb has ended")
        isInhibited = inhibited
        if inhibited { holdBack() } else { releaseHeld() }
        arm()
    }

    func loadPause() throws(StoreError) {
        readPause(try store.meta(Self.pauseKey) ?? "")
    }

    private func readPause(_ text: String) {
        let numbers = text.split(separator: " ").map { Int64($0) }
        let instants = numbers.map { $0.map(Instant.init(milliseconds:)) }
        (pause, pauseBegan) = (instants.first ?? nil, instants.dropFirst().first ?? nil)
    }

    /// Takes what is on the screen away, as far as the hold holds it, until it ends.
    private func holdBack() {
        let reminders = ringingReminders()
        let holding = hold(at: clock.now)
        for reminder in reminders where holding?.holds(reminder) == true {
            held.insert(reminder.number)
        }
        updateScreen(shown: [], closed: reminders.filter { held.contains($0.number) })
        watchHold(holding)
    }

    /// The hold has ended, or has become another one: what it does not hold any more is shown.
    func releaseHeld() {
        let holding = hold(at: clock.now)
        let released: [Reminder]
        do {
            let waiting = held.isEmpty ? [] : try whatRings()
            released = waiting.filter {
                held.contains($0.number) && holding?.holds($0) != true
            }
        } catch {
            Journal.error("cannot read yet what was held back: \(error)")
            let retry = clock.now.advanced(byMilliseconds: Self.retryDelay)
            return setTimer(Self.holdKey, at: retry)
        }
        held.subtract(released.map(\.number))
        updateScreen(shown: released, closed: [], together: released.count > 1)
        runHooks(released: released)
        watchHold(holding)
    }

    /// Whether these rings and what is held back still come in one digest: a machine that slept, or was
    /// off, over the end of a hold and over rings of its time.
    func endsHold(_ rings: [Transition], _ now: Instant) -> Bool {
        guard hold(at: now) == nil else { return false }
        let passedOver = rings.count(where: wasDueInHold)
        return passedOver > 0 && passedOver + held.count > 1
    }

    private func wasDueInHold(_ ring: Transition) -> Bool {
        guard ring.popup == .show, let row = ring.log.first(where: { $0.kind == .rang }) else {
            return false
        }
        let due = row.at.advanced(byMilliseconds: -(row.late ?? 0))
        if let pause, let pauseBegan, pauseBegan <= due, due < pause { return true }
        guard let quiet = settings.quiet, ring.reminder.priority != .high else { return false }
        return quiet.contains(timetable.zones.local.civil(at: due).time)
    }

    /// Wakes when the hold ends, if anything waits for it.
    func watchHold(_ holding: Hold?) {
        guard let until = holding?.until, !held.isEmpty else {
            return cancelTimer(Self.holdKey)
        }
        if until <= horizonEnd { return setTimer(Self.holdKey, at: until) }
        cancelTimer(Self.holdKey)
        watchHorizon()
    }
}
