import Dispatch
import Glibc
import Popups
import RemindCore
import Synchronization
import Testing

@testable import RemindDaemon

@Suite("The machine is watched")
struct SystemWatchTests {
    private func folder() throws -> String {
        var template = Array("/tmp/remindd-watch-XXXXXX".utf8CString)
        try #require(mkdtemp(&template) != nil)
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    @Test("A clock that is set while the daemon waits makes it ring, without any other call")
    func clockSet() async throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        let engine = world.engine
        let watch = SystemWatch(
            clock: ends[0], queue: engine.queue,
            clockChanged: { engine.assumeIsolated { $0.clockChanged() } }, zoneChanged: {})
        world.clock.now = try #require(Instant(rfc3339: "2024-05-01T11:30:00+02:00"))
        let presenter = world.presenter
        await withCheckedContinuation { (rung: CheckedContinuation<Void, Never>) in
            presenter.observe { call in
                guard case .show = call else { return }
                rung.resume()
            }
            var signal: UInt64 = 1
            _ = write(ends[1], &signal, 8)
        }
        #expect(world.shown == ["Tea"])
        watch.cancel()
        close(ends[1])
    }

    @Test("The kernel's watch on the clock is silent while nobody sets it")
    func silent() throws {
        let watch = SystemWatch.clockWatch()
        try #require(watch >= 0)
        var entry = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        #expect(poll(&entry, 1, 50) == 0)
        close(watch)
    }

    /// The kernel marks such a timer when the clock is set, which only root may do, and no namespace
    /// has a wall clock of its own. So a socket takes its place whose read(2) fails as the timer's
    /// does, once: its other end was closed with something unread (ECONNRESET).
    @Test("A watch whose read fails, as a set clock's does with ECANCELED, tells of the change")
    func failingRead() async throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let clock = ends[0]
        try #require(write(clock, "x", 1) == 1)
        let queue = DispatchQueue(label: "test")
        let box = Counter()
        await withCheckedContinuation { (noticed: CheckedContinuation<Void, Never>) in
            // On its queue, so that it is kept before it tells.
            queue.sync {
                let watch = SystemWatch(
                    clock: clock, queue: queue,
                    clockChanged: {
                        // The end of the socket lasts, where the timer waits for the next step.
                        if box.increment() == 1 {
                            box.cancel()
                            noticed.resume()
                        }
                    }, zoneChanged: {})
                box.keep(watch)
            }
            close(ends[1])
        }
        queue.sync {}
        #expect(box.value >= 1)
        box.release()
    }

    @Test("A replaced localtime is noticed, another file in its folder is not")
    func zoneReplaced() async throws {
        let folder = try folder()
        let path = folder + "/localtime"
        try #require(symlink("/usr/share/zoneinfo/Asia/Tokyo", path) == 0)
        let queue = DispatchQueue(label: "test")
        let box = Counter()
        await withCheckedContinuation { (noticed: CheckedContinuation<Void, Never>) in
            let watch = SystemWatch(
                localtime: path, queue: queue, clockChanged: {},
                zoneChanged: { if box.increment() == 1 { noticed.resume() } })
            box.keep(watch)
            close(open(folder + "/other", O_CREAT | O_WRONLY, 0o600))
            unlink(folder + "/other")
            symlink("/usr/share/zoneinfo/Asia/Singapore", folder + "/new")
            rename(folder + "/new", path)
        }
        queue.sync {}
        #expect(box.value == 1)
        box.release()
        unlink(path)
        rmdir(folder)
    }
}

/// Counts, and keeps what must live as long.
private final class Counter: @unchecked Sendable {
    private let state = Mutex(0)
    private var kept: SystemWatch?

    var value: Int { state.withLock { $0 } }

    func increment() -> Int {
        state.withLock {
            $0 += 1
            return $0
        }
    }

    func keep(_ watch: SystemWatch) { kept = watch }

    func cancel() { kept?.cancel() }

    func release() {
        kept?.cancel()
        kept = nil
    }
}
