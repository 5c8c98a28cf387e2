import Calendaring
import RemindAPI
import RemindCore
import Store
import Timing

/// Alarms: the wheel, its timer, and what rings.
extension Engine {
    /// How long a ring that could not be committed waits for its next try, in milliseconds. It is
    /// on the screen meanwhile.
    static let retryDelay: Int64 = 1000

    func timerFired() {
        timer?.fired()
        // That the clock was set may be told behind this.
        if wasClockPutRight { clockChanged() }
        ringWhatIsDue()
    }

    /// Rings everything whose time has come, in one transaction, and arms the timer again.
    func ringWhatIsDue() {
        let now = clock.now
        var keys: [Int64] = []
        while let due = timers.popDue(upTo: Self.tick(now)) { keys.append(due.key) }
        let numbers = keys.filter { $0 > 0 }
        if !numbers.isEmpty { ring(numbers, now: now) }
        if keys.contains(Self.holdKey) { releaseHeld() }
        if keys.contains(Self.answersKey) { hearAnswers() }
        if keys.contains(Self.dropKey) { showDropped() }
        if keys.contains(Self.testTimerKey) { testTimeIsOver() }
        if keys.contains(Self.refillKey) { refillOrRetry() }
        arm()
    }

    private func ring(_ numbers: [Int64], now: Instant) {
        var (reminders, transitions): ([Reminder], [Transition]) = ([], [])
        do {
            try store.snapshot { () throws(StoreError) in
                for number in numbers {
                    guard let stored = try store.reminder(number: number) else { continue }
                    var reminder = stored
                    let facts = try due(&reminder, now: now)
                    reminders.append(stored)
                    transitions.append(reminder.rang(facts, now: now))
                }
            }
            try commit(transitions, of: reminders)
            let comesWithHeld = endsHold(transitions, now)
            carryOut(transitions, asHeld: comesWithHeld)
            if comesWithHeld { releaseHeld() }
        } catch {
            // Nobody may miss a reminder because the disk is full or the store is locked: it is
            // shown now, once, and the ring is committed when the store lets us.
            Journal.error("cannot record that \(numbers.count) reminders rang: \(error)")
            showUnrecorded(transitions)
            let retry = now.advanced(byMilliseconds: Self.retryDelay)
            for number in numbers { setTimer(number, at: retry) }
        }
    }

    /// Arms the one timer to the earliest deadline of the wheel: the only wake-up there is.
    func arm() {
        timer?.arm(to: timers.nextTick.map { Instant(milliseconds: Int64(clamping: $0)) })
    }

    /// Loads what rings within the horizon, and one entry that will load the rest in time.
    func refill() throws {
        let isInLine = bringInLine()
        try showUnanswered()
        let now = clock.now
        let end = now.advanced(byMilliseconds: Self.horizon)
        let alarms = try store.alarms(through: end)
        let later = try store.nextAlarm(after: end)
        timers.removeAll(now: Self.tick(now))
        horizonEnd = end
        for alarm in alarms { setTimer(alarm.number, at: alarm.at) }
        if later != nil { watchHorizon() }
        if !isInLine { setTimer(Self.refillKey, at: now.advanced(byMilliseconds: Self.retryDelay)) }
        if !unheard.isEmpty { setTimer(Self.answersKey, at: now) }
        // The clock may have been set past the end of a hold, or the zone changed.
        releaseHeld()
        watchDropped()
        // The clock was set during a test of `doctor`: it is over.
        testTimeIsOver()
        ringWhatIsDue()
    }

    /// What hangs on the machine's zone, and on a clock that was put back. A disk that is full is no
    /// reason not to ring: this is tried again.
    private func bringInLine() -> Bool {
        do {
            try followWall()
            try followClock()
            return true
        } catch {
            Journal.error("cannot bring the alarms in line with the zone and the clock: \(error)")
            return false
        }
    }

    func refillOrRetry() {
        do {
            try refill()
        } catch {
            Journal.error("cannot load the next alarms: \(error)")
            setTimer(Self.refillKey, at: clock.now.advanced(byMilliseconds: Self.retryDelay))
        }
    }

    /// The wall clock was set: deadlines are wall time, so the wheel is built anew.
    func clockChanged() {
        Journal.info("the clock was set")
        nextBackup = Instant(milliseconds: .min)
        followsClock = false
        refillOrRetry()
        arm()
    }

    /// Puts a reminder's next ring into the wheel, or takes it out.
    func schedule(_ reminder: Reminder) {
        guard let nextRing = reminder.alarm.nextRing else {
            return cancelTimer(reminder.number)
        }
        if nextRing <= horizonEnd { return setTimer(reminder.number, at: nextRing) }
        cancelTimer(reminder.number)
        watchHorizon()
    }

    /// Something waits behind the horizon.
    func watchHorizon() {
        // Before 1970 the wheel stands still: an entry would be due at once, again and again.
        guard !timers.isSet(Self.refillKey), Self.tick(horizonEnd) > 0 else { return }
        setTimer(Self.refillKey, at: horizonEnd)
    }

    /// Everything that is set lies within our horizon, which is far within the wheel's.
    func setTimer(_ key: Int64, at instant: Instant) {
        _ = timers.set(key, tick: Self.tick(instant))
    }

    func cancelTimer(_ key: Int64) { _ = timers.cancel(key) }
}
