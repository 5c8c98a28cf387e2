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
                runHook(for: reminder)
            }
        }
    }

    /// What was held back is shown now.
    func runHooks(released: [Reminder]) {
        for reminder in released where hookless.remove(reminder.number) != nil {
            runHook(for: reminder)
        }
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
        let log = try storing {
            try store.log(of: reminder.number, limit: Explanation.historyLimit)
        }
        let explanation = Explanation(
            reminder: reminder, log: log, timetable: timetable, settings: settings, now: clock.now,
            hold: { self.hold(at: $0) }, hasServer: server != nil)
        json.object { json in
            json.field("lines", explanation.lines)
            json.key("reminder")
            timetable.writer.write(reminder, to: &json)
        }
    }
}
