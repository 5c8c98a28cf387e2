import CNotify
import Synchronization

/// Catches replies to `Notify` that come after libnotify has stopped waiting for them.
///
/// libnotify waits 25 seconds. A server that hangs longer still shows the pop-up when it goes on, and
/// its reply with the id, which is needed to replace and close the pop-up, would be lost.
///
/// Between libnotify's giving up and the word of it lie two threads, and a reply may come just then: so
/// the newest replies are kept for one who asks afterwards.
final class LateReplies: Sendable {
    /// Replies that are waited for at once; more are let go.
    static let limit = 1024
    /// Replies that are kept: more than there are calls of libnotify at once.
    static let keptLimit = 128

    /// The id that the server gave, or nil when it refused.
    typealias BusReply = UInt32?

    private struct State {
        var awaited: [UInt32: @Sendable (BusReply) -> Void] = [:]
        /// What nobody waited for, oldest first, with the serial number of its call.
        var kept: [(serial: UInt32, reply: BusReply)] = []

        /// - Returns: who waits for it.
        mutating func came(_ reply: BusReply, to serial: UInt32) -> (@Sendable (BusReply) -> Void)?
        {
            if let handler = awaited.removeValue(forKey: serial) { return handler }
            if kept.count == LateReplies.keptLimit { kept.removeFirst() }
            kept.append((serial, reply))
            return nil
        }
    }

    private let state = Mutex(State())

    /// Has `handler` called, once, when the reply to the message with this serial number arrives: on
    /// GDBus's own thread, or at once where it has come already.
    func await(serial: UInt32, _ handler: @escaping @Sendable (BusReply) -> Void) {
        let kept = state.withLock { state in
            let kept = state.kept.last { $0.serial == serial }
            if kept == nil, state.awaited.count < Self.limit { state.awaited[serial] = handler }
            return kept
        }
        if let kept { handler(kept.reply) }
    }

    /// Waits for nothing any more.
    func forget() {
        state.withLock { $0 = State() }
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
        guard kind == G_DBUS_MESSAGE_TYPE_METHOD_RETURN || kind == G_DBUS_MESSAGE_TYPE_ERROR
        else { return }
        let serial = g_dbus_message_get_reply_serial(message)
        let id: BusReply =
            if case .number(let id)? = Reply(g_dbus_message_get_body(message)).values.first {
                id
            } else { nil }
        state.withLock { $0.came(id, to: serial) }?(id)
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
