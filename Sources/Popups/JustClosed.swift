/// Pop-ups that have gone without an answer which may still come: awesome, and others, say that a
/// pop-up has closed before they say which of its buttons closed it.
struct JustClosed {
    private struct Entry {
        let key: String
        let actions: [PopupAction]
        let isDismissed: Bool
    }

    private var entries: [UInt32: Entry] = [:]

    /// - Parameter reason: of `NotificationClosed`.
    mutating func keep(_ id: UInt32, _ popup: Popup, reason: UInt32) {
        entries[id] = Entry(key: popup.key, actions: popup.actions, isDismissed: reason == 2)
    }

    /// Some time after its closing an id may belong to a pop-up of another program.
    mutating func forget(_ id: UInt32) { entries[id] = nil }

    /// The key of the pop-up that had this id.
    func key(of id: UInt32) -> String? { entries[id]?.key }

    /// A button of it; only the first counts.
    mutating func answer(_ id: UInt32, _ action: String) -> [PresenterEvent] {
        guard let entry = entries[id], entry.actions.contains(where: { $0.key == action }) else {
            return []
        }
        entries[id] = nil
        return entry.isDismissed
            ? [.answeredAfterClose(key: entry.key, action: action)]
            : [.answered(key: entry.key, action: action)]
    }
}
