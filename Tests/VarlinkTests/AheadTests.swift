import Synchronization
import Testing

@testable import Varlink
import VarlinkWire

/// Clients that send calls without waiting for the replies.
@Suite struct AheadTests {
    /// Keeps what it is asked until the test lets it answer.
    private final class Desk: Sendable {
        let begun = Events<String>()
        let cancelled = Events<String>()
        private let held = Mutex<[(text: Text, responder: Responder)]>([])

        func take(_ call: Call, _ responder: Responder) throws {
            let text = try call.parameters(as: Text.self)
            responder.onCancel { [self] in cancelled.add(text.text) }
            held.withLock { $0.append((text, responder)) }
            begun.add(text.text)
        }

        /// Answers what is held, in this order.
        func answer(_ texts: [String]) {
            for text in texts {
                let found = held.withLock { held in
                    held.firstIndex { $0.text.text == text }.map { held.remove(at: $0) }
                }
                found.map { $0.responder.reply($0.text) }
            }
        }
    }

    private static let text = """
        interface org.example.Desk
        method Ahead(text: string) -> (text: string)
        method InTurn(text: string) -> (text: string)
        """

    private let folder: TemporaryFolder
    private let desk = Desk()
    private let server: VarlinkServer
    private let client: RawClient

    init() throws {
        folder = try TemporaryFolder()
        var limits = Limits()
        (limits.callsAhead, limits.messageBytes) = (4, 1000)
        limits.stopMilliseconds = 60_000
        let interface = try Interface(
            description: Self.text,
            methods: ["Ahead": desk.take, "InTurn": desk.take], overlapping: ["Ahead"])
        server = VarlinkServer(
            socket: try ListeningSocket(path: folder.path + "/s"), info: TestService.info,
            interfaces: [interface], limits: limits)
        server.start()
        client = try RawClient(path: folder.path + "/s")
    }

    private func call(_ method: String, _ text: String) {
        client.send(
            #"{"method":"org.example.Desk.\#(method)","parameters":{"text":"\#(text)"}}"# + "\0")
    }

    private func begun(_ count: Int) -> [String] {
        for _ in 0..<count { #expect(desk.begun.wait(), "it was not begun") }
        return desk.begun.all
    }

    private func replies(_ count: Int) throws -> [String] {
        try (0..<count).map { _ in
            let reply = try #require(try client.receive())
            return String(reply.dropFirst(#"{"parameters":{"text":""#.count).dropLast(3))
        }
    }

    @Test func repliesComeInTheOrderOfTheCallsWhateverThatOfTheAnswers() throws {
        defer { server.stop() }
        for text in ["a", "b", "c"] { call("Ahead", text) }
        #expect(begun(3) == ["a", "b", "c"])
        desk.answer(["c", "b", "a"])
        #expect(try replies(3) == ["a", "b", "c"])
    }

    @Test func methodThatMayNotOverlapWaitsForThoseBeforeItAndHoldsUpThoseBehind() throws {
        defer { server.stop() }
        for (method, text) in [("Ahead", "a"), ("InTurn", "b"), ("Ahead", "c")] {
            call(method, text)
        }
        #expect(begun(1) == ["a"])
        desk.answer(["a"])
        #expect(begun(1) == ["a", "b"])
        desk.answer(["b"])
        #expect(begun(1) == ["a", "b", "c"])
        desk.answer(["c"])
        #expect(try replies(3) == ["a", "b", "c"])
    }

    @Test func callsBeyondTheLimitWaitForOneThatIsAnswered() throws {
        defer { server.stop() }
        let texts = (0..<6).map { "\($0)" }
        for text in texts { call("Ahead", text) }
        #expect(begun(4) == ["0", "1", "2", "3"])
        // One that is answered out of turn still takes its place.
        desk.answer(["1"])
        desk.answer(["0"])
        #expect(begun(2) == texts)
        desk.answer(Array(texts[2...]))
        #expect(try replies(6) == texts)
    }

    @Test func callsThatTakeAsMuchAsOneMessageMayWaitForOneThatIsAnswered() throws {
        defer { server.stop() }
        let texts = ["a", "b", "c"].map { String(repeating: $0, count: 500) }
        for text in texts { call("Ahead", text) }
        #expect(begun(2) == Array(texts[..<2]))
        desk.answer([texts[0]])
        #expect(begun(1) == texts)
        desk.answer(Array(texts[1...]))
        #expect(try replies(3) == texts)
    }

    @Test func refusedCallsAreAnsweredInTheirTurn() throws {
        defer { server.stop() }
        call("Ahead", "a")
        client.send(#"{"method":"org.example.Desk.Ahead","parameters":{"txt":"b"}}"# + "\0")
        call("Ahead", "c")
        #expect(begun(2) == ["a", "c"])
        desk.answer(["c", "a"])
        #expect(try replies(1) == ["a"])
        #expect(try client.receive()?.contains("InvalidParameter") == true)
        #expect(try replies(1) == ["c"])
    }

    @Test func whatIsNoCallIsToldAfterTheRepliesAndEndsTheConnection() throws {
        defer { server.stop() }
        call("Ahead", "a")
        client.send("nonsense\0")
        call("Ahead", "b")
        #expect(begun(1) == ["a"])
        desk.answer(["a"])
        #expect(try replies(1) == ["a"])
        #expect(try client.receive()?.contains("MalformedMessage") == true)
        #expect(try client.receive() == nil)
        #expect(desk.begun.all == ["a"])
    }

    @Test func clientThatEndsItsSideStillGetsAllReplies() throws {
        defer { server.stop() }
        for text in ["a", "b"] { call("Ahead", text) }
        client.endSending()
        _ = begun(2)
        desk.answer(["b", "a"])
        #expect(try replies(2) == ["a", "b"])
        #expect(try client.receive() == nil)
    }

    @Test func clientThatGoesCancelsAllItsCalls() throws {
        let folder = folder
        var gone: RawClient? = try RawClient(path: folder.path + "/s")
        for text in ["a", "b"] {
            gone?.send(
                #"{"method":"org.example.Desk.Ahead","parameters":{"text":"\#(text)"}}"# + "\0")
        }
        #expect(begun(2) == ["a", "b"])
        gone = nil
        for _ in 0..<2 { #expect(desk.cancelled.wait()) }
        #expect(desk.cancelled.all == ["a", "b"])
        // Nobody takes these any more.
        desk.answer(["a", "b"])
        server.stop()
    }

    @Test func stopAnswersTheCallsThatHaveBegun() throws {
        for text in ["a", "b"] { call("Ahead", text) }
        _ = begun(2)
        server.stop()
        desk.answer(["a", "b"])
        #expect(try replies(2) == ["a", "b"])
        #expect(try client.receive() == nil)
    }
}
