/// What keeps a client from getting a reply. An error that the service replied is a `VarlinkError`.
package enum ClientError: Error, Equatable, Sendable {
    /// No socket at the path (ENOENT, ENOTDIR, ELOOP), no one who listens on it (ECONNREFUSED), or one
    /// of another kind (EPROTOTYPE).
    case notRunning(path: String)
    /// The file's mode does not let us connect (EACCES, EPERM).
    case denied(path: String)
    /// The service has not taken the call or not replied within the limit given.
    case timedOut(milliseconds: Int)
    /// The service closed the connection before the final reply.
    case disconnected
    /// A reply is larger than the limit, in bytes.
    case replyTooLong(limit: Int)
    /// A reply is not Varlink, or its parameters are not of the type asked for.
    case malformedReply(String)
    case system(SystemError)
}

extension ClientError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notRunning(let path): "No one is listening on ‘\(path)’. Is remindd running?"
        case .denied(let path): "The socket ‘\(path)’ may not be used by this user."
        case .timedOut(let limit): "The service did not reply within \(limit) ms."
        case .disconnected: "The service closed the connection before it had replied."
        case .replyTooLong(let limit): "The reply is longer than \(limit) bytes. Ask for less."
        case .malformedReply(let reason): "The reply cannot be understood: \(reason)."
        case .system(let error): "\(error)."
        }
    }
}
