import VarlinkWire

/// The call that a connection is answering.
struct Answering {
    let id: UInt64
    let more: Bool
    let oneway: Bool
    var cancel: (@Sendable () -> Void)?
    /// Waits for the client to take what is queued for it.
    var drained: (@Sendable () -> Void)?
}

/// From a message to its handler, and from the handler's replies to the outbox. On the
/// connection's queue.
extension Connection {
    /// Hands one message to its handler, or answers it with an error.
    func begin(_ message: [UInt8]) {
        do throws(CallFault) {
            begin(try Call(message: message))
        } catch {
            switch error {
            case .malformed(let reason): refuse(.malformedMessage(reason: reason))
            case .refused(let error): send(Reply(error).message)
            }
        }
    }

    private func begin(_ call: Call) {
        if call.more, peerGone { return }
        lastID += 1
        let id = lastID
        do {
            let method = try service.method(for: call)
            if call.more, !call.oneway, !registry.beginStream(limit: service.limits.streams) {
                throw TransportError.tooManyStreams(limit: service.limits.streams)
            }
            current = Answering(id: id, more: call.more && !call.oneway, oneway: call.oneway)
            try method(call, Responder(connection: self, id: id))
        } catch {
            if !call.oneway { send(reply(for: error).message) }
            endCurrent(cancelled: false)
        }
    }

    private func reply(for error: any Error) -> Reply {
        switch error {
        case let error as VarlinkError: Reply(error)
        case let error as TransportError: service.reply(error)
        default: service.reply(.internalError("\(error)"))
        }
    }

    /// A handler's reply.
    func answer(_ id: UInt64, encoding parameters: some Encodable, continues: Bool) {
        guard let current, current.id == id else { return }
        if current.oneway || isPeerGone {
            return answer(id, Reply(rawParameters: Array("{}".utf8), continues: continues))
        }
        do {
            answer(id, Reply(rawParameters: try JSON.encode(parameters), continues: continues))
        } catch {
            answer(id, service.reply(.internalError("the reply cannot be encoded: \(error)")))
        }
    }

    /// A handler's reply. Takes the next call when it is the final one.
    func answer(_ id: UInt64, _ reply: Reply) {
        guard let current, current.id == id else { return }
        let reply = current.oneway ? reply : checked(reply, for: current)
        if reply.continues, isOverfull { return close() }
        if !current.oneway { send(reply.message) }
        if reply.continues { return }
        endCurrent(cancelled: false)
        pump()
    }

    /// The reply itself, or the error to send in its place.
    private func checked(_ reply: Reply, for call: Answering) -> Reply {
        if reply.continues, !call.more { return Reply(VarlinkError.expectedMore) }
        if reply.rawParameters.count > service.limits.replyBytes {
            return service.reply(.replyTooLong(limit: service.limits.replyBytes))
        }
        if reply.rawParameters.first != UInt8(ascii: "{") || reply.rawParameters.contains(0) {
            return service.reply(.internalError("the reply is not a JSON object"))
        }
        return reply
    }

    /// A responder was let go.
    func abandon(_ id: UInt64) {
        guard current?.id == id else { return }
        answer(id, service.reply(.internalError("the call was not answered")))
    }

    func setCancel(_ id: UInt64, _ action: @escaping @Sendable () -> Void) {
        if current?.id == id { current?.cancel = action } else if wasCancelled(id) { action() }
    }

    func setDrained(_ id: UInt64, _ action: @escaping @Sendable () -> Void) {
        guard current?.id == id else { return }
        current?.drained = action
        tellDrained()
    }

    /// Lets a stream that waits for its reader go on.
    func tellDrained() {
        guard isDrained, let action = current?.drained else { return }
        current?.drained = nil
        action()
    }

    /// Leaves the current call.
    func endCurrent(cancelled: Bool) {
        guard let call = current else { return }
        current = nil
        if call.more { registry.endStream() }
        guard cancelled else { return }
        lastCancelled = call.id
        call.cancel?()
    }

    /// Calls end in their order, and after a cancelled one the connection ends too.
    private func wasCancelled(_ id: UInt64) -> Bool { lastCancelled == id }
}
