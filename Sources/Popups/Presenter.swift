/// A notification server as it describes itself (`GetServerInformation`, `GetCapabilities`).
package struct ServerInfo: Sendable, Equatable {
    /// The name of this run of the server, the one that ``ShownPopup`` keeps.
    package var busName: String
    package var name: String
    package var vendor: String
    package var version: String
    package var specVersion: String
    package var capabilities: Set<String>
    /// Nobody wants to be disturbed now (the server's property `Inhibited`, which KDE Plasma has).
    package var isInhibited: Bool

    package init(
        busName: String, name: String = "", vendor: String = "", version: String = "",
        specVersion: String = "", capabilities: Set<String> = [], isInhibited: Bool = false
    ) {
        self.busName = busName
        self.name = name
        self.vendor = vendor
        self.version = version
        self.specVersion = specVersion
        self.capabilities = capabilities
        self.isInhibited = isInhibited
    }
}

/// What a presenter has to tell. For one key the events come in the order in which they happened.
package enum PresenterEvent: Sendable, Equatable {
    /// A notification server is there and has told what it can do; ids of earlier servers are void.
    case serverAppeared(ServerInfo)
    /// No notification server is there (also told at the start), or no bus. Pop-ups wait.
    case serverVanished
    /// The server's “do not disturb” has begun or ended. What does not pass it is not shown meanwhile.
    case inhibitionChanged(Bool)
    /// The pop-up is on the screen under this id; told before any answer to it.
    case shown(key: String, serverBusName: String, id: UInt32)
    /// A button of the pop-up was pressed: at most one answer a showing.
    case answered(key: String, action: String)
    /// The user closed the pop-up without a button (reason 2).
    case dismissed(key: String)
    /// A button of a pop-up that was told as dismissed just before: awesome, and others, say that a
    /// pop-up has closed before they say which of its buttons closed it.
    case answeredAfterClose(key: String, action: String)
    /// The server took the pop-up away: expired (1), by a call that was not ours (3), undefined (4).
    /// Not an answer. It is not shown again until the next `show` or the next server.
    case closedUnanswered(key: String, reason: UInt32)
    /// The server refused the pop-up or did not answer; it is tried again, at most once a second
    /// and at least once a minute, while it is wanted and the server is there.
    case failed(key: String, message: String)
}

/// How things stand between a presenter and the desktop.
package struct PresenterReport: Sendable, Equatable {
    /// Whether it is on a session bus.
    package var isConnected: Bool
    /// The server on the bus, also one that has not answered yet.
    package var serverBusName: String?
    /// Pop-ups that the server refused and that wait to be tried again.
    package var refused: Int

    package init(isConnected: Bool, serverBusName: String? = nil, refused: Int = 0) {
        (self.isConnected, self.serverBusName) = (isConnected, serverBusName)
        self.refused = refused
    }
}

/// Puts pop-ups before the user and tells what became of them.
///
/// `show` and `close` describe a wanted state, return at once, and may be called on any thread. What
/// is wanted waits while no server is there, and is shown again when another server takes over.
package protocol Presenter: Sendable {
    /// Begins; called once. The handler runs on the presenter's own thread and must return soon.
    func start(_ handler: @escaping @Sendable (PresenterEvent) -> Void)
    /// What is wanted is as the server that has appeared under this name is to get it; it gets nothing
    /// before.
    func welcome(_ serverBusName: String)
    /// Wants this pop-up on the screen, in the place of the one with the same key.
    func show(_ popup: Popup)
    /// Wants no pop-up with this key, also not the one that an earlier run of the program had shown.
    func close(key: String, earlier: ShownPopup?)
    /// Has `completion` told how things stand, on the presenter's own thread.
    func report(_ completion: @escaping @Sendable (PresenterReport) -> Void)
    /// Ends; no event comes afterwards. Pop-ups stay on the screen.
    func stop()
}
