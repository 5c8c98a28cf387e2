import Popups
import RemindCore
import Store

/// The screen: which pop-ups stand on it. One for each reminder that rings, or, when there are more
/// than `DigestAbove`, one digest for all; a digest stays one until the last of it is answered.
extension Engine {
    /// The digest's key; those of reminders are UUIDs.
    static let digestKey = "digest"

    /// Brings the screen in line with what rings.
    /// - Parameters:
    ///   - shown: reminders that have begun to ring, or ring again.
    ///   - closed: reminders whose pop-up is not wanted any more.
    ///   - together: what is shown comes as a digest, however few there are.
    func updateScreen(shown: [Reminder], closed: [Reminder], together: Bool = false) {
        guard !shown.isEmpty || !closed.isEmpty else { return }
        let holding = hold(at: clock.now)
        let visible = shown.filter { holding?.holds($0) != true }
        if visible.count < shown.count { held.formUnion(shown.map(\.number)) }
        // A nag in the instant in which a hold ends comes before that end is seen.
        held.subtract(visible.map(\.number))
        if visible.count < shown.count { watchHold(holding) }
        let wasDigest = digest != nil
        let isDigest =
            visibleCount > 0 && (wasDigest || together || visibleCount > settings.digestAbove)
        if !wasDigest { closed.forEach(takeAway) }
        switch (wasDigest, isDigest) {
        case (false, false): visible.forEach(presentOne)
        case (false, true): beginDigest()
        case (true, true): showDigest()
        case (true, false): endDigest()
        }
    }

    /// What rings and is not held back.
    var visibleCount: Int { ringing.count - held.count }

    /// What rings, in the order in which it rang.
    func ringingReminders() -> [Reminder] {
        do {
            return try whatRings()
        } catch {
            Journal.error("cannot read what rings: \(error)")
            return []
        }
    }

    /// What rang and was not answered before this run began is shown again. Pop-ups of the run before
    /// that have no place on the screen any more go: their ring was answered while they could not
    /// be taken away, or is held back or in the digest now. Once.
    func showUnanswered() throws(StoreError) {
        guard !knowsRinging else { return }
        let reminders = try store.ringing()
        ringing = Set(reminders.map(\.number))
        updateScreen(shown: reminders, closed: [])
        let visible = reminders.filter { !held.contains($0.number) }.map(\.id.text)
        let standing = digest == nil ? Set(visible) : [Self.digestKey]
        for popup in try store.popups() where !standing.contains(popup.key) {
            presenter.close(key: popup.key, earlier: ShownPopup(popup))
            closedPopups.insert(popup.key)
        }
        try loadHookless()
        knowsRinging = true
    }

    /// The pop-up is wanted on the screen, in the place of the one that stands for this reminder.
    func presentOne(_ reminder: Reminder) {
        guard let ring = reminder.alarm.ring else { return }
        var popup = PopupText(
            reminder: asRung(reminder, ring), ring: ring, timetable: timetable, settings: settings
        ).popup
        popup.earlier = shownPopup(popup.key)
        closedPopups.remove(popup.key)
        dropped.remove(popup.key)
        if serverIsAbsent, ring.rangAt >= absentSince { unseen.insert(reminder.number) }
        presented.insert(reminder.number)
        presenter.show(popup)
    }

    /// A server is there at last: what rang without one says how late it is now.
    func showUnseen() {
        let (numbers, now) = (unseen, clock.now)
        unseen = []
        guard digest == nil, !numbers.isEmpty else { return }
        for reminder in ringingReminders()
        where numbers.contains(reminder.number) && !held.contains(reminder.number) {
            guard let ring = reminder.alarm.ring else { continue }
            var text = PopupText(
                reminder: asRung(reminder, ring), ring: ring, timetable: timetable,
                settings: settings)
            text.shownAt = now
            guard now.milliseconds - ring.rangAt.milliseconds >= 1000 else { continue }
            Journal.notice("#\(reminder.number) rang while no server was there; it is shown now")
            seenLate[reminder.number] = now
            var popup = text.popup
            popup.earlier = shownPopup(popup.key)
            presenter.show(popup)
        }
    }

    /// No pop-up is wanted for this reminder any more. Called after the commit; should we end before
    /// the pop-up has gone, its record brings the next run to take it away. The record is deleted
    /// along with the next change, so that it costs no write of its own.
    private func takeAway(_ reminder: Reminder) {
        presented.remove(reminder.number)
        takeAway(key: reminder.id.text)
    }

    func takeAway(key: String) {
        presenter.close(key: key, earlier: shownPopup(key))
        closedPopups.insert(key)
        shownPopups[key] = nil
    }

    /// Within the transaction of a change.
    func forgetClosedPopups() throws(StoreError) {
        for key in closedPopups { try store.removePopup(key: key) }
    }

    /// What the run before this one had shown; the presenter knows what is still true of it.
    func shownPopup(_ key: String) -> ShownPopup? {
        if let popup = shownPopups[key] { return ShownPopup(popup) }
        do {
            return try store.popup(key: key).map(ShownPopup.init)
        } catch {
            Journal.error("cannot read which pop-up stands for ‘\(key)’: \(error)")
            return nil
        }
    }

    // MARK: The digest

    /// What stands on the screen already is merged, also what nags just now.
    func beginDigest() {
        if !presented.isEmpty {
            for reminder in ringingReminders() where presented.contains(reminder.number) {
                takeAway(reminder)
            }
        }
        presented = []
        showDigest()
    }

    /// - Parameter expanded: lists more of it.
    func showDigest(expanded: Bool = false) {
        let reminders = ringingReminders().filter { !held.contains($0.number) }
        var popup = DigestText(
            reminders: reminders, expanded: expanded, timetable: timetable, settings: settings
        ).popup
        // The same digest again would be refused by some servers, and disturb for nothing.
        guard popup != digest || expanded else { return }
        digest = popup
        digestIsExpanded = expanded
        popup.earlier = shownPopup(popup.key)
        closedPopups.remove(popup.key)
        presenter.show(popup)
    }

    private func endDigest() {
        digest = nil
        takeAway(key: Self.digestKey)
    }
}

extension ShownPopup {
    init(_ record: PopupRecord) { self.init(serverBusName: record.server, id: record.id) }
}
