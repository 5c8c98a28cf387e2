import CNotify
import Synchronization

/// Catches replies to `Notify` that come after libnotify has stopped waiting for them.
///
/// libnotify waits 25 seconds. A server that hangs longer still shows the pop-up when it goes on, and
/// its reply with the id, which is needed to replace and close the pop-up, would be lost.
final class LateReplies: Sendable {
    /// Replies that are waited for at once; more are let go.
    static let limit = 1024

    private let awaited = Mutex<[UInt32: @Sendable (BusReply) -> Void]>([:])

    /// The id that the server gave, or nil when it refused.
    typealias BusReply = UInt32?

    /// Has `handler` called, once and on GDBus's own thread, when the reply to the message with this
    /// serial number arrives.
    func await(serial: UInt32, _ handler: @escaping @Sendable (BusReply) -> Void) {
        awaited.withLock { if $0.count < Self.limit { $0[serial] = handler } }
    }

    /// Waits for nothing any more.
    func forget() {
        awaited.withLock { $0 = [:] }
    }

    /// Sees the messages of `connection` (`g_dbus_connection_add_filter`). The filter lives as long
    /// as the connection.
    func watch(_ connection: Handle) -> UInt32 {
        g_dbus_connection_add_filter(
            connection.pointer, filterMessage, Unmanaged.passRetained(self).toOpaque(),
            releaseReplies)
    }

    fileprivate func see(_ message: OpaquePointer) {
        let kind = g_dbus_message_get_message_type(message)
        guard kind == G_DBUS_MESSAGE_TYPE_METHOD_RETURN || kind == G_DBUS_MESSAGE_TYPE_ERROR,
            let handler = awaited.withLock({
                $0.removeValue(forKey: g_dbus_message_get_reply_serial(message))
            })
        else { return }
        guard case .number(let id)? = Reply(g_dbus_message_get_body(message)).values.first else {
            return handler(nil)
        }
        handler(id)
    }
}

private nonisolated func filterMessage(
    _ connection: OpaquePointer?, _ message: OpaquePointer?, _ incoming: gboolean,
    _ data: UnsafeMutableRawPointer?
) -> OpaquePointer? {
    if incoming != 0, let message, let data {
        Unmanaged<LateReplies>.fromOpaque(data).takeUnretainedValue().see(message)
    }
    return message
}

private nonisolated func releaseReplies(_ data: UnsafeMutableRawPointer?) {
    guard let data else { return }
    Unmanaged<LateReplies>.fromOpaque(data).release()
}
