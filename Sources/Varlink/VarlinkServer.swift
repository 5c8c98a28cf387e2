import Dispatch
import Glibc
package import VarlinkWire

/// Serves interfaces on a listening socket.
///
/// Each connection has a serial queue of its own, so that its calls are answered in order; all of
/// these run on one other (`Connection.shared`), which waits for nobody: what a client does not send
/// or take is waited for by epoll(7). A thread for each would have to be woken for every call. No
/// concurrent or global queue is behind them: once one has run, libdispatch looks every second
/// whether its threads are blocked, and an idle daemon would wake.
/// Unchecked: every stored variable is touched on `queue` only.
package final class VarlinkServer: @unchecked Sendable {
    let queue = DispatchQueue(label: "varlink.accept", target: Connection.shared)
    private(set) var socket: ListeningSocket
    private let service: Service
    private let allowedUID: UInt32
    private let registry = Registry()

    /// accept4(2), which tests let fail. Set before `start` only.
    var accept: @Sendable (Int32) throws(SystemError) -> Int32? = { fd throws(SystemError) in
        try Syscalls.accept(fd)
    }
    /// Is told what becomes of the socket's file. Set before `start` only.
    package var socketChanged: @Sendable (SocketChange) -> Void = { _ in }
    var watch: SocketWatch?
    private var acceptor: SwitchedSource?
    /// Running while accepting waits for descriptors to become free.
    private var retry: (any DispatchSourceTimer)?
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

    /// The socket that is listened on is closed when the system has let go of it.
    private func listen(isOn: Bool) {
        acceptor = SwitchedSource.reading(
            socket.fd, on: queue, inPlace: true, { [unowned self] in acceptSome() },
            ended: { [socket] in withExtendedLifetime(socket) {} })
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
            for connection in registry.connections { connection.perform { $0.finish() } }
            queue.asyncAfter(deadline: .now() + .milliseconds(service.limits.stopMilliseconds)) {
                for connection in self.registry.connections { connection.perform { $0.close() } }
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

    private func welcome(_ fd: Int32) {
        guard (try? Syscalls.peerUID(fd)) == allowedUID else {
            return refuse(fd, Reply(.permissionDenied))
        }
        if registry.count < service.limits.connections { return admit(fd) }
        acceptor?.turn(on: false)
        makeRoom(for: fd, attempts: Self.evictionAttempts)
    }

    private func admit(_ fd: Int32) {
        let connection = Connection(
            fd: fd, service: service, registry: registry,
            closed: { [weak self] in self?.connectionClosed() })
        registry.note(connection, isBusy: false)
        connection.start()
    }

    private func connectionClosed() {
        queue.async { [self] in
            if retry != nil { resumeAccepting() }
            if stopping != nil { finishStopping() }
        }
    }

    private func refuse(_ fd: Int32, _ reply: Reply) {
        // The socket is new and its buffer empty: this fits, or the client has gone.
        _ = try? Syscalls.send(fd, reply.message)
        close(fd)
    }

    // MARK: Making room

    private static let evictionAttempts = 16
    private static let evictionPause = DispatchTimeInterval.milliseconds(10)

    /// Closes the connection that has waited for its client longest, then admits the new one;
    /// accepting is off meanwhile. A client that holds many connections so cannot lock the others
    /// out, neither with idle ones nor by not taking the replies to its calls.
    private func makeRoom(for fd: Int32, attempts: Int) {
        guard attempts > 0, stopping == nil else {
            refuse(fd, service.reply(.tooManyConnections(limit: service.limits.connections)))
            return resumeAccepting()
        }
        guard let waiting = registry.longestWaiting() else {
            // All calls are being answered: most are within a moment.
            return queue.asyncAfter(deadline: .now() + Self.evictionPause) {
                self.makeRoom(for: fd, attempts: attempts - 1)
            }
        }
        waiting.perform { connection in
            let isClosed = connection.closeIfWaiting()
            self.queue.async {
                if isClosed {
                    self.admit(fd)
                    self.resumeAccepting()
                } else {
                    self.makeRoom(for: fd, attempts: attempts - 1)
                }
            }
        }
    }
}
