import Dispatch
import Glibc
import Synchronization
import VarlinkWire

/// One client: reads its calls, has them answered, and sends the replies in the order of the calls.
///
/// Unchecked: every stored variable is touched on `queue` only. Kept alive by the registry.
final class Connection: @unchecked Sendable {
    private let fd: Int32
    let service: Service
    let registry: Registry
    private let closed: () -> Void

    private var framer: Framer
    private var outbox = Outbox()
    /// Made when it has to be waited for what the client sends: many have sent all at once.
    private var reader: SwitchedSource?
    private var writer: SwitchedSource?
    private let stall: StallTimer
    private(set) var isClosed = false
    private var isReading = true
    /// The client sends no more; what it has sent is still answered.
    private var inputEnded = false
    /// The client has closed both directions.
    var peerGone = false
    /// No further call is taken; closed once everything is answered and sent.
    private var isFinishing = false
    /// The calls being answered, in their order.
    var answering: [Answering] = []
    /// What they take in memory.
    var bytesAhead = 0
    /// A call that may not be begun before those have been answered.
    private var next: NextCall?
    var lastID: UInt64 = 0
    /// What handlers have given, on whatever queue, and this queue has not taken yet.
    let given = Mutex(Given())
    /// The calls whose client went away, for actions that are registered after that.
    var cancelled: ClosedRange<UInt64>?
    /// More calls of this client are taken once the queue has done what waits there.
    private var takesSoon = false
    /// What is in the outbox will be sent once the queue has done what waits there.
    private var sendsSoon = false
    /// The outbox was empty before what is in it, so that the client's time begins with it.
    private var isStallDue = false
    /// Whether what all connections have unsent is within the limit.
    private var fits = true

    /// What all connections run on, in the order in which they want something: no client costs
    /// another one a thread, and a connection that comes and goes costs no change of thread.
    static let queue = DispatchQueue(label: "varlink")

    /// - Parameter closed: called after the descriptor was closed.
    init(fd: Int32, service: Service, registry: Registry, closed: @escaping () -> Void) {
        self.fd = fd
        (self.service, self.registry, self.closed) = (service, registry, closed)
        framer = Framer(limit: service.limits.messageBytes)
        stall = StallTimer(queue: Self.queue, milliseconds: service.limits.stallMilliseconds)
    }

    /// Runs `action` on the queue.
    func perform(_ action: @escaping @Sendable (Connection) -> Void) {
        Self.queue.async { action(self) }
    }

    /// Whoever connects has often sent its call already, and may have gone again.
    func start() {
        let state = Syscalls.state(fd)
        peerGone = state.isHungUp
        if state.isReadable { readable() } else { readOn() }
    }

    /// Answers and sends what is under way, cancels a stream, takes no further call, and closes.
    func finish() {
        isFinishing = true
        if answering.first?.more == true { cancelCalls() }
        pump()
    }

    /// Closes if it waits for its client: for a call, or to take what was replied. What has come is
    /// taken in before that.
    /// - Returns: whether it is closed now.
    func closeIfWaiting() -> Bool {
        let hadReplies = !outbox.isEmpty
        if !isClosed, Syscalls.state(fd).isReadable { readable() }
        if isClosed { return true }
        guard isWaiting, hadReplies || outbox.isEmpty else { return false }
        close()
        return true
    }

    /// Whether it is the client who must do something next.
    private var isWaiting: Bool {
        !outbox.isEmpty || (answering.isEmpty && next == nil && !takesSoon)
    }

    /// Whether replies can still arrive. One poll(2), to save the work of encoding them.
    var isPeerGone: Bool { Syscalls.state(fd).isHungUp }

    /// Drops the client: cancels what it waits for and forgets what it has not taken.
    func close() {
        guard !isClosed else { return }
        (isClosed, isReading) = (true, false)
        cancelCalls()
        next = nil
        registry.unqueue(outbox.count)
        registry.remove(self)
        (outbox, framer) = (Outbox(), Framer(limit: 0))
        stall.cancel()
        reader?.cancel()
        writer?.cancel()
        // No source watches it any more: its number may be given out again.
        Glibc.close(fd)
        closed()
    }

    // MARK: Reading

    private func readable() {
        guard isReading else { return }
        var transfer = receive()
        // Of a client that has gone all is there: it is not to be waited for.
        while peerGone, case .moved? = transfer, isRoom { transfer = receive() }
        switch transfer {
        case .moved: break
        case .blocked: return readOn()
        case .ended, nil: endInput()
        }
        pump()
    }

    private func receive() -> Syscalls.Transfer? {
        try? Syscalls.receive(fd) { framer.append($0) }
    }

    /// A client that sends ahead is read no further than one message's worth.
    private var isRoom: Bool { framer.count <= service.limits.messageBytes }

