extension PopupBook {
    /// Whether pop-ups that the server refused wait for ``retry()``.
    var hasRefused: Bool { refusedCount > 0 }

    /// What to send to the server.
    enum Command: Equatable {
        /// `Notify` with `replaces_id` (0: a new pop-up).
        case show(Ticket, Popup, replacing: UInt32)
        /// `CloseNotification`.
        case close(UInt32)
    }

    /// What came of a `Notify`.
    enum Outcome: Equatable {
        case shown(UInt32)
        case refused(String)
    }
}
