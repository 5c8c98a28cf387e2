/// A button of a pop-up.
package struct PopupAction: Sendable, Equatable {
    /// What comes back in ``PresenterEvent/answered(key:action:)``. `default` is the pop-up itself.
    package var key: String
    /// What the person reads; never looked at when the answer comes back.
    package var label: String

    package init(key: String, label: String) {
        self.key = key
        self.label = label
    }
}

/// How loudly a pop-up speaks (Desktop Notifications Specification, “Urgency Levels”).
package enum PopupUrgency: UInt8, Sendable, Equatable {
    case low = 0
    case normal = 1
    case critical = 2
}

/// A pop-up that stands, or once stood, on a notification server.
package struct ShownPopup: Sendable, Equatable {
    /// Names one run of one server, to which the id belongs: its unique name on the bus and the id of
    /// that bus, where unique names begin anew (`:1.42@8f3c…`). To be kept as it is.
    package var serverBusName: String
    /// The id that this server gave.
    package var id: UInt32

    package init(serverBusName: String, id: UInt32) {
        self.serverBusName = serverBusName
        self.id = id
    }
}

/// What a pop-up says, in plain text: making it fit for the server is the presenter's work.
package struct Popup: Sendable, Equatable {
    /// Names the pop-up: one key has at most one pop-up on the screen. The task's UUID.
    package var key: String
    /// One line; line breaks in it become blanks.
    package var summary: String
    /// Any number of lines, never markup.
    package var body: String
    package var urgency: PopupUrgency
    /// The buttons in their order; left out when the server shows none.
    package var actions: [PopupAction]
    /// A last line of the body that stands in for the buttons on a server without them.
    package var fallbackHint: String?
    /// A name of the freedesktop sound theme, such as `alarm-clock-elapsed`.
    package var soundName: String?
    /// A category of the specification, such as `x-reminder.due`.
    package var category: String?
    /// The name of an icon, for servers that do not take it from the desktop file.
    package var icon: String?
    /// The name of the desktop file without `.desktop`.
    package var desktopEntry: String?
    /// How long it may stand before the server may take it away, in milliseconds; `nil`: for ever.
    package var timeout: Int64?
    /// Shown also while the server says that nobody wants to be disturbed; others wait for the end.
    package var passesInhibition: Bool
    /// What an earlier run of the program had shown for this key: replaced when its server still runs.
    package var earlier: ShownPopup?

    package init(
        key: String, summary: String, body: String = "", urgency: PopupUrgency = .normal,
        actions: [PopupAction] = [], fallbackHint: String? = nil, soundName: String? = nil,
        category: String? = nil, icon: String? = nil, desktopEntry: String? = nil,
        timeout: Int64? = nil, passesInhibition: Bool = false, earlier: ShownPopup? = nil
    ) {
        self.key = key
        self.summary = summary
        self.body = body
        self.urgency = urgency
        self.actions = actions
        self.fallbackHint = fallbackHint
        self.soundName = soundName
        self.category = category
        self.icon = icon
        self.desktopEntry = desktopEntry
        self.timeout = timeout
        self.passesInhibition = passesInhibition
        self.earlier = earlier
    }
}
