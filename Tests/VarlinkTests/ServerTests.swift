import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Varlink
import VarlinkWire

@Suite struct ServerTests {
    @Test func callIsAnswered() throws {
        let service = try TestService()
        let client = try service.connect()
        for text in ["a", "", "ü\u{0}\"\\", String(repeating: "long ", count: 100_000)] {
            let reply = try client.call("org.example.Test.Echo", Text(text: text), as: Text.self)
            #expect(reply.text == text)
        }
        #expect(
            try client.call("org.example.Test.Later", Text(text: "b"), as: Text.self).text == "b")
    }

    @Test func serviceDescribesItself() throws {
        struct Info: Decodable {
            let vendor, product, version, url: String; let interfaces: [String]
        }
        let service = try TestService()
        let client = try service.connect()
        let info = try client.call("org.varlink.service.GetInfo", Empty(), as: Info.self)
        #expect(info.vendor == "Example" && info.product == "test")
        #expect(
            info.interfaces == ["org.varlink.service", "org.example.Test", "org.example.Transport"])
        for name in info.interfaces {
            let reply = try client.call(
                "org.varlink.service.GetInterfaceDescription", ["interface": name],
                as: [String: String].self)
            let text = try InterfaceText(try #require(reply["description"]))
            #expect(text.name == name)
        }
    }

    @Test func errorsOfTheTransportMayBelongToAnInterfaceServed() throws {
        let folder = try TemporaryFolder()
        let info = ServiceInfo(
            vendor: "", product: "", version: "", url: "", errorInterface: "org.example.Test")
        let interface = try Interface(
            description: TestService.text, methods: ["Echo": { _, _ in }, "Hang": { _, _ in }])
        let server = VarlinkServer(
            socket: try ListeningSocket(path: folder.path + "/s"), info: info,
            interfaces: [interface])
        server.start()
        let client = try VarlinkClient.connect(path: folder.path + "/s", milliseconds: 5000)
        let reply = String(decoding: try client.call("org.varlink.service.GetInfo"), as: UTF8.self)
        #expect(reply.contains(#"["org.varlink.service","org.example.Test"]"#))
        let error = #expect(throws: VarlinkError.self) { try client.call("org.example.Test.Hang") }
        #expect(error?.name == "org.example.Test.InternalError")
        server.stop()
    }

    @Test(arguments: [
        (
            #"{"method":"org.example.None.A"}"#,
            #"InterfaceNotFound","parameters":{"interface":"org.example.None"}"#
        ),
        (
            #"{"method":"org.example.Test.None"}"#,
            #"MethodNotFound","parameters":{"method":"org.example.Test.None"}"#
        ),
        (#"{"method":"org.varlink.service.None"}"#, "MethodNotFound"),
        (#"{"method":"org.example.Test.Missing"}"#, "MethodNotImplemented"),
        (#"{"method":"org.example.Test.Echo","upgrade":true}"#, "MethodNotImplemented"),
        (#"{"method":"Echo"}"#, #"InvalidParameter","parameters":{"parameter":"method"}"#),
        (#"{"method":7}"#, #"{"parameter":"method"}"#),
        (#"{}"#, #"{"parameter":"method"}"#),
        (#"{"method":"org.example.Test.Echo","more":1}"#, #"{"parameter":"more"}"#),
        (#"{"method":"org.example.Test.Echo","parameters":[]}"#, #"{"parameter":"parameters"}"#),
        (#"{"method":"org.example.Test.Echo","params":{"text":"a"}}"#, #"{"parameter":"params"}"#),
        (
            #"{"method":"org.example.Test.Echo"}"#,
            #"InvalidParameter","parameters":{"parameter":"text"}"#
        ),
        (#"{"method":"org.example.Test.Echo","parameters":{"text":1}}"#, #"{"parameter":"text"}"#),
        (
            #"{"method":"org.example.Test.Echo","parameters":{"text":"a","txt":1}}"#,
            #"{"parameter":"txt"}"#
        ),
        (
            #"{"method":"org.example.Test.Echo","parameters":{"text":"a","text":"b"}}"#,
            #"{"parameter":"text"}"#
        ),
        (
            #"{"method":"org.example.Test.Echo","parameters":{"text":"a","filter":{"tag":1}}}"#,
            #"{"parameter":"filter.tag"}"#
        ),
        (
            #"{"method":"org.example.Test.Echo","parameters":{"text":"","filter":{"by":{"x":{"l":1}}}}}"#,
            #"{"parameter":"filter.by.x.l"}"#
        ),
        (#"{"method":"org.varlink.service.GetInfo","parameters":{"a":1}}"#, #"{"parameter":"a"}"#),
        (#"{"method":"org.example.Test.Count","parameters":{"to":1.5}}"#, #"{"parameter":"to"}"#),
        (#"{"method":"org.example.Test.Count","parameters":{"to":1e400}}"#, #"{"parameter":"to"}"#),
        (
            #"{"method":"org.example.Test.Count","parameters":{"to":9223372036854775808}}"#,
            #"{"parameter":"to"}"#
        ),
        (#"{"method":"org.example.Test.Count","parameters":{"to":1}}"#, "service.ExpectedMore"),
        (#"{"method":"org.example.Test.Watch"}"#, "service.ExpectedMore"),
        (#"{"method":"org.example.Test.Forget"}"#, "org.example.Transport.InternalError"),
        (
            #"{"method":"org.example.Test.Fail","parameters":{"named":true}}"#,
            #"Test.Refused","parameters":{"why":"so"}"#
        ),
        (
            #"{"method":"org.example.Test.Fail","parameters":{"named":false}}"#,
            "Transport.InternalError"
        ),
    ])
    func wrongCallIsRefusedAndTheConnectionGoesOn(call: String, part: String) throws {
        let service = try TestService()
        let client = try RawClient(path: service.path)
        client.send(
            call + "\0" + #"{"method":"org.example.Test.Echo","parameters":{"text":"on"}}"# + "\0")
        let reply = try #require(try client.receive())
        #expect(reply.contains(part))
        #expect(reply.contains(#""error":"#))
        #expect(try client.receive() == #"{"parameters":{"text":"on"}}"#)
    }

    @Test(arguments: [
        "", "x", "[]", "{", "\"method\"", #"{"method":"a.B"} x"#, #"{"method":"a.B","more":tru}"#,
    ])
    func malformedMessageIsAnsweredAndDisconnected(message: String) throws {
        let service = try TestService()
        let client = try RawClient(path: service.path)
        client.send(message + "\0")
        #expect(try client.receive()?.contains("org.example.Transport.MalformedMessage") == true)
        #expect(try client.receive() == nil)
        #expect(
            try service.connect().call("org.example.Test.Echo", Text(text: "a"), as: Text.self).text
                == "a")
    }

    @Test(arguments: ["[", #"{"a":"#])
    func deepNestingIsMalformed(bracket: String) throws {
        let service = try TestService()
        let client = try RawClient(path: service.path)
        let depth = String(repeating: bracket, count: 100_000)
        client.send(#"{"method":"org.example.Test.Echo","parameters":"# + depth + "\0")
        #expect(try client.receive()?.contains("nested more than") == true)
        #expect(try client.receive() == nil)
    }

    @Test func bytesThatAreNotUTF8AreMalformed() throws {
        let service = try TestService()
        let client = try RawClient(path: service.path)
        client.send(Array(#"{"method":"a.B"#.utf8) + [0xFF] + Array("\"}\0".utf8))
        #expect(try client.receive()?.contains("not UTF-8") == true)
        #expect(try client.receive() == nil)
    }

    @Test func pipelinedCallsAreAnsweredInOrder() throws {
        let service = try TestService()
        let client = try RawClient(path: service.path)
        let calls = (0..<2000).map { number in
            let method = number % 3 == 0 ? "Later" : "Echo"
            return #"{"method":"org.example.Test.\#(method)","parameters":{"text":"\#(number)"}}"#
                + "\0"
        }
        client.send(calls.joined())
        for number in 0..<2000 {
            #expect(try client.receive() == #"{"parameters":{"text":"\#(number)"}}"#)
        }
    }

    @Test func onewayCallHasNoReply() throws {
        let service = try TestService()
        let client = try service.connect()
        try client.callOneway("org.example.Test.Echo", Text(text: "quiet"))
        try client.callOneway("org.example.Test.None", Empty())
        let reply = try client.call("org.example.Test.Echo", Text(text: "loud"), as: Text.self)
        #expect(reply.text == "loud")
        #expect(service.calls.all == ["quiet", "loud"])
    }

    @Test func onewayCallIsExecutedAfterTheClientHasGone() throws {
        let service = try TestService()
        try service.connect().callOneway("org.example.Test.Echo", Text(text: "last will"))
        #expect(service.calls.wait())
        #expect(service.calls.all == ["last will"])
    }

    @Test func halfClosedClientStillGetsItsReplies() throws {
        let service = try TestService()
        let client = try RawClient(path: service.path)
        client.send(#"{"method":"org.example.Test.Later","parameters":{"text":"1"}}"# + "\0")
        client.send(
            #"{"method":"org.example.Test.Count","parameters":{"to":1},"more":true}"# + "\0{")
        client.endSending()
        #expect(try client.receive() == #"{"parameters":{"text":"1"}}"#)
        #expect(try client.receive() == #"{"continues":true,"parameters":{"number":0}}"#)
        #expect(try client.receive() == #"{"parameters":{"number":1}}"#)
        #expect(try client.receive() == nil)
    }

    @Test func streamEndsWithTheFinalReply() throws {
        let service = try TestService()
        let client = try service.connect()
        var numbers: [Int] = []
        try client.callMore("org.example.Test.Count", To(to: 500), as: Number.self) { reply in
            numbers.append(reply.number)
            return true
        }
        #expect(numbers == Array(0...500))
        #expect(
            try client.call("org.example.Test.Echo", Text(text: "next"), as: Text.self).text
                == "next")
        #expect(service.server.streamCount == 0)
    }

    @Test(arguments: [("Watch", true), ("Hang", false)])
    func clientThatGoesCancelsItsCall(method: String, more: Bool) throws {
        let service = try TestService()
        var client: RawClient? = try RawClient(path: service.path)
        client?.send(#"{"method":"org.example.Test.\#(method)","more":\#(more)}"# + "\0")
        if more {
            #expect(try client?.receive()?.contains("continues") == true)
        } else {
            #expect(service.calls.wait())
        }
        #expect(service.server.streamCount == (more ? 1 : 0))
        client = nil
        #expect(service.cancels.wait())
        service.watchers.withLock { $0.removeAll() }
        #expect(eventually { service.server.connectionCount == 0 })
        #expect(service.server.streamCount == 0)
    }

    /// It was not seen to go: its place among the watchers was taken until something happened to be
    /// sent to it, and for good where nothing is.
    @Test(arguments: ["Watch", "Hang"], [true, false])
    func clientThatGoesWhileItIsNotReadCancelsItsCall(method: String, endsItsSide: Bool) throws {
        var limits = Limits()
        limits.messageBytes = 1000
        let service = try TestService(limits: limits)
        var client: RawClient? = try RawClient(path: service.path)
        let more = method == "Watch"
        client?.send(#"{"method":"org.example.Test.\#(method)","more":\#(more)}"# + "\0")
        #expect(eventually { service.watchers.withLock { $0.count } == 1 })
        let echo = #"{"method":"org.example.Test.Echo","parameters":{"text":"ahead"}}"# + "\0"
        if endsItsSide {
            client?.endSending()
        } else {
            client?.send(String(repeating: echo, count: 100))
        }
        // Whoever comes later is seen later.
        _ = try service.connect().call("org.example.Test.Echo", Text(text: "x"), as: Text.self)
        client = nil
        #expect(service.cancels.wait())
        #expect(eventually { service.server.connectionCount == 0 })
        #expect(service.server.streamCount == 0)
    }
}
