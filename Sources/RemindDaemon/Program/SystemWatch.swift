import CLinux
import Dispatch
import Glibc

/// Watches for the two changes of the machine that move deadlines: the wall clock is set, or
/// `/etc/localtime` is replaced. Both sleep in the kernel until it happens.
///
/// The descriptors are to be opened before the clock and the zone are read: a change in between is
/// told when the watch begins.
final class SystemWatch {
    private let sources: [any DispatchSourceRead]

    /// The file whose replacement changes the machine's zone.
    static let localtime = "/etc/localtime"

    /// - Parameters:
    ///   - clock: of ``clockWatch()``; closed at the end.
    ///   - zone: of ``zoneWatch(_:)``; closed at the end.
    ///   - localtime: what `zone` watches.
    ///   - queue: where the handlers are called.
    init(
        clock: Int32 = SystemWatch.clockWatch(), zone: Int32 = SystemWatch.zoneWatch(),
        localtime: String = SystemWatch.localtime, queue: DispatchQueue,
        clockChanged: @escaping @Sendable () -> Void, zoneChanged: @escaping @Sendable () -> Void
    ) {
        sources = [
            Self.clock(clock, queue, clockChanged), Self.file(zone, localtime, queue, zoneChanged),
        ].compactMap { $0 }
    }

    func cancel() { sources.forEach { $0.cancel() } }

    /// libdispatch does not report that the clock was set; a `TFD_TIMER_CANCEL_ON_SET` timer does,
    /// by failing to be read (timerfd_create(2): ECANCELED). Whatever wakes us, looking at the
    /// clock again is right.
    private static func clock(
        _ descriptor: Int32, _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceRead)? {
        guard descriptor >= 0 else { return nil }
        return reading(descriptor, queue) {
            var expirations: UInt64 = 0
            _ = read(descriptor, &expirations, 8)
            handler()
        }
    }

    /// A descriptor that becomes readable when the wall clock was set; -1 on failure.
    static func clockWatch() -> Int32 {
        let timer = clinux_realtime_timer()
        if timer >= 0, clinux_watch_clock(timer) == 0 { return timer }
        Journal.error("cannot watch the clock: \(String(cString: strerror(errno)))")
        return -1
    }

    /// A descriptor that becomes readable when something happens in the folder of a file, since the
    /// file is replaced rather than written (inotify(7)); -1 on failure.
    static func zoneWatch(_ path: String = localtime) -> Int32 {
        let (folder, _) = parts(path)
        let watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_ATTRIB)
        if watch >= 0, inotify_add_watch(watch, folder, events) >= 0 { return watch }
        Journal.error("cannot watch ‘\(path)’: \(String(cString: strerror(errno)))")
        return -1
    }

    private static func file(
        _ watch: Int32, _ path: String, _ queue: DispatchQueue,
        _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceRead)? {
        guard watch >= 0 else { return nil }
        let (_, name) = parts(path)
        return reading(watch, queue) {
            if drain(watch, mentions: name) { handler() }
        }
    }

    private static func parts(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (
            slash == path.startIndex ? "/" : String(path[..<slash]),
            String(path[path.index(after: slash)...])
        )
    }

    private static func reading(
        _ descriptor: Int32, _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler(handler: handler)
        source.setCancelHandler { close(descriptor) }
        source.activate()
        return source
    }

    /// Reads all events; true when one of them is about `name`.
    private static func drain(_ descriptor: Int32, mentions name: String) -> Bool {
        var found = false
        let size = 4096
        let buffer = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: MemoryLayout<inotify_event>.alignment)
        defer { buffer.deallocate() }
        while true {
            let count = read(descriptor, buffer, size)
            guard count > 0 else { return found }
            var offset = 0
            while offset < count {
                let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                let text = buffer + offset + MemoryLayout<inotify_event>.size
                if event.len > 0, strcmp(text.assumingMemoryBound(to: CChar.self), name) == 0 {
                    found = true
                }
                offset += MemoryLayout<inotify_event>.size + Int(event.len)
            }
        }
    }
}
