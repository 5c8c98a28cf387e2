import Synchronization

/// Shows pop-ups on the desktop: libnotify on a GLib thread of its own.
///
/// One at a time in a process, for libnotify and the session bus connection are the process's.
package final class DesktopPresenter: Presenter {
    private let desk: Desk
    private let handler: Handler

    /// - Parameter appName: the name under which the server lists the pop-ups.
    package init(appName: String = "Reminders") {
        let handler = Handler()
        self.handler = handler
        desk = Desk(appName: appName) { handler.tell($0) }
    }

    package func start(_ handler: @escaping @Sendable (PresenterEvent) -> Void) {
        self.handler.set(handler)
        desk.thread.start()
        desk.post { $0.connect() }
    }

    package func welcome(_ serverBusName: String) {
        desk.post { $0.welcome(serverBusName) }
    }

    package func show(_ popup: Popup) {
        desk.post { $0.show(popup) }
    }

    package func close(key: String, earlier: ShownPopup?) {
        desk.post { $0.close(key: key, earlier: earlier) }
    }

    package func report(_ completion: @escaping @Sendable (PresenterReport) -> Void) {
        desk.post { desk in
            completion(
                PresenterReport(
                    isConnected: desk.connection != nil, serverBusName: desk.owner,
                    refused: desk.book.refusedCount))
        }
    }

    package func stop() {
        handler.set(nil)
        desk.post { $0.stop() }
    }

    /// Waits until nothing of it runs any more, after `stop`: up to 25 seconds with a server that
    /// hangs. Only needed before another presenter starts in the same process. Not in the handler.
    package func join() { desk.thread.join() }
}

/// Where the events go.
private final class Handler: Sendable {
    private let function = Mutex<(@Sendable (PresenterEvent) -> Void)?>(nil)

    func set(_ new: (@Sendable (PresenterEvent) -> Void)?) { function.withLock { $0 = new } }

    func tell(_ event: PresenterEvent) {
        let function = function.withLock { $0 }
        function?(event)
    }
}
