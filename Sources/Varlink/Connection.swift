import Dispatch
import Glibc
import Synchronization
import VarlinkWire

/// One client: reads its calls, has them answered, and sends the replies in the order of the calls.
///
/// Unchecked: every stored variable is touched on `queue` only. Kept alive by the registry, and
/// after `close` by its sources until they have let go of the descriptor.
final class Connection: @unchecked Sendable {
    private let queue: DispatchQueue
    private let fd: Int32
    let service: Service
    let registry: Registry
    private let closed: @Sendable () -> Void

    private var framer: Framer
    private var outbox = Outbox()
    private var reader: SwitchedSource?
    private var writer: SwitchedSource?
    private let stall: StallTimer
    /// Sources that still hold the descriptor.
    private var holders = 0
    private(set) var isClosed = false
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
    let given = Mutex<[(id: UInt64, answer: Answer)]>([])
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

    /// What all connections run on: what a client wants costs no other a thread.
    static let shared = DispatchQueue(label: "varlink")

    /// - Parameter closed: called on any queue, after the descriptor was closed.
    init(
        fd: Int32, service: Service, registry: Registry,
        closed: @escaping @Sendable () -> Void
    ) {
        queue = DispatchQueue(label: "varlink.connection", target: Self.shared)
        self.fd = fd
        (self.service, self.registry, self.closed) = (service, registry, closed)
        framer = Framer(limit: service.limits.messageBytes)
        stall = StallTimer(queue: queue, milliseconds: service.limits.stallMilliseconds)
    }

    /// Runs `action` on the connection's queue.
    func perform(_ action: @escaping @Sendable (Connection) -> Void) {
        queue.async { action(self) }
    }

    /// On what all connections run on. Whoever connects has often sent its call already.
    func start() {
        reader = SwitchedSource.reading(
            fd, on: queue, inPlace: true, { [unowned self] in readable() }, ended: { self.letGo() })
        holders = 1
        readable()
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
        if !isClosed, Syscalls.isReadable(fd) { readable() }
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
    var isPeerGone: Bool { Syscalls.isHungUp(fd) }

    /// Drops the client: cancels what it waits for and forgets what it has not taken.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        cancelCalls()
        next = nil
        registry.unqueue(outbox.count)
        outbox = Outbox()
        registry.remove(self)
        framer = Framer(limit: 0)
        stall.cancel()
        for source in [reader, writer] { source?.cancel() }
        (reader, writer) = (nil, nil)
        if holders == 0 { letGo() }
    }

    /// The descriptor is closed only when no source watches it: its number may be given out again.
    private func letGo() {
        holders -= 1
        guard isClosed, holders <= 0 else { return }
        Glibc.close(fd)
        registry.closed()
        closed()
    }

    // MARK: Reading

    private func readable() {
        guard reader != nil else { return }
        let transfer = try? Syscalls.receive(fd) { framer.append($0) }
        switch transfer {
        case .moved: registry.note(self, isBusy: true)
        case .blocked: return readOn()
        case .ended, nil: endInput()
        }
        pump()
    }

    private func endInput() {
        inputEnded = true
        peerGone = Syscalls.isHungUp(fd)
        if peerGone { cancelCalls() }
        stopReading()
    }

    private func stopReading() {
        reader?.cancel()
        reader = nil
    }

    /// Takes calls as long as there is room for more and the client takes its replies; then decides
    /// whether to read on, or to close.
    func pump() {
        guard !isClosed else { return }
        let starved = takeCalls()
        guard !isClosed else { return }
        let isIdle = answering.isEmpty && outbox.isEmpty
        if isIdle, isFinishing || (inputEnded && starved) { return close() }
        registry.note(self, isBusy: !isWaiting)
        readOn()
    }

    /// A client that sends ahead is read no further than one message's worth.
    private func readOn() {
        reader?.turn(on: framer.count <= service.limits.messageBytes)
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
        // By way of the queue of all: what a queue gives itself, it does before others have a turn.
        Self.shared.async { [self] in
            perform { connection in
                connection.takesSoon = false
                connection.pump()
            }
        }
    }

    private func nextCall() throws(Framer.Fault) -> NextCall? {
        if let next { return next }
        guard let message = try framer.next() else { return nil }
        return read(message)
    }

    /// Sends an error, in its turn, after which nothing that the client sent can be understood.
    func refuse(_ error: TransportError) {
        isFinishing = true
        stopReading()
        framer = Framer(limit: 0)
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
        fits = registry.queue(message.count, limit: service.limits.queuedBytesTotal) && fits
    }

    /// Sends what the client takes: at once, or, when replies to further calls are on their way,
    /// together with those that have come by then. May close the connection.
    func sendQueued() {
        guard !answering.isEmpty, fits, isDrained else { return flush() }
        guard !sendsSoon else { return }
        sendsSoon = true
        queue.async { [self] in
            sendsSoon = false
            flush()
            pump()
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
            if isStallDue { registry.note(self, isBusy: false) }
            isStallDue = false
            waitUntilWritable()
        }
    }

    private func writable() {
        flush()
        tellDrained()
        pump()
    }

    private func waitUntilWritable() {
        if writer == nil {
            writer = SwitchedSource.writing(
                fd, on: queue, inPlace: true, { [unowned self] in writable() },
                ended: { self.letGo() })
            holders += 1
        }
        writer?.turn(on: true)
    }
}
