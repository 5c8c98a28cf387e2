import Popups
import RemindAPI
import RemindCore
import Store

/// The screen: which pop-ups stand on it, and what the user did to them.
extension Engine {
    /// The pop-up is wanted on the screen, in the place of the one that stands for this reminder.
    func present(_ reminder: Reminder) {
        guard let ring = reminder.alarm.ring else { return }
        var popup = PopupText(
            reminder: reminder, ring: ring, timetable: timetable, settings: settings
        )
        .popup
        popup.earlier = shownPopup(of: reminder)
        closedPopups.remove(popup.key)
        presenter.show(popup)
    }

    /// No pop-up is wanted for this reminder any more. Called after the commit; should we end before
    /// the pop-up has gone, its record brings the next run to take it away. The record is deleted
    /// along with the next change, so that it costs no write of its own.
    func takeAway(_ reminder: Reminder) {
        let key = reminder.id.text
        presenter.close(key: key, earlier: shownPopup(of: reminder))
        closedPopups.insert(key)
    }

    /// Within the transaction of a change.
    func forgetClosedPopups() throws(StoreError) {
        for key in closedPopups { try store.removePopup(key: key) }
    }

    /// What the run before this one had shown; the presenter knows what is still true of it.
    private func shownPopup(of reminder: Reminder) -> ShownPopup? {
        do {
            return try store.popup(key: reminder.id.text).map(ShownPopup.init)
        } catch {
            Log.error("cannot read which pop-up stands for #\(reminder.number): \(error)")
            return nil
        }
    }

    /// What rang and was not answered before this run began is shown again; a pop-up whose ring was
    /// answered while it could not be taken away goes.
    func showUnanswered() throws(StoreError) {
        let ringing = try store.ringing()
        let wanted = Set(ringing.map(\.id.text))
        for popup in try store.popups() where !wanted.contains(popup.key) {
            presenter.close(key: popup.key, earlier: ShownPopup(popup))
            closedPopups.insert(popup.key)
        }
        ringing.forEach(present)
    }

    /// What the presenter tells.
    func handle(_ event: PresenterEvent) {
        switch event {
        case .serverAppeared(let server):
            self.server = server
            Log.info("notification server: \(server.name) \(server.version) (\(server.busName))")
        case .serverVanished:
            server = nil
            Log.notice("no notification server; pop-ups wait for one")
        case .shown(let key, let busName, let id):
            remember(ShownPopup(serverBusName: busName, id: id), key: key)
        case .answered(let key, let action):
            answer(key: key, action: PopupText.Action(rawValue: action))
        case .dismissed(let key): answer(key: key, action: .dismiss)
        case .closedUnanswered(let key, let reason):
            Log.info("the pop-up \(key) went unanswered (reason \(reason)); it still rings")
        case .failed(let key, let message):
            Log.notice("the pop-up \(key) was not shown, it will be tried again: \(message)")
        }
    }

    private func remember(_ shown: ShownPopup, key: String) {
        withRinging(key) { reminder throws(StoreError) in
            try store.setPopup(PopupRecord(key: key, server: shown.serverBusName, id: shown.id))
        }
    }

    /// A button. Only the first answer to a ring counts: afterwards it does not ring any more.
    private func answer(key: String, action: PopupText.Action?) {
        guard let action else {
            Log.notice("an unknown button was pressed on the pop-up \(key)")
            return
        }
        withRinging(key) { reminder in
            do {
                switch action {
                case .done: _ = try complete([reminder], series: false, origin: .popup)
                case .dismiss: _ = try dismiss([reminder], origin: .popup)
                case .snooze: try snooze(reminder, for: settings.snooze)
                case .snoozeLong: try snooze(reminder, for: settings.longSnooze)
                }
            } catch {
                Log.error("the answer to #\(reminder.number) is not stored: \(error)")
                // The server has closed the pop-up; the ring is unanswered, so it comes back.
                present(reminder)
            }
        }
    }

    private func snooze(_ reminder: Reminder, for duration: CalendarDuration) throws(APIError) {
        let until = timetable.instant(duration, after: clock.now)
        _ = try snooze([reminder], until: until, origin: .popup)
    }

    private func withRinging(_ key: String, _ body: (Reminder) throws(StoreError) -> Void) {
        do {
            guard let id = UUIDv7(text: key), let reminder = try store.reminder(id: id),
                reminder.alarm.state == .ringing
            else { return }
            try body(reminder)
        } catch {
            Log.error("cannot read or write the reminder of the pop-up \(key): \(error)")
        }
    }
}

extension ShownPopup {
    init(_ record: PopupRecord) { self.init(serverBusName: record.server, id: record.id) }
}
