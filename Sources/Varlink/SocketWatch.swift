import Dispatch
import Glibc
import VarlinkWire

/// Tells when the file of a socket was removed, or another one took its name: nobody would find the
/// socket any more, and nothing else says so. The file itself is watched, not its folder
/// (inotify(7)), so that what others do beside it wakes nobody.
final class SocketWatch {
    private let source: any DispatchSourceRead

    /// - Parameters:
    ///   - queue: where `touched` is called, for every change of the file that is not to its content.
    /// - Returns: `nil` when it cannot be watched, with `errno`.
    init?(path: String, queue: DispatchQueue, touched: @escaping () -> Void) {
        let watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard watch >= 0 else { return nil }
        // IN_ATTRIB: the count of its names; a bound socket is not deleted before it is closed.
        let events = UInt32(IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW)
        guard inotify_add_watch(watch, path, events) >= 0 else {
            close(watch)
            return nil
        }
        source = DispatchSource.makeReadSource(fileDescriptor: watch, queue: queue)
        source.setCancelHandler { close(watch) }
        source.setEventHandler {
            // What they say is seen better in the file system.
            withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 8) { buffer in
                while read(watch, buffer.baseAddress, buffer.count) > 0 {}
            }
            touched()
        }
        source.activate()
    }

    func cancel() { source.cancel() }
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
        watch = SocketWatch(path: path, queue: queue) { [weak self] in self?.makeSocketAnew() }
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
