import CLinux
import Dispatch
import Glibc

/// Watches for the two changes of the machine that move deadlines: the wall clock is set, or
/// `/etc/localtime` is replaced. Both sleep in the kernel until it happens.
final class SystemWatch {
    private let sources: [any DispatchSourceRead]

    /// - Parameters:
    ///   - clock: a descriptor that becomes readable when the wall clock was set; closed at the end.
    ///   - localtime: the file whose replacement changes the machine's zone.
    ///   - queue: where the handlers are called.
    init(
        clock: Int32 = SystemWatch.clockWatch(), localtime: String = "/etc/localtime",
        queue: DispatchQueue,
        clockChanged: @escaping @Sendable () -> Void, zoneChanged: @escaping @Sendable () -> Void
    ) {
        sources = [
            Self.clock(clock, queue, clockChanged), Self.file(localtime, queue, zoneChanged),
        ].compactMap { $0 }
    }

    func cancel() { sources.forEach { $0.cancel() } }

    /// libdispatch does not report that the clock was set; a `TFD_TIMER_CANCEL_ON_SET` timer does,
    /// by failing to be read (timerfd_create(2): ECANCELED). Whatever wakes us, looking at the
    /// clock again is right.
    private static func clock(
        _ descriptor: Int32, _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceRead)? {
        guard descriptor >= 0 else {
            Journal.error("cannot watch the clock: \(String(cString: strerror(errno)))")
            return nil
        }
        return reading(descriptor, queue) {
            var expirations: UInt64 = 0
            _ = read(descriptor, &expirations, 8)
            handler()
        }
    }

    /// -1 and `errno` on failure.
    static func clockWatch() -> Int32 {
        let timer = clinux_realtime_timer()
        return timer >= 0 && clinux_watch_clock(timer) == 0 ? timer : -1
    }

    /// The folder is watched, since the file is replaced rather than written (inotify(7)).
    private static func file(
        _ path: String, _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceRead)? {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let name = String(path[path.index(path.startIndex, offsetBy: folder.count + 1)...])
        let watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        let events = UInt32(IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_ATTRIB)
        guard watch >= 0, inotify_add_watch(watch, folder.isEmpty ? "/" : folder, events) >= 0
        else {
            Journal.error("cannot watch ‘\(path)’: \(String(cString: strerror(errno)))")
            return nil
        }
        return reading(watch, queue) {
            if drain(watch, mentions: name) { handler() }
        }
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
