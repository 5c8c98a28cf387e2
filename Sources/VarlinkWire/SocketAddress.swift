package import Glibc

/// The path of a Unix socket, known to fit.
package struct SocketAddress: Sendable, Equatable, CustomStringConvertible {
    /// unix(7): `sun_path` has 108 bytes, one of them for the NUL.
    package static let longestPath = 107

    package struct Invalid: Error, Equatable, Sendable, CustomStringConvertible {
        package let path: String

        package var description: String {
            if path.isEmpty { return "The path of the socket is empty." }
            if path.utf8.contains(0) { return "The path of the socket contains a NUL byte." }
            return
                "The socket path ‘\(path)’ is \(path.utf8.count) bytes long; a Unix socket allows "
                + "\(SocketAddress.longestPath). Choose a shorter one with --socket."
        }
    }

    package let path: String
    package var description: String { path }

    /// - Throws: `Invalid` when the path is empty, has a NUL or is longer than `longestPath` bytes.
    package init(path: String) throws(Invalid) {
        guard (1...Self.longestPath).contains(path.utf8.count), !path.utf8.contains(0) else {
            throw Invalid(path: path)
        }
        self.path = path
    }

    /// Calls `body` with the address as the C calls take it.
    package func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return withUnsafeBytes(of: &address) { bytes in
            guard let base = bytes.baseAddress else { return -1 }
            return body(base.assumingMemoryBound(to: sockaddr.self), size)
        }
    }
}
