import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Varlink
import VarlinkWire

/// Each limit from both sides, and clients that mean no good.
@Suite(.serialized) struct LimitTests {
    func echo(_ text: String) -> String {
        #"{"method":"org.example.Test.Echo","parameters":{"text":"\#(text)"}}"#
    }

    func expectServed(_ service: TestService) throws {
        let reply = try service.connect().call(
            "org.example.Test.Echo", Text(text: "served"), as: Text.self)
        #expect(reply.text == "served")
    }

    /// A server with eight places, one of which is kept by a client that waits for its answer.
    private func eightPlaces() throws -> (TestService, RawClient) {
        var limits = Limits()
        limits.connections = 8
        let service = try TestService(limits: limits)
        let kept = try RawClient(path: service.path)
        kept.send(#"{"method":"org.example.Test.Hang"}"# + "\0")
        #expect(service.calls.wait())
        return (service, kept)
    }

    /// It was not sent away meanwhile: it gets its answer.
    private func expectKept(_ kept: RawClient, of service: TestService) throws {
        service.watchers.withLock { $0.removeAll() }
        #expect(try kept.receive()?.contains("InternalError") == true)
    }

    @Test(arguments: [(0, true), (1, false)])
    func callOfTheLimitIsServedAndOneByteMoreIsNot(extra: Int, fits: Bool) throws {
        var limits = Limits()
        limits.messageBytes = 1000
        let service = try TestService(limits: limits)
        let client = try RawClient(path: service.path)
        let text = String(repeating: "x", count: 1000 + extra - echo("").utf8.count)
        client.send(echo(text) + "\0")
        let reply = try client.receive()
        if fits {
            #expect(reply == #"{"parameters":{"text":"\#(text)"}}"#)
        } else {
            #expect(
                reply?.contains(
                    #"org.example.Transport.MessageTooLong","parameters":{"limit":1000"#) == true)
            #expect(try client.receive() == nil)
        }
        try expectServed(service)
    }

    @Test func messageWithoutNULIsCutOff() throws {
        let service = try TestService()
        let client = try RawClient(path: service.path)
        let chunk = [UInt8](repeating: 65, count: 1 << 20)
        var sent = 0
        while sent < 64, client.send(chunk) { sent += 1 }
        #expect(sent < 64)
        #expect(try client.receive()?.contains("MessageTooLong") == true)
        try expectServed(service)
    }

    @Test(arguments: [(0, true), (1, false)])
    func replyOfTheLimitIsSentAndOneByteMoreIsNot(extra: Int, fits: Bool) throws {
        var limits = Limits()
        limits.replyBytes = 100_000
        let service = try TestService(limits: limits)
        let client = try service.connect()
        let bytes = 100_000 + extra - #"{"text":""}"#.utf8.count
        if fits {
            let reply = try client.call("org.example.Test.Big", ["bytes": bytes], as: Text.self)
            #expect(reply.text.utf8.count == bytes)
        } else {
            let error = #expect(throws: VarlinkError.self) {
                _ = try client.call("org.example.Test.Big", ["bytes": bytes], as: Text.self)
            }
            #expect(error?.name == "org.example.Transport.ReplyTooLong")
        }
        try expectServed(service)
    }

    @Test func streamsHaveALimit() throws {
        var limits = Limits()
        limits.streams = 2
        let service = try TestService(limits: limits)
        let watch = #"{"method":"org.example.Test.Watch","more":true}"# + "\0"
        let clients = try (0..<3).map { _ in try RawClient(path: service.path) }
        for client in clients[..<2] {
            client.send(watch)
            #expect(try client.receive()?.contains("number") == true)
        }
        clients[2].send(watch)
        #expect(
            try clients[2].receive()?.contains(#"TooManyStreams","parameters":{"limit":2"#) == true)
        service.watchers.withLock { $0.removeFirst() }.reply(Number(number: 1))
        #expect(eventually { service.server.streamCount == 1 })
        clients[2].send(watch)
        #expect(try clients[2].receive()?.contains("number") == true)
    }

    @Test func busyConnectionsHaveALimit() throws {
        var limits = Limits()
        limits.connections = 3
        let service = try TestService(limits: limits)
        let busy = try (0..<3).map { _ in
            let client = try RawClient(path: service.path)
            client.send(#"{"method":"org.example.Test.Hang"}"# + "\0")
            #expect(service.calls.wait())
            return client
        }
        let refused = try RawClient(path: service.path)
        #expect(
            try refused.receive()?.contains(#"TooManyConnections","parameters":{"limit":3"#) == true
        )
        #expect(try refused.receive() == nil)
        service.watchers.withLock { $0.removeAll() }
        for client in busy { #expect(try client.receive()?.contains("InternalError") == true) }
        try expectServed(service)
    }

    @Test func idleConnectionsGiveWayAndOthersAreServed() throws {
        let (service, kept) = try eightPlaces()
        var idle: [RawClient] = []
        for _ in 0..<200 {
            idle.append(try RawClient(path: service.path))
            idle.last?.send("{")
        }
        for _ in 0..<20 { try expectServed(service) }
        #expect(service.server.connectionCount <= 8)
        #expect(try idle[0].receive() == nil)
        try expectKept(kept, of: service)
    }

    @Test func connectionsThatNeverReadGiveWayAndOthersAreServed() throws {
        let (service, kept) = try eightPlaces()
        let big = #"{"method":"org.example.Test.Big","parameters":{"bytes":300000}}"# + "\0"
        var deaf: [RawClient] = []
        for _ in 0..<12 {
            deaf.append(try RawClient(path: service.path))
            deaf.last?.send(big)
            #expect(eventually { service.server.queuedBytes > 0 })
        }
        for _ in 0..<5 { try expectServed(service) }
        #expect(service.server.connectionCount <= 8)
        try expectKept(kept, of: service)
    }

    @Test func streamThatIsNotReadGivesWayAndOneThatIsReadGoesOn() throws {
        var limits = Limits()
        limits.connections = 2
        let service = try TestService(limits: limits)
        let watch = #"{"method":"org.example.Test.Watch","more":true}"# + "\0"
        let clients = try (0..<2).map { _ in try RawClient(path: service.path) }
        for (index, client) in clients.enumerated() {
            client.send(watch)
            #expect(try client.receive()?.contains("number") == true)
            #expect(eventually { service.watchers.withLock { $0.count } == index + 1 })
        }
        // What the kernel does not hold any more waits with us.
        let deaf = service.watchers.withLock { $0[0] }
        for _ in 0..<20 {
            deaf.reply(Text(text: String(repeating: "x", count: 50_000)), continues: true)
        }
        #expect(eventually { service.server.queuedBytes > 0 })
        try expectServed(service)
        service.watchers.withLock { $0[1] }.reply(Number(number: 7))
        #expect(try clients[1].receive()?.contains("7") == true)
        service.watchers.withLock { $0.removeAll() }
    }

    @Test func clientThatNeverReadsIsDroppedAndOthersAreServed() throws {
        var limits = Limits()
        (limits.stallMilliseconds, limits.burstBytes) = (300, 500_000)
        limits.calmMilliseconds = 0
        let calmed = Events<Bool>()
        let service = try TestService(limits: limits, calmed: { calmed.add(true) })
        let deaf = try RawClient(path: service.path)
        let big = #"{"method":"org.example.Test.Big","parameters":{"bytes":1000000}}"# + "\0"
        deaf.send(String(repeating: big, count: 100))
        #expect(service.calls.wait())
        try expectServed(service)
        // Much had waited to be sent, and does so no more.
        #expect(calmed.wait())
        #expect(service.calls.all.count { $0 == "Big" } == 1, "one waits to be taken")
        #expect(eventually { service.server.connectionCount == 0 })
        #expect(service.server.queuedBytes == 0)
        withExtendedLifetime(deaf) {}
    }

    @Test func slowReaderThatKeepsReadingGetsEverything() throws {
        let service = try TestService()
        let client = try RawClient(path: service.path)
        let big = #"{"method":"org.example.Test.Big","parameters":{"bytes":400000}}"# + "\0"
        client.send(String(repeating: big, count: 10))
        for _ in 0..<10 { #expect(try client.receive()?.utf8.count == 400_000 + 26) }
        try expectServed(service)
    }

    @Test func streamToAClientThatNeverReadsIsCut() throws {
        var limits = Limits()
        limits.queuedBytes = 1 << 20
        let service = try TestService(limits: limits)
        let deaf = try RawClient(path: service.path)
        deaf.send(#"{"method":"org.example.Test.Watch","more":true}"# + "\0")
        #expect(eventually { service.watchers.withLock { $0.count } == 1 })
        let responder = try #require(service.watchers.withLock { $0.first })
        let text = Text(text: String(repeating: "x", count: 10_000))
        for _ in 0..<300 { responder.reply(text, continues: true) }
        #expect(service.cancels.wait())
        #expect(eventually { service.server.connectionCount == 0 })
        #expect(service.server.queuedBytes == 0)
        try expectServed(service)
    }

    @Test func bytesQueuedForAllHaveALimit() throws {
        var limits = Limits()
        limits.queuedBytesTotal = 3_000_000
        let service = try TestService(limits: limits)
        let deaf = try (0..<6).map { _ in try RawClient(path: service.path) }
        for client in deaf {
            client.send(#"{"method":"org.example.Test.Big","parameters":{"bytes":1000000}}"# + "\0")
        }
        for _ in deaf { #expect(service.calls.wait()) }
        // The last call has been answered, too, or its client dropped.
        Connection.queue.sync {
            #expect(service.server.connectionCount == 3)
            #expect(service.server.queuedBytes <= 3_000_000)
        }
        try expectServed(service)
        withExtendedLifetime(deaf) {}
    }

    @Test func twoHundredThousandTinyMessagesDoNotKeepOthersWaiting() throws {
        let service = try TestService()
        let flood = try RawClient(path: service.path)
        #expect(fcntl(flood.fd, F_SETFL, O_NONBLOCK) == 0)
        let calls = Array(String(repeating: #"{"method":"a.B"}"# + "\0", count: 10_000).utf8)
        for _ in 0..<20 {
            flood.send(calls)
            try expectServed(service)
        }
        #expect(service.server.queuedBytes < 1 << 20)
    }

    @Test func anotherUserIsRefused() throws {
        let service = try TestService(allowedUID: geteuid() + 1)
        let client = try RawClient(path: service.path)
        #expect(
            try client.receive()
                == #"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#)
        #expect(try client.receive() == nil)
        let error = #expect(throws: VarlinkError.self) {
            try service.connect().call("org.varlink.service.GetInfo")
        }
        #expect(error == .permissionDenied)
        #expect(service.server.connectionCount == 0)
    }

    /// A million of the smallest calls kept others, and the news of what rings, waiting for 0.2 s.
    @Test func aClientThatSendsManyCallsAheadLetsOthersHaveTheirTurn() throws {
        let service = try TestService()
        // What others want stands in the queue while the first call is answered.
        service.onEcho.withLock { [calls = service.calls] onEcho in
            onEcho = { text in
                if text == "first" { Connection.queue.async { calls.add("others") } }
            }
        }
        let many = try RawClient(path: service.path)
        let unknown = String(repeating: #"{"method":"a.b"}"# + "\0", count: 500)
        many.send(echo("first") + "\0" + unknown + echo("last") + "\0")
        for _ in 0..<3 { #expect(service.calls.wait()) }
        #expect(service.calls.all == ["first", "others", "last"])
        #expect(try many.receive()?.contains("first") == true)
        for _ in 0..<500 { #expect(try many.receive()?.contains("InterfaceNotFound") == true) }
        #expect(try many.receive()?.contains("last") == true)
    }
}
