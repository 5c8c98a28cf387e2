import CNotify

/// Keeps the pop-ups that are wanted on the notification server of the session bus, whichever that is.
///
/// Lives on the GLib thread. This file follows the bus and the server; what is said to the server is
/// in `Desk+Calls.swift`, what is decided in ``PopupBook``.
actor Desk {
    nonisolated let thread: GLibThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    let libnotify: Libnotify
    let lateReplies = LateReplies()
    let cancellable = Cancellable()
    let tell: @Sendable (PresenterEvent) -> Void
    var book = PopupBook()
    /// What the server that can be called said it can do.
    var capabilities: Set<String> = []
    /// What that server does otherwise.
    var traps = ServerTraps()
    var connection: Handle?
    /// The unique name of the server on the bus, also before it has answered.
    var owner: String?
    /// The server that was told and has not been welcomed.
    var arrived: String?
    var callBackoff = Backoff()
    var isRetryArmed = false
    private var busBackoff = Backoff()
    private var startBackoff = Backoff()
    private var isStartArmed = false
    private(set) var isStopped = false
    /// C holds this object without counting; it lives until `stop`.
    private var itself: Desk?
    private var hasToldAbsence = false
    private var watch: guint = 0
    private var closedHandler: gulong = 0
    private var filter: guint = 0
    private var subscriptions: [guint] = []

    /// - Parameter tell: called on the GLib thread.
    init(appName: String, tell: @escaping @Sendable (PresenterEvent) -> Void) {
        let thread = GLibThread()
        self.thread = thread
        self.tell = tell
        libnotify = Libnotify(appName: appName, thread: thread)
    }

    /// Runs `work` on the GLib thread, after what was posted before.
    nonisolated func post(_ work: @escaping @Sendable (isolated Desk) -> Void) {
        thread.post { self.assumeIsolated { work($0) } }
    }

    /// Runs `work` on the GLib thread when `seconds` have passed.
    nonisolated func after(seconds: UInt32, _ work: @escaping @Sendable (isolated Desk) -> Void) {
        thread.after(seconds: seconds) { self.assumeIsolated { if !$0.isStopped { work($0) } } }
    }

    // MARK: The bus

    /// Connects to the session bus, now or as soon as there is one.
    func connect() {
        guard !isStopped, connection == nil else { return }
        itself = self
        guard Self.hasBusAddress, libnotify.close() else { return connectLater() }
        let box = Unmanaged.passRetained(self).toOpaque()
        g_bus_get(G_BUS_TYPE_SESSION, nil, busConnected, box)
    }

    /// Whether it is known where the bus is. GLib would otherwise start one of its own.
    private static var hasBusAddress: Bool {
        if g_getenv("DBUS_SESSION_BUS_ADDRESS") != nil { return true }
        let path = String(cString: g_get_user_runtime_dir()) + "/bus"
        return g_file_test(path, G_FILE_TEST_EXISTS) != 0
    }

    private func connectLater() {
        tellAbsence()
        after(seconds: busBackoff.next()) { $0.connect() }
    }

    func connected(_ new: Handle?) {
        guard let new else { return connectLater() }
        guard !isStopped, g_dbus_connection_is_closed(new.pointer) == 0 else {
            g_object_unref(UnsafeMutableRawPointer(new.pointer))
            return connectLater()
        }
        busBackoff = Backoff()
        connection = new
        g_dbus_connection_set_exit_on_close(new.pointer, 0)
        let data = Unmanaged.passUnretained(self).toOpaque()
        closedHandler = remindd_on_closed(new.pointer, busClosed, data)
        filter = lateReplies.watch(new)
        watch = g_bus_watch_name_on_connection(
            new.pointer, BusCall.notifications, G_BUS_NAME_WATCHER_FLAGS_NONE, serverAppeared,
            serverVanished, data, nil)
    }

    func disconnected() {
        guard !isStopped else { return }
        serverIsGone()
        release()
        connectLater()
    }

    private func release() {
        guard let connection else { return }
        if watch != 0 { g_bus_unwatch_name(watch) }
        watch = 0
        g_dbus_connection_remove_filter(connection.pointer, filter)
        g_signal_handler_disconnect(UnsafeMutableRawPointer(connection.pointer), closedHandler)
        lateReplies.forget()
        g_object_unref(UnsafeMutableRawPointer(connection.pointer))
        self.connection = nil
    }

    /// Lets everything go. The thread ends when the calls of libnotify have come back.
    func stop() {
        isStopped = true
        cancellable.cancel()
        unsubscribe()
        release()
        endWhenIdle()
    }

    /// Ends the thread, once stopped, as soon as libnotify can be let go.
    func endWhenIdle() {
        guard isStopped, libnotify.close() else { return }
        libnotify.end()
        thread.quit()
        itself = nil
    }

    // MARK: The server

    func ownerAppeared(_ busName: String) {
        guard let connection, !isStopped else { return }
        unsubscribe()
        owner = busName
        book.isInhibited = false
        startBackoff = Backoff()
        subscribe(to: BusCall.notifications, of: busName, on: connection)
        subscribe(to: BusCall.properties, of: busName, on: connection)
        ask(busName, Backoff())
    }

    /// The sender is filtered by GDBus: nobody else can press our buttons.
    private func subscribe(to interface: String, of busName: String, on connection: Handle) {
        let subscription = g_dbus_connection_signal_subscribe(
            connection.pointer, busName, interface, nil, BusCall.notificationsPath, nil,
            G_DBUS_SIGNAL_FLAGS_NONE, signalArrived, Unmanaged.passUnretained(self).toOpaque(), nil)
        subscriptions.append(subscription)
    }

    func ownerVanished() {
        guard connection != nil, !isStopped else { return }
        serverIsGone()
        startServerSoon()
    }

    private func serverIsGone() {
        unsubscribe()
        owner = nil
        arrived = nil
        book.serverGone()
        tellAbsence()
    }

    private func tellAbsence() {
        if !hasToldAbsence { tell(.serverVanished) }
        hasToldAbsence = true
    }

    private func unsubscribe() {
        for subscription in subscriptions {
            guard let connection else { break }
            g_dbus_connection_signal_unsubscribe(connection.pointer, subscription)
        }
        subscriptions = []
    }

    /// Asks a new server who it is and what it can do; it is called only when it has answered.
    private func ask(_ busName: String, _ backoff: Backoff) {
        guard let connection, owner == busName else { return }
        BusCall.server(busName, "GetServerInformation").send(on: connection, until: cancellable) {
            about in
            self.assumeIsolated { $0.askCapabilities(busName, about, backoff) }
        }
    }

    private func askCapabilities(
        _ busName: String, _ about: Result<Reply, BusError>, _ backoff: Backoff
    ) {
        guard let connection, owner == busName else { return }
        BusCall.server(busName, "GetCapabilities").send(on: connection, until: cancellable) {
            reply in
            self.assumeIsolated { desk in
                guard desk.owner == busName, !desk.isStopped else { return }
                var backoff = backoff
                let next = backoff.next()
                // One that says who it is, and twice not what it can do, can do nothing but show.
                let capabilities = (try? reply.get()) ?? (next > 1 ? Reply(nil) : nil)
                if case .success(let about) = about, let capabilities {
                    let info = ServerInfo(busName: busName, about: about, capabilities)
                    return desk.askInhibited(busName) { $0.serverAnswered(info) }
                }
                desk.after(seconds: next) { [backoff] in $0.ask(busName, backoff) }
            }
        }
    }

    func serverAnswered(_ info: ServerInfo) {
        capabilities = info.capabilities
        traps = ServerTraps(of: info.name)
        callBackoff = Backoff()
        let name = durableName(info.busName)
        arrived = name
        var told = info
        (told.busName, told.isInhibited) = (name, book.isInhibited)
        hasToldAbsence = false
        tell(.serverAppeared(told))
    }

    /// What waited for the server is up to date: what rang long ago says so.
    func welcome(_ name: String) {
        guard arrived == name else { return }
        arrived = nil
        book.serverReady(name)
        send()
    }

    /// Unique names begin anew with each bus, so a name that is stored is told with its bus's own id.
    private func durableName(_ busName: String) -> String {
        guard let connection, let bus = g_dbus_connection_get_guid(connection.pointer) else {
            return busName
        }
        return busName + "@" + String(cString: bus)
    }

    /// Has the bus start a server, where it knows one, when none comes by itself: the desktop's own
    /// gets a moment to take the name.
    func startServerSoon() {
        guard book.isWaiting, owner == nil, connection != nil, !isStartArmed else { return }
        isStartArmed = true
        after(seconds: max(5, startBackoff.next())) { $0.startServer() }
    }

    private func startServer() {
        isStartArmed = false
        guard let connection, owner == nil, book.isWaiting else { return }
        let arguments = [g_variant_new_string(BusCall.notifications), g_variant_new_uint32(0)]
        let tuple = g_variant_new_tuple(arguments, gsize(arguments.count))
        BusCall.bus("StartServiceByName").send(on: connection, tuple, until: cancellable) { reply in
            self.assumeIsolated { desk in
                guard case .failure(let error) = reply, !desk.isStopped else { return }
                if error.name != "org.freedesktop.DBus.Error.ServiceUnknown" {
                    desk.startServerSoon()
                }
            }
        }
    }
}

/// How long to wait before the next attempt: one second, then ever longer, a minute at most.
struct Backoff: Sendable {
    private var seconds: UInt32 = 1

    mutating func next() -> UInt32 {
        defer { seconds = min(seconds * 2, 60) }
        return seconds
    }
}

extension ServerInfo {
    fileprivate init(busName: String, about: Reply, _ capabilities: Reply) {
        let texts = about.values.map { value in
            if case .text(let text) = value { text } else { "" }
        }
        var about = texts[...]
        self.init(
            busName: busName, name: about.popFirst() ?? "", vendor: about.popFirst() ?? "",
            version: about.popFirst() ?? "", specVersion: about.popFirst() ?? "")
        if case .texts(let names)? = capabilities.values.first { self.capabilities = Set(names) }
    }
}
