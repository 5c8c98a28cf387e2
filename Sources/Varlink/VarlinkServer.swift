import Dispatch
import Glibc
package import VarlinkWire

/// Serves interfaces on a listening socket.
///
/// It and all connections run on one serial queue (`Connection.queue`), which waits for nobody: what
/// a client does not send or take is waited for by epoll(7). A queue or a thread for each would have
/// to be woken for every connection. No concurrent or global queue is behind it: once one has run,
/// libdispatch looks every second whether its threads are blocked, and an idle daemon would wake.
/// Unchecked: every stored variable is touched on `queue` only.
package final class VarlinkServer: @unchecked Sendable {
    let queue = Connection.queue
    private(set) var socket: ListeningSocket
    let service: Service
    let allowedUID: UInt32
    let registry: Registry

    /// accept4(2), which tests let fail. Set before `start` only.
    var accept: @Sendable (Int32) throws(SystemError) -> Int32? = { fd throws(SystemError) in
        try Syscalls.accept(fd)
    }
    /// Is told what becomes of the socket's file. Set before `start` only.
    package var socketChanged: @Sendable (SocketChange) -> Void = { _ in }
    /// Is told, on the connections' queue, when many connections, or much that waited to be sent, are
    /// over: memory that was freed can be given back. Set before `start` only.
    package var calmed: @Sendable () -> Void = {}
    private var calms = false
    var watch: SocketWatch?
    private var acceptor: SwitchedSource?
    /// Running while accepting waits for descriptors to become free.
    private var retry: (any DispatchSourceTimer)?
    /// Those who wait for a place, in the order in which they came.
    var arrivals: [Arrival] = []
    var triesAgain = false
    private var stopping: (@Sendable () -> Void)?
    private var isStopped = false

    /// - Parameter allowedUID: the only user that is served; another gets
    ///   `org.varlink.service.PermissionDenied` and is disconnected.
    package init(
        socket: ListeningSocket, info: ServiceInfo, interfaces: [Interface],
        limits: Limits = Limits(), allowedUID: UInt32 = geteuid()
    ) {
        self.socket = socket
        self.allowedUID = allowedUID
        service = Service(info: info, limits: limits, interfaces: interfaces)
        registry = Registry(limits: limits)
    }

    /// Connections open now.
    package var connectionCount: Int { registry.count }
    /// Calls with `more` being answered now.
    package var streamCount: Int { registry.streams }
    /// Bytes waiting to be sent now.
    package var queuedBytes: Int { registry.queued }

    /// Begins to accept. Once only.
    package func start() {
        queue.async { [self] in
            guard acceptor == nil, stopping == nil else { return }
            listen(isOn: true)
            // From the beginning, not with the first client that is slow: what we hold stays the same.
            _ = Readiness.writing
            watchSocketFile()
        }
    }

    var isStopping: Bool { stopping != nil }

    private func listen(isOn: Bool) {
        acceptor = SwitchedSource.reading(socket.fd, on: queue, inPlace: true) { [unowned self] in
            acceptSome()
        }
        acceptor?.turn(on: isOn)
    }

    /// Listens on another socket from now on.
    func replace(by new: ListeningSocket) {
        let isOn = acceptor?.isOn ?? false
        acceptor?.cancel()
        socket = new
        listen(isOn: isOn)
        watchSocketFile()
    }

    /// Takes no further call, sends what is under way, cancels streams, closes all, removes the
    /// socket file that was made for us, and then calls `done` once. Waits for slow clients and
    /// handlers no longer than `Limits.stopMilliseconds`.
    package func stop(then done: @escaping @Sendable () -> Void = {}) {
        queue.async { [self] in
            guard stopping == nil else { return }
            stopping = done
            retry?.cancel()
            retry = nil
            watch?.cancel()
            watch = nil
            socket.removeFile()
            acceptor?.cancel()
            admitArrivals()
            for connection in registry.connections { connection.finish() }
            queue.asyncAfter(deadline: .now() + .milliseconds(service.limits.stopMilliseconds)) {
                for connection in self.registry.connections { connection.close() }
            }
            finishStopping()
        }
    }

    private func finishStopping() {
        guard let done = stopping, !isStopped, registry.isEmpty else { return }
        isStopped = true
        acceptor = nil
        done()
    }

    /// Only when nobody comes back at once; if they do, when they have gone for the next time.
    private func calmSoon() {
        calms = true
        queue.asyncAfter(deadline: .now() + .milliseconds(service.limits.calmMilliseconds)) {
            [self] in
            calms = false
            if registry.endBurst() { calmed() }
        }
    }

    // MARK: Accepting

    /// So many at a time, that a flood of connections leaves the queue to others in between.
    private static let acceptBatch = 32

    func acceptSome() {
        for _ in 0..<Self.acceptBatch where acceptor?.isOn == true {
            do {
                guard let fd = try accept(socket.fd) else { return }
                welcome(fd)
            } catch {
                // No descriptors or no memory: what waits would wake us again and again.
                return pauseAccepting()
            }
        }
    }

    private func pauseAccepting() {
        acceptor?.turn(on: false)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [unowned self] in resumeAccepting() }
        timer.schedule(deadline: .now() + .milliseconds(service.limits.acceptRetryMilliseconds))
        timer.activate()
        retry = timer
    }

    private func resumeAccepting() {
        retry?.cancel()
        retry = nil
        guard stopping == nil else { return }
        acceptor?.turn(on: true)
    }

    func connectionClosed() {
        if !calms, registry.isCalmAgain { calmSoon() }
        guard retry != nil || stopping != nil || !arrivals.isEmpty else { return }
        // Whatever closes one may be about to use another.
        queue.async { [self] in
            if retry != nil { resumeAccepting() }
            if !arrivals.isEmpty { admitArrivals() }
            if stopping != nil { finishStopping() }
        }
    }
}
