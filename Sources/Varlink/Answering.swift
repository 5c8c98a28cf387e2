import Glibc
import Synchronization
import VarlinkWire

/// A call that a connection is answering.
struct Answering {
    let id: UInt64
    let more: Bool
    let oneway: Bool
    /// What the call takes in memory, as it came.
    let bytes: Int
    /// Whether others may be begun before it is answered.
    let overlaps: Bool
    var cancel: (@Sendable () -> Void)?
    /// Waits for the client to take what is queued for it.
    var drained: (@Sendable () -> Void)?
    /// The reply that is final, until it is its turn.
    var reply: Reply?
}

/// What a handler gives.
enum Answer: Sendable {
    case reply(Reply)
    /// To be encoded, if somebody takes it.
    case value(any Encodable & Sendable, continues: Bool)
}

/// What handlers have given and the connection's queue has not taken yet.
struct Given {
    var answers: [(id: UInt64, answer: Answer)] = []
    /// The queue is in a handler, and takes what is there when that is over.
    var isTaken = false
}

/// A call that has come but may not be begun yet.
struct NextCall {
    let call: Result<Call, CallFault>
    let bytes: Int
    let overlaps: Bool
}

/// From a message to its handler, and from the handler's replies to the outbox. On the
/// connection's queue.
///
/// Calls whose methods allow it are begun before those in front of them are answered, so that a
/// client that sends ahead does not wait for the disk with each of them. Replies go out in the order
/// of the calls, whatever the order in which they are made.
extension Connection {
    func read(_ message: [UInt8]) -> NextCall {
        let call = Result { () throws(CallFault) in try Call(message: message) }
        let overlaps = (try? call.get()).map(service.overlaps) ?? false
        return NextCall(call: call, bytes: message.count, overlaps: overlaps)
    }

    /// Whether one more may be begun.
    var hasRoomForCall: Bool {
        guard let last = answering.last else { return true }
        return last.overlaps && answering.count < service.limits.callsAhead
            && bytesAhead < service.limits.messageBytes
    }

    /// Hands a call to its handler, or answers it with an error.
    func begin(_ next: NextCall) {
        switch next.call {
        case .success(let call): begin(call, next)
        case .failure(.refused(let error)): conclude(Reply(error))
        case .failure(.malformed(let reason)): refuse(.malformedMessage(reason: reason))
        }
    }

    private func begin(_ call: Call, _ next: NextCall) {
        let isForClient = call.more || service.onlyReads(call)
        if isForClient, !peerGone { peerGone = isPeerGone }
        if isForClient, peerGone { return }
        registry.noteCall(self)
        let isStream = call.more && !call.oneway
        let isTooMany = isStream && !registry.beginStream()
        let id = take(
            more: isStream && !isTooMany, oneway: call.oneway, bytes: next.bytes,
            overlaps: next.overlaps)
        do {
            let method = try service.method(for: call)
            if isTooMany { throw TransportError.tooManyStreams(limit: service.limits.streams) }
            given.withLock { $0.isTaken = true }
            try method(call, Responder(connection: self, id: id))
        } catch {
            end(id, reply(for: error))
        }
        // What needs no other queue costs no change of thread.
        settleGiven()
    }

    private func take(more: Bool, oneway: Bool, bytes: Int, overlaps: Bool) -> UInt64 {
        lastID += 1
        bytesAhead += bytes
        answering.append(
            Answering(id: lastID, more: more, oneway: oneway, bytes: bytes, overlaps: overlaps))
        return lastID
    }

    /// An error in its turn, for what is no call.
    func conclude(_ reply: Reply) {
        end(take(more: false, oneway: false, bytes: 0, overlaps: false), reply)
    }

    private func reply(for error: any Error) -> Reply {
        switch error {
        case let error as VarlinkError: Reply(error)
        case let error as TransportError: service.reply(error)
        default: service.reply(.internalError("\(error)"))
        }
    }

    /// A handler's answer, from any queue. Many that come in a row are taken in one go.
    func give(_ answer: Answer, to id: UInt64) {
        let isToBeTaken = given.withLock { given in
            given.answers.append((id, answer))
            return given.answers.count == 1 && !given.isTaken
        }
        if isToBeTaken { perform { if $0.settleGiven() { $0.pump() } } }
    }

