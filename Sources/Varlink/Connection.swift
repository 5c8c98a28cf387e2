import Dispatch
import Glibc

/// One client: reads its calls, has them answered one after another, and sends the replies.
///
/// Unchecked: every stored variable is touched on `queue` only. Alive as long as the registry
/// holds it, that is until the descriptor is closed.
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
        fd: Int32, workers: DispatchQueue, service: Service, registry: Registry,
        closed: @escaping @Sendable () -> Void
    ) {
        queue = DispatchQueue(label: "varlink.connection", target: workers)
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
        let source = SwitchedSource.reading(fd, on: queue) { [unowned self] in readable() }
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

    /// Closes if nothing is under way and nothing waits to be read.
    /// - Returns: whether it is closed now.
    func closeIfIdle() -> Bool {
        if isClosed { return true }
        guard current == nil, outbox.isEmpty, !Syscalls.isReadable(fd) else {
            registry.note(self, isBusy: current != nil || !outbox.isEmpty)
            return false
        }
        close()
        return true
    }

    /// Drops the client: cancels what it waits for and forgets what it has not taken.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        endCurrent(cancelled: true)
        registry.unqueue(outbox.count)
        outbox = Outbox()
        framer = Framer(limit: 0)
        stall?.cancel()
        stall = nil
        for source in [reader, writer] { source?.cancel { self.letGo() } }
        reader = nil
        writer = nil
        if holders == 0 { letGo() }
    }

    /// The descriptor is closed only when no source watches it: its number may be given out again.
    private func letGo() {
        holders -= 1
        guard isClosed, holders <= 0 else { return }
        Glibc.close(fd)
        registry.remove(self)
        closed()
    }

    // MARK: Reading

    private func readable() {
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
        reader?.cancel { self.letGo() }
        reader = nil
    }

    /// Takes calls as long as none is being answered and the client takes its replies; then decides
    /// whether to read on, or to close.
    func pump() {
        guard !isClosed else { return }
        let starved = takeCalls()
        guard !isClosed else { return }
        if current == nil, outbox.isEmpty, isFinishing || (inputEnded && starved) { return close() }
        // A client that sends ahead is read no further than one message's worth.
        reader?.turn(on: framer.count <= service.limits.messageBytes)
        registry.note(self, isBusy: current != nil || !outbox.isEmpty)
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
            refuse(service.messageTooLong())
        } catch {
            refuse(service.malformed("the message is empty"))
        }
        return false
    }

    /// Sends an error after which nothing that the client sent can be understood.
    func refuse(_ error: VarlinkError) {
        isFinishing = true
        stopReading()
        framer = Framer(limit: 0)
        send(Reply(error).message)
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
        if wasEmpty, !outbox.isEmpty { armStall() }
    }

    /// Whether a stream has fallen too far behind to go on.
    var isOverfull: Bool { outbox.count > service.limits.queuedBytes }

    private func flush() {
        do {
            let sent = try outbox.flush(to: fd)
            registry.unqueue(sent)
            if outbox.isEmpty {
                stall?.schedule(deadline: .distantFuture)
                writer?.turn(on: false)
            } else {
                if sent > 0 { armStall() }
                waitUntilWritable()
            }
        } catch {
            close()
        }
    }

    private func waitUntilWritable() {
        if writer == nil {
            writer = SwitchedSource.writing(fd, on: queue) { [unowned self] in
                flush()
                pump()
            }
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
