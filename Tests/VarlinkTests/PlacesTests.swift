import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Varlink
import VarlinkWire

/// Who gives way when all places are taken, and who waits for one.
@Suite(.serialized) struct PlacesTests {
    private func limits(_ connections: Int) -> Limits {
        var limits = Limits()
        limits.connections = connections
        return limits
    }

    private func expectServed(_ client: RawClient) throws {
        client.send(#"{"method":"org.example.Test.Echo","parameters":{"text":"here"}}"# + "\0")
        #expect(try client.receive() == #"{"parameters":{"text":"here"}}"#)
    }

    /// Clients whose calls are answered by and by.
    private func busy(_ count: Int, _ service: TestService) throws -> [RawClient] {
        try (0..<count).map { _ in
            let client = try RawClient(path: service.path)
            client.send(#"{"method":"org.example.Test.Hang"}"# + "\0")
            #expect(service.calls.wait())
            return client
        }
    }

    /// Another process, Python's: it connects so many times, and ends when our value does.
    private final class Crowd {
        private let child: pid_t
        private let input: Int32

        init(_ count: Int, at path: String) throws {
            let program = """
                import socket, sys
                sys.peers = [socket.socket(socket.AF_UNIX) for _ in range(int(sys.argv[2]))]
                for peer in sys.peers: peer.connect(sys.argv[1])
                print(end="connected", flush=True)
                sys.stdin.read()
                """
            var (toChild, fromChild): ([Int32], [Int32]) = ([0, 0], [0, 0])
            // Close-on-exec from the first moment: a program that another test starts meanwhile would
            // keep ours from seeing the end.
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            for result in [
                socketpair(AF_UNIX, kind, 0, &toChild), socketpair(AF_UNIX, kind, 0, &fromChild),
            ] {
                try #require(result == 0)
            }
            defer { for fd in [toChild[0], fromChild[0], fromChild[1]] { close(fd) } }
            var actions = posix_spawn_file_actions_t()
            posix_spawn_file_actions_init(&actions)
            defer { posix_spawn_file_actions_destroy(&actions) }
            posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
            posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
            let words: [String] = ["/usr/bin/env", "python3", "-c", program, path, "\(count)"]
            var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
            defer { for argument in arguments { free(argument) } }
            arguments.append(nil)
            var child: pid_t = 0
            let result = posix_spawn(&child, "/usr/bin/env", &actions, nil, arguments, environ)
            try #require(result == 0)
            (self.child, input) = (child, toChild[1])
            var line = [UInt8](repeating: 0, count: 10)
            #expect(read(fromChild[0], &line, line.count) > 0)
        }

        deinit {
            close(input)
            waitpid(child, nil, 0)
        }
    }

    /// A program that opened one connection after the other sent those of others away.
    @Test func aProcessThatFloodsTakesThePlacesOfItsOwnConnectionsOnly() throws {
        var limits = limits(8)
        (limits.connectionsOfProcess, limits.recentMilliseconds) = (4, 0)
        let service = try TestService(limits: limits)
        let clients = try (0..<3).map { _ in try RawClient(path: service.path) }
        for client in clients { try expectServed(client) }
        let crowd = try Crowd(50, at: service.path)
        for client in clients { try expectServed(client) }
        // It makes room for others, too.
        let late = try RawClient(path: service.path)
        for client in clients + [late] { try expectServed(client) }
        #expect(service.server.connectionCount == 8)
        withExtendedLifetime(crowd) {}
    }

    /// Idle connections that came a moment later sent it away.
    @Test func aClientThatCalledAMomentAgoKeepsItsPlaceWhileOthersHaveNeverCalled() throws {
        var limits = limits(8)
        limits.recentMilliseconds = 60_000
        let service = try TestService(limits: limits)
        let client = try RawClient(path: service.path)
        try expectServed(client)
        let idle = try (0..<50).map { _ in try RawClient(path: service.path) }
        try expectServed(client)
        #expect(try idle[0].receive() == nil)
        try expectServed(try #require(idle.last))
    }

    /// With a byte now and then, a client that never calls kept its place at the cost of others.
    @Test func bytesThatAreNoCallDoNotMakeAClientWaitAnew() throws {
        var limits = limits(2)
        limits.recentMilliseconds = 0
        let service = try TestService(limits: limits)
        let (slow, client) = (
            try RawClient(path: service.path), try RawClient(path: service.path)
        )
        try expectServed(client)
        slow.send("{")
        try expectServed(try RawClient(path: service.path))
        #expect(try slow.receive() == nil)
        try expectServed(client)
    }

    /// While one client waited for a place, nobody was accepted.
    @Test func whoWaitsForAPlaceKeepsNobodyWaiting() throws {
        var limits = limits(4)
        (limits.connectionsOfProcess, limits.arrivalMilliseconds) = (2, 60_000)
        let service = try TestService(limits: limits)
        let crowd = try Crowd(1, at: service.path)
        let kept = try busy(3, service)
        // Nobody gives way to a process that has more than its part.
        let waiting = try RawClient(path: service.path)
        waiting.send(#"{"method":"org.varlink.service.GetInfo"}"# + "\0")
        #expect(eventually { Connection.queue.sync { service.server.arrivals.count == 1 } })
        let other = try Crowd(1, at: service.path)
        // It has a place when that of another one is free.
        #expect(eventually { service.server.connectionCount == 4 })
        #expect(Connection.queue.sync { service.server.arrivals.count == 1 })
        service.watchers.withLock { $0.removeAll() }
        #expect(try waiting.receive()?.contains("varlink") == true)
        withExtendedLifetime((crowd, other, kept)) {}
    }

    @Test func whoHasWaitedForAPlaceLongestIsTurnedAwayForOneMore() throws {
        var limits = limits(1)
        (limits.arrivals, limits.arrivalMilliseconds) = (1, 60_000)
        let service = try TestService(limits: limits)
        let kept = try busy(1, service)
        let first = try RawClient(path: service.path)
        #expect(eventually { Connection.queue.sync { !service.server.arrivals.isEmpty } })
        let second = try RawClient(path: service.path)
        #expect(try first.receive()?.contains("TooManyConnections") == true)
        service.watchers.withLock { $0.removeAll() }
        #expect(try kept[0].receive()?.contains("InternalError") == true)
        try expectServed(second)
    }

    @Test func whoWaitsForAPlaceIsTurnedAwayWhenTheServerStops() throws {
        var limits = limits(1)
        limits.arrivalMilliseconds = 60_000
        let service = try TestService(limits: limits)
        let kept = try busy(1, service)
        let waiting = try RawClient(path: service.path)
        #expect(eventually { Connection.queue.sync { !service.server.arrivals.isEmpty } })
        service.server.stop()
        #expect(try waiting.receive()?.contains("TooManyConnections") == true)
        service.watchers.withLock { $0.removeAll() }
        withExtendedLifetime(kept) {}
    }

    /// Lists were made for a thousand clients who had called and gone, while others waited.
    @Test func whatOnlyReadsIsNotBegunForAClientThatHasGone() throws {
        let service = try TestService()
        var known: RawClient? = try RawClient(path: service.path)
        try expectServed(try #require(known))
        Connection.queue.sync {
            known?.send(#"{"method":"org.example.Test.Look","parameters":{"text":"gone"}}"# + "\0")
            known = nil
        }
        try Connection.queue.sync {
            let client = try RawClient(path: service.path)
            for (method, text) in [("Look", "nobody sees"), ("Echo", "is done")] {
                client.send(
                    #"{"method":"org.example.Test.\#(method)","parameters":{"text":"\#(text)"}}"#
                        + "\0")
            }
        }
        let client = try RawClient(path: service.path)
        client.send(#"{"method":"org.example.Test.Look","parameters":{"text":"seen"}}"# + "\0")
        #expect(try client.receive() == #"{"parameters":{"text":"seen"}}"#)
        #expect(service.calls.all == ["here", "is done", "seen"])
    }

    /// 200 MiB stayed with the daemon after many clients had come and gone.
    @Test func theEndOfABurstIsToldOnce() throws {
        var limits = Limits()
        (limits.burstConnections, limits.calmMilliseconds) = (8, 20)
        let calmed = Events<Int>()
        let service = try TestService(limits: limits, calmed: { calmed.add(1) })
        for _ in 0..<20 { try expectServed(try RawClient(path: service.path)) }
        #expect(eventually { service.server.connectionCount == 0 })
        for count in 1...2 {
            var clients = try (0..<8).map { _ in try RawClient(path: service.path) }
            for client in clients { try expectServed(client) }
            #expect(calmed.all.count == count - 1)
            clients.removeAll()
            #expect(calmed.wait())
            #expect(calmed.all.count == count)
        }
    }
}
