import VarlinkWire

/// What goes wrong between a client and any method, and has no name in `org.varlink.service`.
package enum TransportError: Error, Equatable, Sendable {
    /// As many clients as allowed are being answered. The connection is closed.
    case tooManyConnections(limit: Int)
    /// As many calls with `more` as allowed are being answered. The connection goes on.
    case tooManyStreams(limit: Int)
    /// A call is longer than allowed, in bytes. The connection is closed.
    case messageTooLong(limit: Int)
    /// The reply would be longer than allowed, in bytes. The connection goes on.
    case replyTooLong(limit: Int)
    /// What was sent is not a call. The connection is closed.
    case malformedMessage(reason: String)
    /// A fault of the service. The connection goes on.
    case internalError(String)

    /// The unqualified name.
    package var name: String {
        switch self {
        case .tooManyConnections: "TooManyConnections"
        case .tooManyStreams: "TooManyStreams"
        case .messageTooLong: "MessageTooLong"
        case .replyTooLong: "ReplyTooLong"
        case .malformedMessage: "MalformedMessage"
        case .internalError: "InternalError"
        }
    }

    /// An English sentence that names the value.
    package var message: String {
        switch self {
        case .tooManyConnections(let limit):
            "The service answers \(limit) clients already. Try again."
        case .tooManyStreams(let limit):
            "The service has \(limit) watchers already. End one and try again."
        case .messageTooLong(let limit):
            "The call is longer than \(limit) bytes. Send less at a time."
        case .replyTooLong(let limit):
            "The reply would be longer than \(limit) bytes. Ask for less."
        case .malformedMessage(let reason): "What was sent is not a Varlink call: \(reason)."
        case .internalError(let reason): "The service failed: \(reason)."
        }
    }

    private var limit: Int? {
        switch self {
        case .tooManyConnections(let limit), .tooManyStreams(let limit),
            .messageTooLong(let limit), .replyTooLong(let limit):
            limit
        case .malformedMessage, .internalError: nil
        }
    }

    /// The error reply.
    func error(interface: String) -> VarlinkError {
        struct Parameters: Encodable {
            let message: String
            let limit: Int?
        }
        return VarlinkError(
            name: interface + "." + name, parameters: Parameters(message: message, limit: limit))
    }

    /// The text of the interface that has these errors.
    static func description(interface: String) -> String {
        """
        # Errors of the connection that org.varlink.service has no name for. Any call can get them.
        # Each carries an English sentence.
        interface \(interface)

        # As many clients as allowed are being answered. The connection is closed.
        error TooManyConnections(message: string, limit: int)
        # As many calls with “more” as allowed are being answered.
        error TooManyStreams(message: string, limit: int)
        # The call is longer than allowed, in bytes. The connection is closed.
        error MessageTooLong(message: string, limit: int)
        # The reply would be longer than allowed, in bytes.
        error ReplyTooLong(message: string, limit: int)
        # What was sent is not a call. The connection is closed.
        error MalformedMessage(message: string)
        # A fault of the service.
        error InternalError(message: string)

        """
    }
}
