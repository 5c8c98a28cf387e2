import Dispatch
import Glibc
import VarlinkWire

/// A client that was accepted while all places were taken and none of those who had one could give
/// way: all their calls were being answered, which most are within a moment.
struct Arrival {
    let fd: Int32
    let process: Int32
    let end: DispatchTime
}

/// From a connection that was accepted to its place.
extension VarlinkServer {
    /// On `queue`.
    func welcome(_ fd: Int32) {
        guard let peer = try? Syscalls.peer(fd), peer.uid == allowedUID else {
            return refuse(fd, Reply(.permissionDenied))
        }
        if makeRoom(for: peer.process) { return admit(fd, of: peer.process) }
        if arrivals.count >= service.limits.arrivals { turnAway(arrivals.removeFirst()) }
        let wait = DispatchTimeInterval.milliseconds(service.limits.arrivalMilliseconds)
        arrivals.append(Arrival(fd: fd, process: peer.process, end: .now() + wait))
        tryAgainSoon()
    }

    /// Gives places to those who wait for one, as far as there are any by now.
    func admitArrivals() {
        let waiting = arrivals
        arrivals = []
        for arrival in waiting {
            if makeRoom(for: arrival.process) {
                admit(arrival.fd, of: arrival.process)
            } else if arrival.end < .now() || isStopping {
                turnAway(arrival)
            } else {
                arrivals.append(arrival)
            }
        }
        if !arrivals.isEmpty { tryAgainSoon() }
    }

    private func tryAgainSoon() {
        guard !triesAgain else { return }
        triesAgain = true
        queue.asyncAfter(deadline: .now() + .milliseconds(10)) { [self] in
            triesAgain = false
            admitArrivals()
        }
    }

    private func admit(_ fd: Int32, of process: Int32) {
        let connection = Connection(
            fd: fd, service: service, registry: registry,
            closed: { [weak self] in self?.connectionClosed() })
        registry.add(connection, of: process)
        connection.start()
    }

    /// How many are asked to give way: they may have called a moment ago.
    private static let attempts = 8

    /// - Returns: whether there is a place now. A client that holds many connections cannot lock the
    ///   others out, neither with idle ones nor by not taking the replies to its calls.
    private func makeRoom(for process: Int32) -> Bool {
        guard !isStopping else { return false }
        for _ in 0..<Self.attempts {
            if registry.count < service.limits.connections { return true }
            guard let other = registry.givingWay(to: process) else { return false }
            if other.closeIfWaiting() { return true }
        }
        return false
    }

    private func turnAway(_ arrival: Arrival) {
        refuse(
            arrival.fd, service.reply(.tooManyConnections(limit: service.limits.connections)))
    }

    private func refuse(_ fd: Int32, _ reply: Reply) {
        // The socket is new and its buffer empty: this fits, or the client has gone.
        _ = try? Syscalls.send(fd, reply.message)
        close(fd)
    }
}
