import RemindAPI
import RemindCore
import Store

/// The way of every change: to the disk, then to the wheel, then to the screen, then to those who
/// watch.
extension Engine {
    /// Writes a transition of `former` within the transaction that is open.
    private func write(_ transition: Transition, of former: Reminder) throws(StoreError) {
        let reminder = transition.reminder
        // A ring that could not be written may have moved the deadline too.
        if unrecorded[reminder.number] == nil, reminder.hasAll(of: former) {
            try store.update(reminder.alarm, of: reminder.number)
        } else {
            try store.update(reminder, due: timetable.dueInstant(of: reminder))
        }
        for entry in transition.log { try store.append(entry) }
    }

    /// One transaction for all that belongs to one event.
    ///
    /// Only the first change that meets another program's lock waits for it: were every one to
    /// wait, a reminder that comes due meanwhile would wait behind them all.
    ///
    /// A change that is made together with others is a part of their transaction.
    ///
    /// - Parameter change: what a user did, for `undo` to take back; `nil`: it happened by itself.
    func commit<Value>(_ change: UserChange? = nil, _ body: () throws -> Value) throws -> Value {
        if together != nil { return try join(change, body) }
        do {
            let value = try transaction(change) {
                try forgetClosedPopups()
                return try body()
            }
            closedPopups = []
            store.busyTimeout = busyTimeout
            backUpDaily()
            return value
        } catch let error as StoreError where error.category == .busy {
            store.busyTimeout = 0
            throw error
        }
    }

    /// What a change that fails has written already can only be undone with all the others.
    private func join<Value>(_ change: UserChange?, _ body: () throws -> Value) throws -> Value {
        let changed = store.changedRows
        do {
            return try store.part(change, body)
        } catch {
            if error is StoreError || store.changedRows != changed { together?.failure = error }
            throw error
        }
    }

    /// What a user's change throws undoes all of it: its parts need no savepoints.
    private func transaction<Value>(
        _ change: UserChange?, _ body: () throws -> Value
    ) throws -> Value {
        guard let change else { return try store.transaction(body) }
        return try store.transaction(change) { try store.together(body) }
    }

    /// Writes transitions in one transaction.
    /// - Parameter formers: what each of them is one of.
    func commit(
        _ transitions: [Transition], of formers: [Reminder], as change: UserChange? = nil
    ) throws {
        try commit(change) {
            for (transition, former) in zip(transitions, formers) {
                // An answer may come before its ring was committed.
                for entry in unrecorded[transition.reminder.number]?.log ?? []
                where transition.log.first?.kind != .rang { try store.append(entry) }
                try write(transition, of: former)
            }
            try noteHookless(transitions.filter(\.rang).map(\.reminder))
        }
    }

    /// After the commit.
    /// - Parameter asHeld: what would be shown waits for `releaseHeld`.
    func carryOut(_ transitions: [Transition], asHeld: Bool = false) {
        for transition in transitions {
            schedule(transition.reminder)
            track(transition.reminder)
        }
        // What was on the screen before it could be committed stands there already.
        let standing = Set(unrecorded.keys)
        for transition in transitions { unrecorded[transition.reminder.number] = nil }
        let shown = transitions.filter {
            $0.popup == .show && !standing.contains($0.reminder.number)
        }.map(\.reminder)
        if asHeld { held.formUnion(shown.map(\.number)) }
        updateScreen(
            shown: asHeld ? [] : shown,
            closed: transitions.filter { $0.popup == .close }.map(\.reminder))
        runHooks(for: transitions.filter(\.rang).map(\.reminder))
        for transition in transitions {
            for entry in transition.log {
                guard let event = Watch.Event(entry.kind, transition.reminder) else { continue }
                tell(event, transition.reminder)
            }
        }
    }

    /// Shows rings that are not in the store yet.
    func showUnrecorded(_ transitions: [Transition]) {
        let new = transitions.filter {
            $0.popup == .show && unrecorded[$0.reminder.number] == nil
        }
        for transition in new {
            unrecorded[transition.reminder.number] = transition
            ringing.insert(transition.reminder.number)
        }
        updateScreen(shown: new.map(\.reminder), closed: [])
    }

    /// Keeps the set of what rings.
    func track(_ reminder: Reminder) {
        if reminder.alarm.state == .ringing {
            ringing.insert(reminder.number)
        } else {
            forget(reminder)
        }
    }

    func forget(_ reminder: Reminder) {
        unrecorded[reminder.number] = nil
        ringing.remove(reminder.number)
        held.remove(reminder.number)
        hookless.remove(reminder.number)
        unseen.remove(reminder.number)
        seenLate[reminder.number] = nil
        if ringing.isEmpty { dropDelay = Self.firstDropDelay }
    }

    /// Makes the same change to several reminders, all or none.
    func change(
        _ reminders: [Reminder], _ what: ChangeKind,
        _ change: (Reminder) throws(APIError) -> Transition
    ) throws(APIError) -> [Reminder] {
        var transitions: [Transition] = []
        for reminder in reminders { transitions.append(try change(reminder)) }
        try storing { try commit(transitions, of: reminders, as: userChange(what)) }
        remember(group: what.group)
        afterCommit { [transitions] engine in engine.carryOut(transitions) }
        return transitions.map(\.reminder)
    }

    /// Runs something of the store's, with its errors as the API tells them.
    func storing<Value>(_ body: () throws -> Value) throws(APIError) -> Value {
        do {
            return try body()
        } catch let error as APIError {
            throw error
        } catch {
            throw APIError(error)
        }
    }
}

extension Reminder {
    /// Whether they differ in their alarms at most.
    fileprivate func hasAll(of other: Reminder) -> Bool {
        var other = other
        other.alarm = alarm
        return self == other
    }
}

extension Transition {
    /// Whether it is a ring.
    var rang: Bool { log.contains { $0.kind == .rang } }
}

extension Watch.Event {
    /// What watchers are told of a row of the log; `nil` when nothing changed for them.
    init?(_ kind: LogEntry.Kind, _ reminder: Reminder) {
        switch kind {
        case .rang: self = .ringing
        case .done: self = reminder.state == .done ? .completed : .answered
        case .dismissed, .snoozed: self = .answered
        case .reopened: self = .changed
        case .deleted: self = .removed
        case .superseded: return nil
        }
    }
}
