import CNotify

/// A reference-counted GLib object on its way between threads: GDBus connections and variants may be
/// used on any thread.
struct Handle: @unchecked Sendable {
    let pointer: OpaquePointer

    init?(_ pointer: OpaquePointer?) {
        guard let pointer else { return nil }
        self.pointer = pointer
    }
}

/// What went wrong on the bus.
struct BusError: Error, Equatable {
    /// The D-Bus error name, such as `org.freedesktop.DBus.Error.ServiceUnknown`, where there is one.
    var name: String?
    var message: String
    /// The time limit passed without a reply; the reply may still come.
    var isTimeout = false

    /// Takes the error over and frees it.
    init(taking error: UnsafeMutablePointer<GError>?) {
        guard let error else {
            self.message = "unknown error"
            return
        }
        isTimeout = remindd_error_is_timeout(error) != 0
        if let remote = g_dbus_error_get_remote_error(error) {
            name = String(cString: remote)
            g_free(remote)
        }
        g_dbus_error_strip_remote_error(error)
        message = error.pointee.message.map { String(cString: $0) } ?? "unknown error"
        g_error_free(error)
    }
}

/// Ends calls that are under way (`GCancellable`).
final class Cancellable: @unchecked Sendable {
    let pointer = g_cancellable_new()

    deinit { g_object_unref(pointer) }

    func cancel() { g_cancellable_cancel(pointer) }
}

/// A method call that no thread waits for.
struct BusCall {
    /// The well-known name of the notification server, and its only object and interface.
    static let notifications = "org.freedesktop.Notifications"
    static let notificationsPath = "/org/freedesktop/Notifications"
    /// The interface under which every object hands out its properties.
    static let properties = "org.freedesktop.DBus.Properties"

    var destination: String
    var path: String
    var interface: String
    var method: String

    /// A method of the notification server with this unique name.
    static func server(_ busName: String, _ method: String) -> BusCall {
        BusCall(
            destination: busName, path: notificationsPath, interface: notifications, method: method)
    }

    /// Reads a property of the notification server with this unique name.
    static func getProperty(of busName: String) -> BusCall {
        BusCall(
            destination: busName, path: notificationsPath, interface: properties, method: "Get")
    }

    /// A method of the bus itself.
    static func bus(_ method: String) -> BusCall {
        BusCall(
            destination: "org.freedesktop.DBus", path: "/org/freedesktop/DBus",
            interface: "org.freedesktop.DBus", method: method)
    }

    /// Sends the call; `completion` gets the reply on the calling thread's default context
    /// (`g_dbus_connection_call`).
    ///
    /// - Parameters:
    ///   - arguments: a tuple; a floating reference is taken over.
    ///   - milliseconds: how long to wait for the reply; without a limit unless given, for the bus
    ///     answers for a peer that dies.
    func send(
        on connection: Handle, _ arguments: OpaquePointer? = nil,
        within milliseconds: gint = G_MAXINT, until cancellable: Cancellable,
        _ completion: @escaping @Sendable (Result<Reply, BusError>) -> Void
    ) {
        let box = Unmanaged.passRetained(Completion(completion)).toOpaque()
        g_dbus_connection_call(
            connection.pointer, destination, path, interface, method, arguments, nil,
            G_DBUS_CALL_FLAGS_NO_AUTO_START, milliseconds, cancellable.pointer, callFinished, box)
    }
}

/// The arguments of a reply or a signal: a D-Bus tuple of simple values.
struct Reply: Sendable {
    enum Value: Sendable, Equatable {
        case number(UInt32)
        case text(String)
        case texts([String])
        case flag(Bool)
        /// `a{sv}`: properties by name.
        case named([String: Value])
        case other
    }

    let values: [Value]

    init(_ tuple: OpaquePointer?) {
        guard let tuple, g_variant_is_container(tuple) != 0 else {
            values = []
            return
        }
        values = (0..<g_variant_n_children(tuple)).map { index in
            let child = g_variant_get_child_value(tuple, index)
            defer { g_variant_unref(child) }
            return Self.value(child)
        }
    }

    private static func value(_ variant: OpaquePointer?) -> Value {
        switch variant.flatMap(g_variant_get_type_string).map({ String(cString: $0) }) {
        case "u": return .number(g_variant_get_uint32(variant))
        case "s": return .text(g_variant_get_string(variant, nil).map { String(cString: $0) } ?? "")
        case "b": return .flag(g_variant_get_boolean(variant) != 0)
        case "v":
            let inner = g_variant_get_variant(variant)
            defer { g_variant_unref(inner) }
            return value(inner)
        case "a{sv}": return .named(named(variant))
        case "as":
            return .texts(
                (0..<g_variant_n_children(variant)).compactMap { index in
                    let child = g_variant_get_child_value(variant, index)
                    defer { g_variant_unref(child) }
                    return g_variant_get_string(child, nil).map { String(cString: $0) }
                })
        default: return .other
        }
    }

    private static func named(_ dictionary: OpaquePointer?) -> [String: Value] {
        var result: [String: Value] = [:]
        for index in 0..<g_variant_n_children(dictionary) {
            let entry = g_variant_get_child_value(dictionary, index)
            defer { g_variant_unref(entry) }
            let values = Reply(entry).values
            if values.count == 2, case .text(let name) = values[0] { result[name] = values[1] }
        }
        return result
    }
}

private final class Completion: Sendable {
    let run: @Sendable (Result<Reply, BusError>) -> Void

    init(_ run: @escaping @Sendable (Result<Reply, BusError>) -> Void) { self.run = run }
}

private nonisolated func callFinished(
    _ connection: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?,
    _ data: UnsafeMutableRawPointer?
) {
    guard let connection, let data else { return }
    let completion = Unmanaged<Completion>.fromOpaque(data).takeRetainedValue()
    var error: UnsafeMutablePointer<GError>?
    let reply = g_dbus_connection_call_finish(OpaquePointer(connection), result, &error)
    guard let reply else { return completion.run(.failure(BusError(taking: error))) }
    defer { g_variant_unref(reply) }
    completion.run(.success(Reply(reply)))
}