    private func endInput() {
        (inputEnded, isReading) = (true, false)
        if peerGone || isPeerGone { leaveClient() }
    }

    /// Takes calls as long as there is room for more and the client takes its replies; then decides
    /// whether to read on, or to close.
    func pump() {
        guard !isClosed else { return }
        let starved = takeCalls()
        guard !isClosed else { return }
        let isIdle = answering.isEmpty && outbox.isEmpty
        if isIdle, isFinishing || (inputEnded && starved) { return close() }
        noteState()
        readOn()
    }

    /// - Parameter gotOn: the client has done something that was waited for.
    private func noteState(gotOn: Bool = false) {
        registry.note(self, isBusy: !isWaiting, gotOn: gotOn)
    }

    /// A client that is not read any further may still go: some calls are not answered before.
    private func readOn() {
        let unread: SwitchedSource.Mode = peerGone || answering.isEmpty ? .off : .hangUp
        let mode = isReading && isRoom ? .on : unread
        if reader == nil, mode != .off {
            reader = .reading(fd, on: Self.queue, inPlace: true) { [unowned self] in wakened() }
        }
        reader?.turn(mode)
    }

    private func wakened() {
        if isReading, isRoom { return readable() }
        guard !peerGone, isPeerGone else { return }
        leaveClient()
        pump()
    }

    /// So many calls at a time, that others have their turn in between.
    private static let callBatch = 32

    /// - Returns: whether it stopped for want of a complete message.
    private func takeCalls() -> Bool {
        var taken = 0
        do {
            while hasRoomForCall, !isFinishing, !isClosed,
                outbox.count <= service.limits.backlogBytes
            {
                if taken == Self.callBatch {
                    takeSoon()
                    return false
                }
                taken += 1
                guard let call = try nextCall() else { return true }
                next = answering.isEmpty || call.overlaps ? nil : call
                if next != nil { return false }
                begin(call)
            }
        } catch .messageTooLong {
            refuse(.messageTooLong(limit: service.limits.messageBytes))
        } catch {
            refuse(.malformedMessage(reason: "it is empty"))
        }
        return false
    }

    private func takeSoon() {
        guard !takesSoon else { return }
        takesSoon = true
        perform { connection in
            connection.takesSoon = false
            connection.pump()
        }
    }

    private func nextCall() throws(Framer.Fault) -> NextCall? {
        if let next { return next }
        guard let message = try framer.next() else { return nil }
        return read(message)
    }

    /// Sends an error, in its turn, after which nothing that the client sent can be understood.
    func refuse(_ error: TransportError) {
        (isFinishing, isReading, framer) = (true, false, Framer(limit: 0))
        conclude(service.reply(error))
    }

    // MARK: Sending

    /// Queues a message and sends what the client takes. May close the connection.
    func send(_ message: [UInt8]) {
        enqueue(message)
        flush()
    }

    /// Queues a message; `sendQueued` is to follow.
    func enqueue(_ message: [UInt8]) {
        guard !isClosed else { return }
        if outbox.isEmpty { isStallDue = true }
        outbox.append(message)
        fits = registry.queue(message.count) && fits
    }

    /// Sends what the client takes: at once, or, when replies to further calls are on their way,
    /// together with those that have come by then. May close the connection.
    func sendQueued() {
        guard !answering.isEmpty, fits, isDrained else { return flush() }
        guard !sendsSoon else { return }
        sendsSoon = true
        perform { connection in
            connection.sendsSoon = false
            connection.flush()
            connection.pump()
        }
    }

    /// Whether a stream has fallen too far behind to go on.
    var isOverfull: Bool { outbox.count > service.limits.queuedBytes }

    /// Whether little enough is unsent for more to be made.
    var isDrained: Bool { outbox.count <= service.limits.backlogBytes }

    private func flush() {
        let before = outbox.count
        guard before > 0 else { return }
        do {
            // What went out counts also when the call fails in the end.
            defer { registry.unqueue(before - outbox.count) }
            try outbox.flush(to: fd)
        } catch {
            return close()
        }
        if outbox.isEmpty {
            (fits, isStallDue) = (true, false)
            stall.disarm()
            writer?.turn(on: false)
        } else {
            if !fits { return close() }
            if outbox.count < before || isStallDue { stall.arm { [unowned self] in close() } }
            isStallDue = false
            waitUntilWritable()
        }
        noteState(gotOn: outbox.count < before)
    }

    private func writable() {
        flush()
        tellDrained()
        pump()
    }

    private func waitUntilWritable() {
        if writer == nil {
            writer = .writing(fd, on: Self.queue, inPlace: true) { [unowned self] in writable() }
        }
        writer?.turn(on: true)
    }
}
