import VarlinkWire

/// Messages on their way to one client, sent as far as the client takes them.
struct Outbox {
    private var messages: [[UInt8]] = []
    /// How much of the first message is sent.
    private var sent = 0
    /// Bytes not sent yet.
    private(set) var count = 0

    private static let pieceBytes = 16 << 10

    var isEmpty: Bool { messages.isEmpty }

    /// Small messages are put together, so that many of them are sent in one call.
    mutating func append(_ message: [UInt8]) {
        let last = messages.count - 1
        if last >= 0, messages[last].count + message.count <= Self.pieceBytes {
            messages[last] += message
        } else {
            messages.append(message)
        }
        count += message.count
    }

    /// Sends without waiting until all is sent or the client takes no more.
    mutating func flush(to fd: Int32) throws(SystemError) {
        var done = 0
        defer { messages.removeFirst(done) }
        while done < messages.count {
            guard case .moved(let moved) = try Syscalls.send(fd, messages[done], from: sent) else {
                break
            }
            count -= moved
            sent += moved
            if sent == messages[done].count {
                done += 1
                sent = 0
            }
        }
    }
}
