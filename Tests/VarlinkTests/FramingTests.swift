import Testing

@testable import Varlink
import VarlinkWire

@Suite struct FramingTests {
    private static func whole(_ bytes: [UInt8], limit: Int = 1000) -> ([[UInt8]], Framer.Fault?) {
        pieces([bytes], limit: limit)
    }

    /// The messages of a stream that comes in these pieces, and what was wrong with it.
    private static func pieces(_ pieces: [[UInt8]], limit: Int) -> ([[UInt8]], Framer.Fault?) {
        var framer = Framer(limit: limit)
        var messages: [[UInt8]] = []
        for piece in pieces {
            piece.withUnsafeBytes { framer.append($0) }
            do {
                while let message = try framer.next() { messages.append(message) }
            } catch {
                return (messages, error)
            }
        }
        return (messages, nil)
    }

    @Test func messagesAreTheSameHoweverTheBytesAreCut() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let messages: [[UInt8]] = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
                (0..<Int.random(in: 1...200, using: &random)).map { _ in UInt8.random(in: 1...255) }
            }
            let bytes: [UInt8] = messages.flatMap { $0 + [0] as [UInt8] } + [7, 7]
            #expect(Self.whole(bytes).0 == messages)
            #expect(Self.pieces(bytes.map { [$0] }, limit: 1000).0 == messages)
            var cut: [[UInt8]] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                cut.append(Array(rest.prefix(Int.random(in: 1...300, using: &random))))
                rest = rest.dropFirst(cut.last?.count ?? 0)
            }
            #expect(Self.pieces(cut, limit: 1000).0 == messages)
        }
    }

    @Test(arguments: [
        (9, true), (10, true), (11, false),
    ])
    func limitCountsTheBytesBeforeTheNUL(count: Int, fits: Bool) {
        let message = [UInt8](repeating: 65, count: count)
        let (messages, fault) = Self.whole(message + [0], limit: 10)
        #expect(messages == (fits ? [message] : []))
        #expect(fault == (fits ? nil : .messageTooLong(limit: 10)))
        #expect(Self.whole(message, limit: 10).1 == (fits ? nil : .messageTooLong(limit: 10)))
    }

    @Test(arguments: [[0], [65, 0, 0], [0, 65, 0]])
    func emptyMessageIsAFaultThatStays(bytes: [UInt8]) throws {
        var framer = Framer(limit: 10)
        bytes.withUnsafeBytes { framer.append($0) }
        if bytes[0] != 0 { #expect(try framer.next() == [65]) }
        for _ in 0..<2 {
            #expect(throws: Framer.Fault.emptyMessage) { try framer.next() }
        }
    }

    @Test func countIsWhatHasNotBeenTaken() throws {
        var framer = Framer(limit: 10)
        [65, 66, 0, 67 as UInt8].withUnsafeBytes { framer.append($0) }
        #expect(framer.count == 4)
        #expect(try framer.next() == [65, 66])
        #expect(framer.count == 1)
        #expect(try framer.next() == nil)
        #expect(framer.count == 1)
    }

    @Test func twoHundredThousandTinyMessagesTakeLinearTime() throws {
        var framer = Framer(limit: 10)
        let bytes = (0..<400_000).map { $0 % 2 == 0 ? 65 : 0 as UInt8 }
        bytes.withUnsafeBytes { framer.append($0) }
        var count = 0
        let clock = ContinuousClock()
        let time = try clock.measure {
            while try framer.next() != nil { count += 1 }
        }
        #expect(count == 200_000)
        #expect(time < .seconds(20))
    }
}
