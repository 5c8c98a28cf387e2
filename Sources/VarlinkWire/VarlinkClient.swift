import Glibc

/// A blocking client for one connection; for one thread. Plain system calls, so that a program
/// that makes one call starts and ends in no time.
package final class VarlinkClient {
    let fd: Int32
    private var milliseconds: Int?
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

    /// Waits for as long as it takes from now on: for a stream whose next reply may come in days.
    /// - Throws: `ClientError`.
    package func waitWithoutLimit() throws(ClientError) {
        guard milliseconds != nil else { return }
        do { try Syscalls.setTimeout(fd, milliseconds: 0) } catch { throw .system(error) }
        milliseconds = nil
    }

    private static func connectError(
        _ error: SystemError, path: String, milliseconds: Int?
    ) -> ClientError {
        switch error.code {
        case ENOENT, ENOTDIR, ECONNREFUSED, EPROTOTYPE, ELOOP: .notRunning(path: path)
        case EACCES, EPERM: .denied(path: path)
        case EAGAIN: .timedOut(milliseconds: milliseconds ?? 0)
        default: .system(error)
        }
    }
}

/// Calls with parameters that are JSON already, and replies that stay so.
extension VarlinkClient {
    /// As `call`, with the JSON object of the parameters in and out; nil sends none.
    package func call(_ method: String, rawParameters: [UInt8]? = nil) throws -> [UInt8] {
        let refused = sendCall(Self.message(method: method, rawParameters: rawParameters))
        return try receive(after: refused).success()
    }

    /// As `callMore`, with the JSON object of the parameters in and out; nil sends none.
    package func callMore(
        _ method: String, rawParameters: [UInt8]? = nil, each: ([UInt8]) throws -> Bool
    ) throws {
        let message = Self.message(method: method, rawParameters: rawParameters, more: true)
        var refused = sendCall(message)
        while true {
            let reply = try receive(after: refused)
            refused = nil
            let goesOn = try each(reply.success())
            if !reply.continues || !goesOn { return }
        }
    }

    /// Calls a method without waiting: there is no reply.
    /// - Throws: `ClientError`.
    package func callOneway(_ method: String, rawParameters: [UInt8]? = nil) throws(ClientError) {
        try send(Self.message(method: method, rawParameters: rawParameters, oneway: true))
    }

    /// A call as bytes with its NUL.
    /// - Parameter method: letters, digits, dots and dashes, as Varlink's names are.
    package static func message(
        method: String, rawParameters: [UInt8]?, more: Bool = false, oneway: Bool = false
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(method.utf8.count + (rawParameters?.count ?? 0) + 64)
        bytes += "{\"method\":\"".utf8
        bytes += method.utf8
        bytes += "\"".utf8
        if let rawParameters {
            bytes += ",\"parameters\":".utf8
            bytes += rawParameters
        }
        if more { bytes += ",\"more\":true".utf8 }
        if oneway { bytes += ",\"oneway\":true".utf8 }
        bytes += [UInt8(ascii: "}"), 0]
        return bytes
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
    func send(_ message: [UInt8]) throws(ClientError) {
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
            if let message = try nextMessage() { return try Self.reply(message) }
            try readSome()
        }
    }

    static func reply(_ message: [UInt8]) throws(ClientError) -> Reply {
        do {
            return try Reply(message: message)
        } catch {
            throw .malformedReply("it is not a Varlink reply")
        }
    }

    func nextMessage() throws(ClientError) -> [UInt8]? {
        do {
            return try framer.next()
        } catch .messageTooLong(let limit) {
            throw .replyTooLong(limit: limit)
        } catch {
            throw .malformedReply("it is empty")
        }
    }

    func readSome() throws(ClientError) {
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
