import RemindAPI
import Varlink
import VarlinkWire

/// The framing of the socket, and what both sides make of a message: a stream that comes in any
/// pieces is cut as it is in one, and any message is read or refused.
enum WireFuzz {
    static func run(_ bytes: [UInt8]) throws {
        var steering = Steering(bytes)
        let limit = [1, 3, 16, 255, 4096][Int(steering.byte()) % 5]
        let pieces = (0..<3).map { _ in Int(steering.byte()) + 1 }
        let stream = steering.remainder()
        let expected = cut(stream, limit: limit)
        let found = frame(stream, pieces: pieces, limit: limit)
        try require(
            found.messages == expected.messages && found.fault == expected.fault,
            "pieces of \(pieces) give \(found), not \(expected)")
        for message in expected.messages.prefix(50) { try read(message) }
    }

    private struct Cut: Equatable {
        var messages: [[UInt8]] = []
        var fault: Framer.Fault?
    }

    /// What a framer must do, said in another way.
    private static func cut(_ stream: [UInt8], limit: Int) -> Cut {
        var cut = Cut()
        var parts = stream.split(separator: 0, omittingEmptySubsequences: false)
        let rest = parts.popLast() ?? []
        for part in parts {
            if part.isEmpty { cut.fault = .emptyMessage }
            if part.count > limit { cut.fault = .messageTooLong(limit: limit) }
            if cut.fault != nil { return cut }
            cut.messages.append(Array(part))
        }
        if rest.count > limit { cut.fault = .messageTooLong(limit: limit) }
        return cut
    }

    private static func frame(_ stream: [UInt8], pieces: [Int], limit: Int) -> Cut {
        var (framer, cut, start, turn) = (Framer(limit: limit), Cut(), 0, 0)
        do throws(Framer.Fault) {
            while start < stream.count {
                let end = min(stream.count, start + pieces[turn % pieces.count])
                stream[start..<end].withUnsafeBytes { framer.append($0) }
                while let message = try framer.next() { cut.messages.append(message) }
                (start, turn) = (end, turn + 1)
            }
        } catch {
            cut.fault = error
        }
        return cut
    }

    private static func read(_ message: [UInt8]) throws {
        _ = try? Call(message: message)
        if let members = try? JSONScan.members(of: message) {
            for member in members {
                try require(message.indices.contains(member.value), "outside of the message")
                _ = try? JSONScan.string(of: message, at: member.value)
            }
        }
        if let reply = try? Reply(message: message), reply.error == nil {
            let again = try Reply(message: Array(reply.message.dropLast()))
            try require(again == reply, "a reply that is sent on is another one")
        }
        _ = try? ReplyReading<List.Reply>(message)
        var json = JSONReader(message)
        _ = try? ReminderRecord(reading: &json)
        json = JSONReader(message)
        _ = try? Import.Item(reading: &json)
        json = JSONReader(message)
        _ = try? Changes.Change(reading: &json)
    }

    /// What a client decodes.
    private struct ReplyReading<Value: Decodable> {
        init(_ message: [UInt8]) throws { _ = try JSON.decode(Value.self, from: message) }
    }
}
