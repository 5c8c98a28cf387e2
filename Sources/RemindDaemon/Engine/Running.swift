import Popups
import RemindAPI
import RemindCore
import Store

/// What rings beside the screen: the user's hook, and a sound where the server plays none.
extension Engine {
    /// Runs the hook for what has begun to ring. It is held back as pop-ups are: nobody wants their
    /// phone to ring in quiet hours.
    func runHooks(for rang: [Reminder]) {
        guard settings.onRing != nil else { return }
        for reminder in rang {
            if held.contains(reminder.number) {
                hookless.insert(reminder.number)
            } else {
                hookless.remove(reminder.number)
                runHook(for: reminder)
            }
        }
    }

    /// What was held back is shown now.
    func runHooks(released: [Reminder]) {
        for reminder in released where hookless.remove(reminder.number) != nil {
            runHook(for: reminder)
        }
        guard hooklessIsStored else { return }
        do {
            try storeHookless(hookless)
            hooklessIsStored = !hookless.isEmpty
        } catch {
            // The next run may run them once more, which is better than never.
            Journal.error("cannot note that hooks have run: \(error)")
        }
    }

    /// After a change: runs the hooks of what nothing holds back any more.
    func runHooks(heldBackBefore changed: [Reminder]) {
        let released = changed.filter {
            hookless.contains($0.number) && !held.contains($0.number)
        }
        if !released.isEmpty { runHooks(released: released) }
    }

    // MARK: Across runs

    private static let hooklessKey = "hooks-held-back"

    /// Within the transaction of their rings: a run that ends during the hold leaves their hooks to
    /// the next one.
    func noteHookless(_ rang: [Reminder]) throws(StoreError) {
        guard !rang.isEmpty, settings.onRing != nil, let holding = hold(at: clock.now) else {
            return
        }
        hooklessIsStored = true
        try storeHookless(hookless.union(rang.filter(holding.holds).map(\.number)))
    }

    private func storeHookless(_ numbers: Set<Int64>) throws(StoreError) {
        let text = numbers.sorted().map(String.init).joined(separator: " ")
        try store.setMeta(Self.hooklessKey, numbers.isEmpty ? nil : text)
    }

    /// Hooks that the run before held back run now, unless what rings is still held back.
    func loadHookless() throws(StoreError) {
        guard let text = try store.meta(Self.hooklessKey) else { return }
        hooklessIsStored = true
        hookless = ringing.intersection(text.split(separator: " ").compactMap { Int64($0) })
        let released = hookless.subtracting(held)
        runHooks(released: ringingReminders().filter { released.contains($0.number) })
    }

    private func runHook(for reminder: Reminder) {
        guard let program = settings.onRing else { return }
        hooks.run(program, for: reminder, timetable.writer)
    }

    /// A pop-up has come onto the screen.
    func playSound() {
        guard settings.sound, let server, !server.capabilities.contains("sound") else { return }
        sound.play()
    }
}

extension Engine {
    /// Writes when a reminder will ring and why, or why it did not.
    func explain(_ reference: String, to json: inout JSONWriter) throws(APIError) {
        let reminder = try findOne(reference)
        let unwritten = unrecorded[reminder.number]
        let log = try storing {
            try Array((unwritten?.log ?? []).reversed())
                + store.log(of: reminder.number, limit: Explanation.historyLimit)
        }
        let explanation = Explanation(
            reminder: reminder, log: log, timetable: timetable, settings: settings, now: clock.now,
            hold: { self.hold(at: $0) }, hasServer: server != nil, isWritten: unwritten == nil,
            seen: unseen.contains(reminder.number)
                ? .notYet : seenLate[reminder.number].map(Explanation.Seen.late))
        json.object { json in
            json.field("lines", explanation.lines)
            json.key("reminder")
            timetable.writer.write(reminder, to: &json)
        }
    }
}
