import CNotify
import Synchronization
import Testing

@testable import Popups

extension OnTheBus {
    /// Calls of the bus itself stand for `Notify`: `RequestName` is answered with a number, too.
    @Suite("Late replies", .timeLimit(.minutes(1)))
    struct LateRepliesTests {
        /// Makes a call whose reply has come when this returns.
        /// - Returns: its serial number.
        private func call(_ method: String, _ name: String, on connection: Handle) -> UInt32 {
            let arguments =
                [g_variant_new_string(name)]
                + (method == "RequestName" ? [g_variant_new_uint32(0)] : [])
            let reply = g_dbus_connection_call_sync(
                connection.pointer, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                "org.freedesktop.DBus", method,
                g_variant_new_tuple(arguments, gsize(arguments.count)),
                nil, G_DBUS_CALL_FLAGS_NONE, -1, nil, nil)
            if let reply { g_variant_unref(reply) }
            return g_dbus_connection_get_last_serial(connection.pointer)
        }

        private func onConnection(_ body: (Handle, LateReplies) throws -> Void) throws {
            let bus = try PrivateBus()
            defer { bus.end() }
            let flags = GDBusConnectionFlags(
                G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT.rawValue
                    | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION.rawValue)
            let connection = try #require(
                Handle(g_dbus_connection_new_for_address_sync(bus.address, flags, nil, nil, nil)))
            defer { g_object_unref(UnsafeMutableRawPointer(connection.pointer)) }
            let replies = LateReplies()
            let filter = replies.watch(connection)
            defer { g_dbus_connection_remove_filter(connection.pointer, filter) }
            try body(connection, replies)
        }

        /// What the one who waits for the reply gets, unless it has to wait.
        private func reply(to serial: UInt32, _ replies: LateReplies) -> UInt32?? {
            let got = Mutex<UInt32??>(nil)
            replies.await(serial: serial) { id in got.withLock { $0 = .some(id) } }
            return got.withLock { $0 }
        }

        @Test("A reply that came before anybody waits for it is not lost")
        func beforeTheWait() throws {
            try onConnection { connection, replies in
                let first = call("RequestName", "org.example.First", on: connection)
                let refused = call("RequestName", "no name", on: connection)
                #expect(reply(to: first, replies) == .some(.some(1)), "owns it now")
                #expect(reply(to: refused, replies) == .some(.none))
            }
        }

        @Test("The newest replies are kept, and none of another connection")
        func kept() throws {
            try onConnection { connection, replies in
                let serials = (0...LateReplies.keptLimit).map { _ in
                    call("RequestName", "org.example.Name", on: connection)
                }
                #expect(reply(to: serials[0], replies) == nil)
                #expect(reply(to: serials[1], replies) == .some(.some(4)), "owns it already")
                replies.forget()
                #expect(reply(to: serials[2], replies) == nil)
            }
        }
    }
}
