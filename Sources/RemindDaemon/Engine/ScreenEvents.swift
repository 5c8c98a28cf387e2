import Popups
import RemindAPI
import RemindCore
import Store

/// What the presenter tells, and what the user did to a pop-up.
extension Engine {
    func handle(_ event: PresenterEvent) {
        if handleTest(event) { return }
        switch event {
        case .serverAppeared(let server):
            self.server = server
            serverIsAbsent = false
            // The presenter shows all that is wanted on a new server, once it is welcome.
            forgetDropped()
            setInhibited(server.isInhibited)
            Journal.info(
                "notification server: \(server.name) \(server.version) (\(server.busName))")
            showUnseen()
            presenter.welcome(server.busName)
        case .serverVanished:
            server = nil
            if !serverIsAbsent { (serverIsAbsent, absentSince) = (true, clock.now) }
            Journal.notice("no notification server; pop-ups wait for one")
        case .shown(let key, let busName, let id):
            remember(PopupRecord(key: key, server: busName, id: id))
            if silent.remove(key) == nil { playSound() }
        case .inhibitionChanged(let inhibited): setInhibited(inhibited)
        case .answered(Self.digestKey, PopupText.Action.dismiss.rawValue):
            // A click on a digest does not mean that all of it was read.
            answer(Self.digestKey, .show)
        case .answered(let key, let action): answer(key, PopupText.Action(rawValue: action))
        case .dismissed(Self.digestKey): dismissListed()
        case .dismissed(let key):
            lastDismissed = (key, ((try? reminders(of: key)) ?? []).map(\.id))
            answer(key, .dismiss)
        case .answeredAfterClose(let key, let action):
            answerDismissed(key, PopupText.Action(rawValue: action))
        case .closedUnanswered(let key, let reason): wasDropped(key, reason: reason)
        case .failed(let key, let message):
            Journal.notice("the pop-up \(key) was not shown, it will be tried again: \(message)")
        }
    }

    private func remember(_ popup: PopupRecord) {
        guard !closedPopups.contains(popup.key) else { return }
        shownPopups[popup.key] = popup
        // What else was shown is told behind it already: one transaction for all of them.
        if shownPopups.count == 1 { run { $0.storePopups() } }
    }

    /// Until then a run that takes over from a killed one would show them a second time.
    func storePopups() {
        guard !shownPopups.isEmpty else { return }
        do {
            try store.transaction {
                for popup in shownPopups.values { try store.setPopup(popup) }
            }
        } catch {
            Journal.error("cannot note which pop-ups stand on the screen: \(error)")
        }
        shownPopups = [:]
    }

    /// A button. Only the first answer to a ring counts: afterwards it does not ring any more.
    private func answer(_ key: String, _ action: PopupText.Action?) {
        guard let action else {
            return Journal.notice("an unknown button was pressed on the pop-up \(key)")
        }
        let reminders: [Reminder]
        do {
            reminders = try self.reminders(of: key)
        } catch {
            Journal.error("cannot read the reminder of the pop-up \(key): \(error)")
            return hearLater(key, action)
        }
        guard !reminders.isEmpty else { return }
        if action == .show { return showDigest(expanded: true) }
        do {
            try apply(action, to: reminders)
        } catch {
            Journal.error("the answer to the pop-up \(key) is not stored: \(error.message)")
            // The server has closed the pop-up; the ring is unanswered, so it comes back.
            key == Self.digestKey ? showDigest(expanded: true) : reminders.forEach(presentOne)
        }
    }

    private func apply(_ action: PopupText.Action, to reminders: [Reminder]) throws(APIError) {
        switch action {
        case .done: _ = try complete(reminders, series: false, origin: .popup)
        case .dismiss, .show: _ = try dismiss(reminders, origin: .popup)
        case .snooze: try snooze(reminders, for: settings.snooze)
        case .snoozeLong: try snooze(reminders, for: settings.longSnooze)
        }
    }

    /// The button that closed a pop-up, told after its closing was taken for a dismissal: it counts
    /// for what was dismissed, unless that rings anew.
    private func answerDismissed(_ key: String, _ action: PopupText.Action?) {
        guard let action, action != .dismiss, action != .show, let dismissed = lastDismissed,
            dismissed.key == key
        else { return }
        lastDismissed = nil
        do {
            let reminders = try storing {
                try dismissed.reminders.compactMap { id in try store.reminder(id: id) }
            }
            let silent = reminders.filter { $0.state == .open && $0.alarm.state != .ringing }
            if !silent.isEmpty { try apply(action, to: silent) }
        } catch {
            Journal.error("the answer to the pop-up \(key) is not stored: \(error)")
        }
    }

    /// Closing a digest answers what it listed; the next ones take their place.
    private func dismissListed() {
        guard let digest else { return }
        let listed = DigestText(
            reminders: ringingReminders().filter { !held.contains($0.number) },
            expanded: digestIsExpanded,
            timetable: timetable, settings: settings
        ).listed
        lastDismissed = (Self.digestKey, listed.map(\.id))
        do {
            _ = try dismiss(Array(listed), origin: .popup)
        } catch {
            Journal.error("the closing of the digest is not stored: \(error.message)")
        }
        if self.digest == digest { showDigest(expanded: true) }
    }

    private func snooze(_ reminders: [Reminder], for duration: CalendarDuration) throws(APIError) {
        let until = timetable.instant(duration, after: clock.now)
        _ = try snooze(reminders, until: until, origin: .popup)
    }

    /// What rings under a pop-up's key.
    func reminders(of key: String) throws(StoreError) -> [Reminder] {
        if key == Self.digestKey {
            return digest == nil ? [] : ringingReminders().filter { !held.contains($0.number) }
        }
        guard let id = UUIDv7(text: key) else { return [] }
        if let shown = unrecorded.values.first(where: { $0.reminder.id == id }) {
            return [shown.reminder]
        }
        return try store.reminder(id: id).map { $0.alarm.state == .ringing ? [$0] : [] } ?? []
    }

    /// The server has closed the pop-up, and its reminder still rings: the answer must not be lost.
    private func hearLater(_ key: String, _ action: PopupText.Action) {
        unheard.append((key, action))
        setTimer(Self.answersKey, at: clock.now.advanced(byMilliseconds: Self.retryDelay))
        arm()
    }

    func hearAnswers() {
        let answers = unheard
        unheard = []
        for (key, action) in answers { answer(key, action) }
    }
}
