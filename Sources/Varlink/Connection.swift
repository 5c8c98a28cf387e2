import Dispatch
import Glibc
import VarlinkWire

/// One client: reads its calls, has them answered one after another, and sends the replies.
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
    private var stall: (any DispatchSourceTimer)?
    /// Sources that still hold the descriptor.
    private var holders = 0
    private var isClosed = false
    /// The client sends no more; what it has sent is still answered.
    private var inputEnded = false
    /// The client has closed both directions.
    var peerGone = false
    /// No further call is taken; closed once everything is answered and sent.
    private var isFinishing = false
    /// The call being answered.
    var current: Answering?
    var lastID: UInt64 = 0
    /// The last call whose client went away, for actions that are registered after that.
    var lastCancelled: UInt64?

    /// - Parameter closed: called on any queue, after the descriptor was closed.
    init(
        fd: Int32, service: Service, registry: Registry,
        closed: @escaping @Sendable () -> Void
    ) {
        queue = DispatchQueue(label: "varlink.connection")
        self.fd = fd
        self.service = service
        self.registry = registry
        self.closed = closed
        framer = Framer(limit: service.limits.messageBytes)
    }

    /// Runs `action` on the connection's queue.
    func perform(_ action: @escaping @Sendable (Connection) -> Void) {
        queue.async { action(self) }
    }

    func start() {
        let source = SwitchedSource.reading(
            fd, on: queue, { [unowned self] in readable() }, ended: { self.letGo() })
        holders = 1
        reader = source
        source.turn(on: true)
    }

    /// Answers and sends what is under way, cancels a stream, takes no further call, and closes.
    func finish() {
        isFinishing = true
        if current?.more == true { endCurrent(cancelled: true) }
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
    private var isWaiting: Bool { current == nil || !outbox.isEmpty }

    /// Whether replies can still arrive. One poll(2), to save the work of encoding them.
    var isPeerGone: Bool { Syscalls.isHungUp(fd) }

    /// Drops the client: cancels what it waits for and forgets what it has not taken.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        endCurrent(cancelled: true)
        registry.unqueue(outbox.count)
        outbox = Outbox()
        registry.remove(self)
        framer = Framer(limit: 0)
        stall?.cancel()
        stall = nil
        for source in [reader, writer] { source?.cancel() }
        reader = nil
        writer = nil
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
        case .blocked: return
        case .ended, nil: endInput()
        }
        pump()
    }

    private func endInput() {
        inputEnded = true
        peerGone = Syscalls.isHungUp(fd)
        if peerGone { endCurrent(cancelled: true) }
        stopReading()
    }

    private func stopReading() {
        reader?.cancel()
        reader = nil
    }

    /// Takes calls as long as none is being answered and the client takes its replies; then decides
    /// whether to read on, or to close.
    func pump() {
        guard !isClosed else { return }
        let starved = takeCalls()
        guard !isClosed else { return }
        if current == nil, outbox.isEmpty, isFinishing || (inputEnded && starved) { return close() }
        registry.note(self, isBusy: !isWaiting)
        readOn()
    }

    /// A client that sends ahead is read no further than one message's worth.
    private func readOn() {
        let hasRoom = framer.count <= service.limits.messageBytes
        reader?.turn(on: hasRoom)
        // libdispatch reports a hang-up once, together with what is still to be read, and is silent
        // from then on.
        if hasRoom, reader != nil, isPeerGone { queue.async { [self] in readable() } }
    }

    /// - Returns: whether it stopped for want of a complete message.
    private func takeCalls() -> Bool {
        do {
            while current == nil, !isFinishing, !isClosed,
                outbox.count <= service.limits.backlogBytes
            {
                guard let message = try framer.next() else { return true }
                begin(message)
            }
        } catch .messageTooLong {
            refuse(.messageTooLong(limit: service.limits.messageBytes))
        } catch {
            refuse(.malformedMessage(reason: "it is empty"))
        }
        return false
    }

    /// Sends an error after which nothing that the client sent can be understood.
    func refuse(_ error: TransportError) {
        isFinishing = true
        stopReading()
        framer = Framer(limit: 0)
        send(service.reply(error).message)
    }

    // MARK: Sending

    /// Queues a message and sends what the client takes. May close the connection.
    func send(_ message: [UInt8]) {
        guard !isClosed else { return }
        let wasEmpty = outbox.isEmpty
        outbox.append(message)
        let fits = registry.queue(message.count, limit: service.limits.queuedBytesTotal)
        flush()
        if !fits, !outbox.isEmpty { return close() }
        guard wasEmpty, !outbox.isEmpty else { return }
        armStall()
        registry.note(self, isBusy: false)
    }

    /// Whether a stream has fallen too far behind to go on.
    var isOverfull: Bool { outbox.count > service.limits.queuedBytes }

    /// Whether little enough is unsent for more to be made.
    var isDrained: Bool { outbox.count <= service.limits.backlogBytes }

    private func flush() {
        let before = outbox.count
        do {
            // What went out counts also when the call fails in the end.
            defer { registry.unqueue(before - outbox.count) }
            try outbox.flush(to: fd)
        } catch {
            return close()
        }
        if outbox.isEmpty {
            stall?.schedule(deadline: .distantFuture)
            writer?.turn(on: false)
        } else {
            if outbox.count < before { armStall() }
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
                fd, on: queue, { [unowned self] in writable() }, ended: { self.letGo() })
            holders += 1
        }
        writer?.turn(on: true)
    }

    private func armStall() {
        if stall == nil {
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler { [unowned self] in close() }
            timer.activate()
            stall = timer
        }
        stall?.schedule(
            deadline: .now() + .milliseconds(service.limits.stallMilliseconds),
            leeway: .milliseconds(100))
    }
}
