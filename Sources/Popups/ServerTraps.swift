/// What servers do otherwise than their capabilities tell, by the name that they give
/// (`GetServerInformation`); each was seen on the real server by `make test-desktops`.
struct ServerTraps: Equatable {
    /// `CloseNotification` is answered and leaves the pop-up on the screen: notification-daemon
    /// 3.20, whose queue knows no way to withdraw what it shows. A pop-up that expires does go.
    var keepsClosedPopups = false
    /// The default action is a button, or a line of a menu, of its own: xfce4-notifyd and dunst.
    var showsDefaultAction = false
    /// How many columns of a summary are shown; what is longer ends in ‘…’ and can be read nowhere:
    /// one line on GNOME Shell and xfce4-notifyd, three on Plasma.
    var summaryRoom: Int?

    init() {}

    /// - Parameter server: what it calls itself.
    init(of server: String) {
        switch server {
        case "Notification Daemon": keepsClosedPopups = true
        case "Xfce Notify Daemon": (showsDefaultAction, summaryRoom) = (true, 44)
        case "dunst": showsDefaultAction = true
        case "gnome-shell": summaryRoom = 44
        case "Plasma": summaryRoom = 90
        default: break
        }
    }

    /// The pop-up as this server is to get it: a title that it would cut stands whole in the body, and
    /// two buttons that read the same are one.
    ///
    /// - Complexity: linear in the lengths of the summary and the body.
    func adapted(_ popup: Popup) -> Popup {
        var popup = popup
        if isCut(popup.summary) {
            popup.body = popup.summary + (popup.body.isEmpty ? "" : "\n") + popup.body
        }
        if showsDefaultAction,
            let label = popup.actions.first(where: { $0.key == "default" })?.label
        {
            popup.actions.removeAll { $0.key != "default" && $0.label == label }
        }
        return popup
    }

    private func isCut(_ summary: String) -> Bool {
        if let summaryRoom, Self.columns(summary) > summaryRoom { return true }
        return summary.count > PopupText.summaryLimit
    }

    /// How wide a text is: the characters of East Asia, from the radicals on, take two columns.
    private static func columns(_ text: String) -> Int {
        text.reduce(0) { $0 + ($1 >= "\u{2E80}" ? 2 : 1) }
    }
}
