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
        let clock = try clock()
        let engine = world.engine
        let watch = SystemWatch(
            clock: clock, queue: engine.queue,
            clockChanged: { engine.assumeIsolated { $0.clockChanged() } }, zoneChanged: {})
        world.clock.now = try #require(Instant(rfc3339: "2024-05-01T11:30:00+02:00"))
        let presenter = world.presenter
        await withCheckedContinuation { (rung: CheckedContinuation<Void, Never>) in
            presenter.observe { call in
                guard case .show = call else { return }
                rung.resume()
            }
            var signal: UInt64 = 1
            _ = write(clock, &signal, 8)
        }
        #expect(world.shown == ["Tea"])
        watch.cancel()
    }

    /// What can be read, once it was written to, and has no other end that could hang up.
    private func clock() throws -> Int32 {
        let folder = try folder()
        try #require(mkfifo(folder + "/clock", 0o600) == 0)
        let clock = open(folder + "/clock", O_RDWR | O_NONBLOCK | O_CLOEXEC)
        try #require(clock >= 0)
        unlink(folder + "/clock")
        rmdir(folder)
        return clock
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
    /// has a wall clock of its own. So an inotify descriptor takes its place whose read(2) fails as
    /// the timer's does: for eight bytes an event is too long (EINVAL).
    @Test("A watch whose read fails, as a set clock's does with ECANCELED, tells of the change")
    func failingRead() async throws {
        let folder = try folder()
        let clock = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        try #require(inotify_add_watch(clock, folder, UInt32(IN_DELETE_SELF)) >= 0)
        let queue = DispatchQueue(label: "test")
        let box = Counter()
        await withCheckedContinuation { (noticed: CheckedContinuation<Void, Never>) in
            // On its queue, so that it is kept before it tells.
            queue.sync {
                let watch = SystemWatch(
                    clock: clock, queue: queue,
                    clockChanged: {
                        // What was not read lasts, where the timer waits for the next step.
                        if box.increment() == 1 {
                            box.cancel()
                            noticed.resume()
                        }
                    }, zoneChanged: {})
                box.keep(watch)
            }
            rmdir(folder)
        }
        queue.sync {}
        #expect(box.value >= 1)
        box.release()
    }

    @Test("A zone that was changed while the daemon began was not noticed, and stayed the old one")
    func zoneReplacedMeanwhile() async throws {
        let folder = try folder()
        let path = folder + "/localtime"
        let zone = SystemWatch.zoneWatch(path)
        try #require(symlink("/usr/share/zoneinfo/Asia/Tokyo", path) == 0)
        let box = Counter()
        await withCheckedContinuation { (noticed: CheckedContinuation<Void, Never>) in
            let watch = SystemWatch(
                zone: zone, localtime: path, queue: DispatchQueue(label: "test"), clockChanged: {},
                zoneChanged: { if box.increment() == 1 { noticed.resume() } })
            box.keep(watch)
        }
        box.release()
        unlink(path)
        rmdir(folder)
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
                zone: SystemWatch.zoneWatch(path), localtime: path, queue: queue, clockChanged: {},
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
