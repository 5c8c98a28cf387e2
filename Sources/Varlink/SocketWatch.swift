import Dispatch
import Glibc
import VarlinkWire

/// Tells when the file of a socket was removed, or another one took its name: nobody would find the
/// socket any more, and nothing else says so. The file itself is watched, not its folder
/// (inotify(7)), so that what others do beside it wakes nobody. On the connections' queue only.
///
/// All watches of the process are on one descriptor, which is never closed: close(2) of one waits
/// until the kernel has let go of all that anybody on the machine watched, 15 ms, and seconds where
/// all processors are busy; and all clients would wait with it.
final class SocketWatch {
    private let watch: Int32

    /// - Parameter touched: called for every change of the file that is not to its content.
    /// - Returns: `nil` when it cannot be watched, with `errno`.
    init?(path: String, touched: @escaping () -> Void) {
        guard let watch = WatchedFiles.all.add(path, touched) else { return nil }
        self.watch = watch
    }

    func cancel() { WatchedFiles.all.remove(watch) }
}

/// Unchecked: every stored variable is touched on `Connection.queue` only.
final class WatchedFiles: @unchecked Sendable {
    static let all = WatchedFiles()

    private(set) var descriptor: Int32 = -1
    private var source: (any DispatchSourceRead)?
    private var touched: [Int32: () -> Void] = [:]

    // IN_ATTRIB: the count of its names; a bound socket is not deleted before it is closed.
    private static let events = UInt32(
        IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW)

    /// - Returns: what `remove` takes; `nil` and `errno` when it cannot be watched.
    fileprivate func add(_ path: String, _ action: @escaping () -> Void) -> Int32? {
        guard source != nil || open() else { return nil }
        let watch = inotify_add_watch(descriptor, path, Self.events)
        guard watch >= 0 else { return nil }
        touched[watch] = action
        return watch
    }

    fileprivate func remove(_ watch: Int32) {
        touched[watch] = nil
        // The file may have gone, and its watch with it.
        inotify_rm_watch(descriptor, watch)
    }

    private func open() -> Bool {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return false }
        let made = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: Connection.queue)
        made.setEventHandler { [unowned self] in tellTouched() }
        made.activate()
        source = made
        return true
    }

    /// Which files were touched; what became of them is seen better in the file system.
    private func tellTouched() {
        var watches: Set<Int32> = []
        withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
            while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
                var offset = 0
                while offset < count {
                    let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
                    watches.insert(event.wd)
                    offset += MemoryLayout<inotify_event>.size + Int(event.len)
                }
            }
        }
        // -1: more than the kernel keeps.
        if watches.contains(-1) { watches.formUnion(touched.keys) }
        for watch in watches { touched[watch]?() }
    }
}

extension VarlinkServer {
    /// What became of the socket's file.
    package enum SocketChange: Sendable {
        /// It was removed, and made anew: clients find us again.
        case madeAnew(path: String)
        /// It was removed or replaced, and cannot be made anew: a sentence says why.
        case lost(path: String, reason: String)
        /// It cannot be watched.
        case unwatched(path: String, reason: String)
    }

    /// Makes the socket's file anew if it is not there any more. A file that was replaced is left
    /// alone: somebody else listens on it, or it is no socket. One that the service manager has made
    /// is its affair.
    package func checkSocketFile() {
        queue.async { [self] in makeSocketAnew() }
    }

    /// On `queue`.
    func watchSocketFile() {
        watch?.cancel()
        watch = nil
        guard let path = socket.path else { return }
        watch = SocketWatch(path: path) { [weak self] in self?.makeSocketAnew() }
        guard watch == nil else { return }
        // It may have gone between bind(2) and now.
        if !socket.isInPlace { return makeSocketAnew() }
        socketChanged(.unwatched(path: path, reason: String(cString: strerror(errno))))
    }

    private func makeSocketAnew() {
        guard !isStopping, let path = socket.path, !socket.isInPlace else { return }
        do {
            let new = try ListeningSocket(path: path)
            // Those who came in before are still served.
            acceptSome()
            replace(by: new)
            socketChanged(.madeAnew(path: path))
        } catch {
            socketChanged(.lost(path: path, reason: "\(error)"))
        }
    }
}