    /// What handlers have given since this was done last, in its order; what is final goes out
    /// together.
    /// - Returns: whether anything was final, so that further calls may be taken.
    @discardableResult
    private func settleGiven() -> Bool {
        let answers = given.withLock { given in
            defer { given = Given() }
            return given.answers
        }
        var isAnyFinal = false
        for (id, answer) in answers where !isClosed {
            if settle(id, answer) { isAnyFinal = true }
        }
        if isAnyFinal { sendEnded() }
        return isAnyFinal
    }

    /// - Returns: whether it was the final one.
    private func settle(_ id: UInt64, _ answer: Answer) -> Bool {
        guard let place = place(of: id) else { return false }
        let call = answering[place]
        var reply = reply(answer, to: call)
        if !call.oneway { reply = checked(reply, for: call) }
        guard reply.continues else {
            answering[place].reply = reply
            return true
        }
        // A stream is alone.
        if isOverfull {
            close()
        } else if !call.oneway {
            send(reply.message)
        }
        return false
    }

    private func reply(_ answer: Answer, to call: Answering) -> Reply {
        switch answer {
        case .reply(let reply): return reply
        case .value(_, let continues) where call.oneway || isPeerGone:
            return Reply(rawParameters: Array("{}".utf8), continues: continues)
        case .value(let value, let continues):
            do {
                return Reply(rawParameters: try JSON.encode(value), continues: continues)
            } catch {
                return service.reply(.internalError("the reply cannot be encoded: \(error)"))
            }
        }
    }

    /// A final reply from here.
    private func end(_ id: UInt64, _ reply: Reply) {
        guard let place = place(of: id) else { return }
        answering[place].reply = reply
        sendEnded()
    }

    /// Final replies go out as soon as those before them have.
    private func sendEnded() {
        var ended = 0
        for call in answering {
            guard let reply = call.reply else { break }
            ended += 1
            bytesAhead -= call.bytes
            if call.more { registry.endStream() }
            if !call.oneway { enqueue(reply.message) }
        }
        answering.removeFirst(ended)
        if ended > 0 { sendQueued() }
    }

    /// The reply itself, or the error to send in its place.
    private func checked(_ reply: Reply, for call: Answering) -> Reply {
        if reply.continues, !call.more { return Reply(VarlinkError.expectedMore) }
        if reply.rawParameters.count > service.limits.replyBytes {
            return service.reply(.replyTooLong(limit: service.limits.replyBytes))
        }
        if reply.rawParameters.first != UInt8(ascii: "{") || reply.hasNUL {
            return service.reply(.internalError("the reply is not a JSON object"))
        }
        return reply
    }

    /// A responder was let go.
    func abandon(_ id: UInt64) {
        guard let place = place(of: id), answering[place].reply == nil else { return }
        end(id, service.reply(.internalError("the call was not answered")))
        pump()
    }

    func setCancel(_ id: UInt64, _ action: @escaping @Sendable () -> Void) {
        if let place = place(of: id) {
            answering[place].cancel = action
        } else if cancelled?.contains(id) == true {
            action()
        }
    }

    func setDrained(_ id: UInt64, _ action: @escaping @Sendable () -> Void) {
        guard let place = place(of: id) else { return }
        answering[place].drained = action
        tellDrained()
    }

    /// Lets a stream that waits for its reader go on.
    func tellDrained() {
        guard isDrained, let action = answering.first?.drained else { return }
        answering[0].drained = nil
        action()
    }

    /// The client has closed both directions.
    func leaveClient() {
        peerGone = true
        cancelCalls()
    }

    /// Leaves all calls, unanswered.
    func cancelCalls() {
        guard let first = answering.first, let last = answering.last else { return }
        let calls = answering
        (answering, bytesAhead, cancelled) = ([], 0, first.id...last.id)
        for call in calls {
            if call.more { registry.endStream() }
            if call.reply == nil { call.cancel?() }
        }
    }

    /// Calls are numbered in their order, and leave in it. `nil` for one that has left or that has
    /// its final reply.
    private func place(of id: UInt64) -> Int? {
        guard let first = answering.first, id >= first.id else { return nil }
        let place = Int(id - first.id)
        return place < answering.count && answering[place].reply == nil ? place : nil
    }
}

extension Reply {
    /// Whether a NUL would end the message early (memchr(3)).
    fileprivate var hasNUL: Bool {
        rawParameters.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
    }
}
