import Glibc

/// Many durable adds: `clients` connections at once, each with up to `ahead` calls under way.
struct Load {
    let socket: String
    let clients: Int
    let ahead: Int
    let calls: Int
    /// The deadline of all, a phrase.
    var at = "2040-05-01 09:00"

    private struct Client {
        let descriptor: Int32
        var pending = 0
        var outgoing: ArraySlice<UInt8> = []
    }

    private var message: [UInt8] {
        let call = #"{"method":"org.remindd.Reminders.Add","parameters":"#
        return Array((call + #"{"title":"Pay rent","at":"\#(at)"}}"#).utf8) + [0]
    }

    /// - Returns: adds a second.
    /// - Throws: `BenchmarkFailure` when the daemon hangs up or answers an error.
    func run() throws -> Double {
        var connections = try (0..<clients).map { _ in Client(descriptor: try connected()) }
        defer { for client in connections { close(client.descriptor) } }
        var (begun, ended) = (0, 0)
        let message = message
        let start = monotonic()
        while ended < calls {
            for index in connections.indices {
                let room = min(ahead - connections[index].pending, calls - begun)
                if room > 0 {
                    begun += room
                    connections[index].pending += room
                    for _ in 0..<room { connections[index].outgoing += message }
                }
                try send(&connections[index])
            }
            ended += try receive(&connections)
        }
        return Double(calls) / (monotonic() - start) * 1e9
    }

    private func connected() throws -> Int32 {
        let descriptor = Glibc.socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard withUnixAddress(socket, { connect(descriptor, $0, $1) }) == 0 else {
            throw BenchmarkFailure(description: "connect \(socket): \(errno)")
        }
        return descriptor
    }

    private func send(_ client: inout Client) throws {
        while !client.outgoing.isEmpty {
            let count = client.outgoing.withUnsafeBytes {
                Glibc.send(client.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { throw BenchmarkFailure(description: "send: \(errno)") }
            client.outgoing = client.outgoing.dropFirst(count)
        }
        client.outgoing = []
    }

    /// Waits until something moves. - Returns: how many replies came.
    private func receive(_ connections: inout [Client]) throws -> Int {
        var waiting = connections.map {
            pollfd(
                fd: $0.descriptor,
                events: Int16(POLLIN) | ($0.outgoing.isEmpty ? 0 : Int16(POLLOUT)), revents: 0)
        }
        guard poll(&waiting, nfds_t(waiting.count), 60_000) > 0 else {
            throw BenchmarkFailure(description: "the daemon does not answer")
        }
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var replies = 0
        for index in waiting.indices where waiting[index].revents & Int16(POLLIN) != 0 {
            let count = read(connections[index].descriptor, &buffer, buffer.count)
            guard count > 0 else { throw BenchmarkFailure(description: "hung up: \(errno)") }
            let ended = buffer[..<count].count { $0 == 0 }
            connections[index].pending -= ended
            replies += ended
        }
        return replies
    }
}
