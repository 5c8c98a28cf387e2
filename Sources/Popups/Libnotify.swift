import CNotify

/// libnotify, which keeps one connection and one list of notifications for the whole process.
///
/// All of it happens on the GLib thread but `notify_notification_show`, which blocks until the server
/// has answered (25 seconds at most) and so runs on a few threads of its own. Every showing has a
/// `NotifyNotification` of its own, thrown away afterwards: what libnotify does on its own with
/// signals is not needed, and closing goes by `CloseNotification` without waiting.
///
/// libnotify's proxy asks the server who it is when it is made, and later versions than Debian 12's
/// ask each new server again: the GLib thread may wait for that, nothing else does.
final class Libnotify {
    /// What became of a `Notify`.
    enum Outcome: Sendable {
        case shown(UInt32)
        case refused(BusError)
        /// libnotify has stopped waiting for the reply to the message with this serial number.
        case unanswered(serial: UInt32)
    }

    /// More than one server's worth of calls: those to a server that hangs must not hold up the next.
    private static let threadLimit: gint = 3 * gint(PopupBook.callLimit)

    private let appName: String
    private let thread: GLibThread
    private let pool: UnsafeMutablePointer<GThreadPool>?
    private var isOpen = false
    /// Calls that have not come back.
    private(set) var callsUnderWay = 0

    init(appName: String, thread: GLibThread) {
        self.appName = appName
        self.thread = thread
        pool = g_thread_pool_new(showOnPool, nil, Self.threadLimit, 0, nil)
    }

    /// Lets libnotify make its proxy on this thread, which asks the server who it is. To be called
    /// when the server has shown that it answers.
    func open() -> Bool {
        if isOpen { return true }
        guard notify_init(appName) != 0 else { return false }
        isOpen = notify_get_server_info(nil, nil, nil, nil) != 0
        return isOpen
    }

    /// Gives up the proxy, and with it the connection, unless calls are under way on them.
    /// - Returns: whether it did.
    func close() -> Bool {
        guard callsUnderWay == 0 else { return false }
        if isOpen { notify_uninit() }
        isOpen = false
        return true
    }

    /// Sends a pop-up; `completion` comes on the GLib thread. Only while open.
    func show(
        _ text: FittedPopup, of popup: Popup, replacing id: UInt32, on connection: Handle,
        _ completion: @escaping @Sendable (Outcome) -> Void
    ) {
        callsUnderWay += 1
        guard let notification = notification(text, of: popup, replacing: id) else {
            return completion(.refused(BusError(taking: nil)))
        }
        let job = Unmanaged.passRetained(
            ShowJob(notification, connection, thread, completion)
        ).toOpaque()
        remindd_hand_over(job)
        g_thread_pool_push(pool, job, nil)
    }

    /// To be called in each completion.
    func callFinished() { callsUnderWay -= 1 }

    /// Ends the threads as they come back.
    func end() { g_thread_pool_free(pool, 1, 0) }

    private func notification(
        _ text: FittedPopup, of popup: Popup, replacing id: UInt32
    ) -> UnsafeMutablePointer<NotifyNotification>? {
        // libnotify keeps the id as a signed number.
        let id = id <= UInt32(Int32.max) ? id : 0
        let notification = remindd_notification_new(
            text.summary, text.body, popup.icon, id)
        let timeout = popup.timeout.map { Int32(clamping: $0) } ?? NOTIFY_EXPIRES_NEVER
        notify_notification_set_timeout(notification, timeout)
        let urgency = NotifyUrgency(UInt32(popup.urgency.rawValue))
        notify_notification_set_urgency(notification, urgency)
        let hints = [
            "desktop-entry": popup.desktopEntry, "category": popup.category,
            "sound-name": popup.soundName,
            // dunst and mako replace what has the same tag, also where nobody knows its id any more:
            // that of a daemon which was killed before it could store it.
            "x-dunst-stack-tag": popup.key,
        ]
        for case (let name, let value?) in hints {
            let value = g_variant_new_string(PopupText.plain(value))
            notify_notification_set_hint(notification, name, value)
        }
        for action in text.actions {
            notify_notification_add_action(
                notification, action.key, action.label, ignoreAction, nil, nil)
        }
        return notification
    }
}

/// One call of `notify_notification_show`. The notification belongs to one thread at a time: the
/// GLib thread makes it, a thread of the pool sends it, the GLib thread throws it away.
private final class ShowJob: @unchecked Sendable {
    private let notification: UnsafeMutablePointer<NotifyNotification>
    private let connection: Handle
    private let thread: GLibThread
    private let completion: @Sendable (Libnotify.Outcome) -> Void

    init(
        _ notification: UnsafeMutablePointer<NotifyNotification>, _ connection: Handle,
        _ thread: GLibThread, _ completion: @escaping @Sendable (Libnotify.Outcome) -> Void
    ) {
        self.notification = notification
        self.connection = connection
        self.thread = thread
        self.completion = completion
        g_object_ref(UnsafeMutableRawPointer(connection.pointer))
    }

    func run() {
        let outcome = show()
        thread.post { [self] in
            g_object_unref(notification)
            g_object_unref(UnsafeMutableRawPointer(connection.pointer))
            completion(outcome)
        }
    }

    private func show() -> Libnotify.Outcome {
        var error: UnsafeMutablePointer<GError>?
        guard notify_notification_show(notification, &error) != 0 else {
            let serial = g_dbus_connection_get_last_serial(connection.pointer)
            let error = BusError(taking: error)
            return error.isTimeout ? .unanswered(serial: serial) : .refused(error)
        }
        return .shown(remindd_notification_id(notification))
    }
}

private nonisolated func showOnPool(_ job: UnsafeMutableRawPointer?, _: UnsafeMutableRawPointer?) {
    guard let job else { return }
    remindd_take_over(job)
    Unmanaged<ShowJob>.fromOpaque(job).takeRetainedValue().run()
}

/// libnotify wants a callback for each button; the answers come by ``Desk``'s own subscription.
private nonisolated func ignoreAction(
    _: UnsafeMutablePointer<NotifyNotification>?, _: UnsafeMutablePointer<CChar>?,
    _: UnsafeMutableRawPointer?
) {}
