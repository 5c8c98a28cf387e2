import Synchronization
import Testing

@testable import Varlink
import VarlinkWire

/// A long stream goes no faster than its reader.
@Suite struct BackPressureTests {
    private static let piece = String(repeating: "x", count: 64 << 10)
    private static let turn = 16

    /// Sends as many pieces as are asked for, a turn at a time.
    private final class Source: Sendable {
        private let made = Mutex(0)

        var count: Int { made.withLock { $0 } }

        func go(_ responder: Responder, to last: Int) {
            for _ in 0..<BackPressureTests.turn {
                let number = made.withLock { made in
                    made += 1
                    return made
                }
                responder.reply(Text(text: BackPressureTests.piece), continues: number < last)
                if number == last { return }
            }
            responder.whenDrained { [self] in go(responder, to: last) }
        }
    }

    private func server(_ source: Source, in folder: TemporaryFolder) throws -> VarlinkServer {
        let text = """
            interface org.example.Pour
            method Pour(to: int) -> (text: string)
            """
        let interface = try Interface(
            description: text,
            methods: [
                "Pour": { call, responder in
                    source.go(responder, to: try call.parameters(as: To.self).to)
                }
            ])
        let server = VarlinkServer(
            socket: try ListeningSocket(path: folder.path + "/s"), info: TestService.info,
            interfaces: [interface])
        server.start()
        return server
    }

    @Test func longStreamIsBoundedByWhatItsReaderTakes() throws {
        let (folder, source) = (try TemporaryFolder(), Source())
        let server = try server(source, in: folder)
        defer { server.stop() }
        let client = try RawClient(path: folder.path + "/s")
        // 64 MiB: eight times what a stream may have unsent at once.
        let pieces = 1024
        client.send(
            #"{"method":"org.example.Pour.Pour","parameters":{"to":\#(pieces)},"more":true}"#)
        client.send("\0")
        for number in 1...pieces {
            let reply = try #require(try client.receive())
            #expect(reply.utf8.count > Self.piece.utf8.count)
            #expect(reply.contains("\"continues\":true") == (number < pieces))
            // One turn, what may be unsent before the next one, and what the kernel holds.
            #expect(source.count - number <= Self.turn + 4 + 16)
        }
        #expect(source.count == pieces)
    }

    @Test func readerThatGoesEndsTheStream() throws {
        let (folder, source) = (try TemporaryFolder(), Source())
        let server = try server(source, in: folder)
        var client: RawClient? = try RawClient(path: folder.path + "/s")
        client?.send(#"{"method":"org.example.Pour.Pour","parameters":{"to":1000000},"more":true}"#)
        client?.send("\0")
        #expect(try client?.receive() != nil)
        client = nil
        // Its responder is let go with it, so that stopping has nothing to wait for.
        server.stop()
        #expect(source.count < 1_000_000)
    }
}
