import Glibc
import Synchronization
import Testing

@testable import Varlink
import VarlinkWire

@Suite struct ClientTests {
    @Test func noSocketAndNoListenerAreNotRunning() throws {
        let folder = try TemporaryFolder()
        for path in [folder.path + "/none", folder.path + "/none/s"] {
            #expect(throws: ClientError.notRunning(path: path)) {
                try VarlinkClient.connect(path: path)
            }
        }
    }

    @Test func replyThatDoesNotComeIsATimeout() throws {
        let service = try TestService()
        let client = try service.connect(milliseconds: 50)
        #expect(throws: ClientError.timedOut(milliseconds: 50)) {
            try client.call("org.example.Test.Hang")
        }
    }

    @Test func serviceThatStopsMidCallIsDisconnected() throws {
        var limits = Limits()
        limits.stopMilliseconds = 50
        let service = try TestService(limits: limits)
        let client = try service.connect()
        let stopped = Events<Bool>()
        service.later {
            _ = service.calls.wait()
            service.server.stop { stopped.add(true) }
        }
        #expect(throws: ClientError.disconnected) { try client.call("org.example.Test.Hang") }
        #expect(stopped.wait())
        #expect(service.cancels.all == ["Hang"])
    }

    @Test func replyLargerThanTheLimitIsRefused() throws {
        let service = try TestService()
        let client = try VarlinkClient.connect(path: service.path, replyBytes: 1000)
        #expect(throws: ClientError.replyTooLong(limit: 1000)) {
            try client.call("org.example.Test.Big", ["bytes": 1000], as: Text.self)
        }
    }

    @Test func replyOfAnotherTypeIsMalformed() throws {
        let service = try TestService()
        let error = #expect(throws: ClientError.self) {
            try service.connect().call("org.example.Test.Echo", Text(text: "a"), as: Number.self)
        }
        #expect(error?.description.contains("‘number’") == true)
    }

    @Test func errorReplyCarriesItsParameters() throws {
        struct Why: Decodable { let why: String }
        let service = try TestService()
        let error = #expect(throws: VarlinkError.self) {
            _ = try service.connect().call(
                "org.example.Test.Fail", ["named": true], as: Empty.self)
        }
        #expect(error?.name == "org.example.Test.Refused")
        #expect(try error?.parameters(as: Why.self).why == "so")
    }

    @Test func rawStreamIsHandedThroughUntilTheCallerHasEnough() throws {
        let service = try TestService()
        var client: VarlinkClient? = try service.connect()
        var replies: [String] = []
        try client?.callMore(
            "org.example.Test.Count", rawParameters: Array(#"{"to":1000}"#.utf8)
        ) { reply in
            replies.append(String(decoding: reply, as: UTF8.self))
            return replies.count < 3
        }
        #expect(replies == [#"{"number":0}"#, #"{"number":1}"#, #"{"number":2}"#])
        client = nil
        #expect(eventually { service.server.connectionCount == 0 })
    }

    @Test func stopAnswersWhatIsUnderWayAndRemovesTheFile() throws {
        var limits = Limits()
        limits.stopMilliseconds = 60_000
        let service = try TestService(limits: limits)
        let watcher = try RawClient(path: service.path)
        watcher.send(#"{"method":"org.example.Test.Watch","more":true}"# + "\0")
        #expect(try watcher.receive()?.contains("number") == true)
        let client = try RawClient(path: service.path)
        client.send(#"{"method":"org.example.Test.Hang"}"# + "\0")
        #expect(service.calls.wait())
        let stopped = Events<Bool>()
        service.server.stop { stopped.add(true) }
        #expect(service.cancels.wait())
        #expect(try watcher.receive() == nil)
        service.watchers.withLock { $0.last }?.reply(Empty())
        #expect(try client.receive() == #"{"parameters":{}}"#)
        #expect(try client.receive() == nil)
        #expect(stopped.wait())
        #expect(access(service.path, F_OK) != 0)
        #expect(service.server.connectionCount == 0)
    }
}
