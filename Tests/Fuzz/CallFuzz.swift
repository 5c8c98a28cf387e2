import Glibc
import RemindAPI
import Varlink
import VarlinkWire

@testable import RemindDaemon

/// The bytes of a client on a real socket: each call is answered or refused, and the daemon serves
/// the next client and has a sound store, whatever came before.
enum CallFuzz {
    // One input at a time, on one thread.
    nonisolated(unsafe) private static var room: Room?

    static func run(_ bytes: [UInt8]) throws {
        if room == nil { room = try Room() }
        guard let room else { return }
        for call in bytes.split(separator: 0) { try room.decode(Array(call)) }
        try room.send(bytes)
        // What one input has stored must not be there for the next.
        if room.isChanged {
            try room.world.checkIntegrity()
            Self.room = nil
        }
    }

    /// A daemon that waits for calls.
    private final class Room {
        let world: FuzzWorld
        private let server: VarlinkServer
        private let path: String
        private let log: stat

        init() throws {
            world = try FuzzWorld.empty()
            path = world.folder + "/sock"
            let service = RemindersService(
                engine: world.engine, facts: ProgramFacts(processID: 1, database: world.database))
            try world.isolated { engine in
                var parameters = Add.Parameters(title: "Tea")
                (parameters.in, parameters.tags) = ("20m", ["hot"])
                _ = try engine.add(parameters)
                parameters = Add.Parameters(title: "Pills")
                parameters.every = "day at 9:00"
                _ = try engine.add(parameters)
            }
            var limits = Limits()
            limits.stopMilliseconds = 20
            server = VarlinkServer(
                socket: try ListeningSocket(path: path), info: RemindersService.info,
                interfaces: [try service.interface()], limits: limits)
            server.start()
            log = Self.status(world.database + "-wal")
        }

        deinit { server.stop() }

        /// Whether the store has been written to.
        var isChanged: Bool {
            let now = Self.status(world.database + "-wal")
            return now.st_size != log.st_size || now.st_mtim.tv_sec != log.st_mtim.tv_sec
                || now.st_mtim.tv_nsec != log.st_mtim.tv_nsec
        }

        private static func status(_ path: String) -> stat {
            var status = stat()
            _ = stat(path, &status)
            return status
        }

        /// The parameters of every method, whichever the call names.
        func decode(_ message: [UInt8]) throws {
            guard let call = try? Call(message: message) else { return }
            _ = try? call.parameters(as: Add.Parameters.self)
            _ = try? call.parameters(as: Edit.Parameters.self)
            _ = try? call.parameters(as: List.Parameters.self)
            _ = try? call.parameters(as: Import.Parameters.self)
            _ = try? call.parameters(as: Export.Parameters.self)
            _ = try? call.parameters(as: When.Parameters.self)
        }

        /// Sends it all and waits for the answers; the connection's end says that there are no more.
        func send(_ bytes: [UInt8]) throws {
            let messages = bytes.split(separator: 0, omittingEmptySubsequences: false)
            var (endless, kept) = (false, [UInt8]())
            for (index, message) in messages.enumerated() {
                guard let isEndless = Self.kind(Array(message)) else { continue }
                endless = endless || isEndless
                kept += message + (index == messages.count - 1 ? [] : [0])
            }
            let client = try Self.connect(path)
            try Self.write(kept, to: client)
            if !endless {
                shutdown(client, Int32(SHUT_WR))
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                while case let count = read(client, &buffer, buffer.count), count > 0 {}
            }
            close(client)
            // What was sent without waiting for its answer is done, and the connection is gone.
            while server.connectionCount > 0 { poll(nil, 0, 1) }
            world.isolated { _ in }
        }

        /// Whether a call goes on until its client leaves; `nil`: it is not to be sent, for it takes
        /// long, or writes where a path says.
        private static func kind(_ message: [UInt8]) -> Bool? {
            guard let call = try? Call(message: message) else { return false }
            switch call.member {
            case Doctor.name, Backup.name, Restore.name: return nil
            case Watch.name: return call.more
            default: return false
            }
        }

        private static func connect(_ path: String) throws -> Int32 {
            let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let result = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(client, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            try require(result == 0, "the daemon is not there any more: \(errno)")
            return client
        }

        private static func write(_ bytes: [UInt8], to client: Int32) throws {
            var start = 0
            while start < bytes.count {
                let count = bytes[start...].withUnsafeBytes {
                    Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                // It has been refused, and the connection closed.
                guard count > 0 else { return }
                start += count
            }
        }
    }
}
