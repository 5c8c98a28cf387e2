/// Shows pop-ups on the desktop through libnotify.
package final class DesktopPresenter: Presenter {
    /// - Parameter appName: the name under which the server lists the pop-ups.
    package init(appName: String = "Reminders") {
        self.appName = appName
    }

    private let appName: String

    package func start(_ handler: @escaping @Sendable (PresenterEvent) -> Void) {}
    package func show(_ popup: Popup) {}
    package func close(key: String, earlier: ShownPopup?) {}
    package func stop() {}
}
