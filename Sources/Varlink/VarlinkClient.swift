import Glibc

/// A blocking client for one connection; for one thread. Plain system calls, so that a program
/// that makes one call starts and ends in no time.
package final class VarlinkClient {
    private let fd: Int32
    private let milliseconds: Int?
    private var framer: Framer

    private init(fd: Int32, milliseconds: Int?, replyBytes: Int) {
        self.fd = fd
        self.milliseconds = milliseconds
        framer = Framer(limit: replyBytes)
    }

    deinit {
        close(fd)
    }

    /// Connects to the socket at `path`.
    /// - Parameters:
    ///   - milliseconds: how long to wait at most for the connection, for the service to take a
    ///     call, and for each piece of a reply; nil waits forever.
    ///   - replyBytes: the largest reply taken.
    /// - Throws: `SocketAddress.Invalid`, `ClientError`.
    package static func connect(
        path: String, milliseconds: Int? = nil, replyBytes: Int = Limits.replyBytesDefault
    ) throws -> VarlinkClient {
        let address = try SocketAddress(path: path)
        let client: VarlinkClient
        do {
            client = VarlinkClient(
                fd: try Syscalls.unixStream(), milliseconds: milliseconds, replyBytes: replyBytes)
            if let milliseconds { try Syscalls.setTimeout(client.fd, milliseconds: milliseconds) }
            try Syscalls.connect(client.fd, address)
        } catch {
            throw Self.connectError(error, path: path, milliseconds: milliseconds)
        }
        return client
    }

    private static func connectError(
        _ error: SystemError, path: String, milliseconds: Int?
    ) -> ClientError {
        switch error.code {
        case ENOENT, ENOTDIR, ECONNREFUSED: .notRunning(path: path)
        case EACCES, EPERM: .denied(path: path)
        case EAGAIN: .timedOut(milliseconds: milliseconds ?? 0)
        default: .system(error)
        }
    }
}

/// Calls with typed parameters.
extension VarlinkClient {
    /// Calls a method and waits for its reply.
    /// - Parameter method: qualified, `org.remindd.Reminders.Add`.
    /// - Throws: `VarlinkError` when the service replies one, `ClientError`.
    package func call<R: Decodable>(
        _ method: String, _ parameters: some Encodable, as type: R.Type = R.self
    ) throws -> R {
        try decode(type, call(method, rawParameters: JSON.encode(parameters)))
    }

    /// Calls a method with `more` and hands on each reply until the final one, or until `each`
    /// returns false; the connection cannot be used again after that.
    /// - Throws: `VarlinkError` when the service replies one, `ClientError`, and what `each` throws.
    package func callMore<R: Decodable>(
        _ method: String, _ parameters: some Encodable, as type: R.Type = R.self,
        each: (R) throws -> Bool
    ) throws {
        try callMore(method, rawParameters: JSON.encode(parameters)) { try each(decode(type, $0)) }
    }

    /// Calls a method without waiting: there is no reply.
    /// - Throws: `ClientError`.
    package func callOneway(_ method: String, _ parameters: some Encodable) throws {
        let encoded = try JSON.encode(parameters)
        try send(Call.message(method: method, rawParameters: encoded, oneway: true))
    }

    private func decode<R: Decodable>(_ type: R.Type, _ bytes: [UInt8]) throws(ClientError) -> R {
        do {
            return try JSON.decode(type, from: bytes)
        } catch {
            throw .malformedReply(
                "its field ‘\(JSON.path(of: error))’ is missing or of another type")
        }
    }
}

/// Calls with parameters that are JSON already, and replies that stay so.
extension VarlinkClient {
    /// As `call`, with the JSON object of the parameters in and out; nil sends none.
    package func call(_ method: String, rawParameters: [UInt8]? = nil) throws -> [UInt8] {
        let refused = sendCall(try Call.message(method: method, rawParameters: rawParameters))
        return try receive(after: refused).success()
    }

    /// As `callMore`, with the JSON object of the parameters in and out; nil sends none.
    package func callMore(
        _ method: String, rawParameters: [UInt8]? = nil, each: ([UInt8]) throws -> Bool
    ) throws {
        let message = try Call.message(method: method, rawParameters: rawParameters, more: true)
        var refused = sendCall(message)
        while true {
            let reply = try receive(after: refused)
            refused = nil
            let goesOn = try each(reply.success())
            if !reply.continues || !goesOn { return }
        }
    }

    /// Sends a call. A service that refuses us replies so and closes, perhaps before the whole call
    /// is sent: that failure is returned, to be thrown only when there is no reply to read.
    private func sendCall(_ message: [UInt8]) -> ClientError? {
        do {
            try send(message)
            return nil
        } catch {
            return error
        }
    }

    private func receive(after refused: ClientError?) throws(ClientError) -> Reply {
        do {
            return try receive()
        } catch {
            throw refused ?? error
        }
    }
}

/// Messages over the socket.
extension VarlinkClient {
    private func send(_ message: [UInt8]) throws(ClientError) {
        var sent = 0
        while sent < message.count {
            do {
                let transfer = try Syscalls.send(fd, message, from: sent)
                guard case .moved(let count) = transfer else { break }
                sent += count
            } catch {
                throw transportError(error)
            }
        }
        if sent < message.count { throw timedOut }
    }

    private func receive() throws(ClientError) -> Reply {
        while true {
            if let message = try nextMessage() {
                do {
                    return try Reply(message: message)
                } catch {
                    throw .malformedReply("it is not a Varlink reply")
                }
            }
            try readSome()
        }
    }

    private func nextMessage() throws(ClientError) -> [UInt8]? {
        do {
            return try framer.next()
        } catch .messageTooLong(let limit) {
            throw .replyTooLong(limit: limit)
        } catch {
            throw .malformedReply("it is empty")
        }
    }

    private func readSome() throws(ClientError) {
        let transfer: Syscalls.Transfer
        do {
            transfer = try Syscalls.receive(fd) { framer.append($0) }
        } catch {
            throw transportError(error)
        }
        switch transfer {
        case .moved: return
        case .blocked: throw timedOut
        case .ended: throw .disconnected
        }
    }

    private var timedOut: ClientError { .timedOut(milliseconds: milliseconds ?? 0) }

    private func transportError(_ error: SystemError) -> ClientError {
        error.code == EPIPE || error.code == ECONNRESET ? .disconnected : .system(error)
    }
}
