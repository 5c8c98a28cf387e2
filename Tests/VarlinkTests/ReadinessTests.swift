import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Varlink
import VarlinkWire

@Suite struct ReadinessTests {
    /// Two ends of a connection, closed with the value.
    private final class Pair: Sendable {
        let ours: Int32
        let theirs: Int32

        init() throws {
            var ends: [Int32] = [0, 0]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
            (ours, theirs) = (ends[0], ends[1])
        }

        func write() { _ = Glibc.write(theirs, "x", 1) }

        func read() {
            var byte: UInt8 = 0
            _ = Glibc.read(ours, &byte, 1)
        }

        deinit {
            close(ours)
            close(theirs)
        }
    }

    private let queue = DispatchQueue(label: "test.readiness")

    @Test func toldAsOftenAsThereIsSomethingToRead() throws {
        let (pair, told, ended) = (try Pair(), Events<Int>(), Events<Int>())
        let source = SwitchedSource.reading(
            pair.ours, on: queue,
            {
                pair.read()
                told.add(1)
            }, ended: { ended.add(1) })
        queue.sync { source.turn(on: true) }
        for _ in 0..<3 {
            pair.write()
            #expect(told.wait())
        }
        queue.sync { source.cancel() }
        #expect(ended.wait())
        pair.write()
        queue.sync {}
        #expect(told.all.count == 3)
    }

    @Test func whatCameWhileItWasOffIsToldWhenItIsOn() throws {
        let (pair, told) = (try Pair(), Events<Int>())
        let source = SwitchedSource.reading(pair.ours, on: queue, { told.add(1) })
        queue.sync {
            source.turn(on: true)
            source.turn(on: false)
        }
        shutdown(pair.theirs, Int32(SHUT_RDWR))
        queue.sync {}
        #expect(told.all.isEmpty)
        queue.sync { source.turn(on: true) }
        #expect(told.wait())
        queue.sync { source.cancel() }
    }

    /// libdispatch's own sources crashed here once in a while: its thread for events went on with
    /// what the queue had freed.
    @Test func clientsThatHangUpWhileTheirCallsAreAnsweredDoNoHarm() throws {
        let service = try TestService()
        let path = service.path
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for number in 0..<30 {
                guard let client = try? RawClient(path: path) else { continue }
                client.send(#"{"method":"org.example.Test.Big","parameters":{"bytes":250000}}"#)
                if number % 3 > 0 { client.send("\0") }
                if number % 3 > 1 { client.endSending() }
            }
        }
        let client = try service.connect(milliseconds: 20_000)
        #expect(
            try client.call("org.example.Test.Echo", Text(text: "x"), as: Text.self).text == "x")
        #expect(eventually { service.server.connectionCount == 1 })
    }
}
