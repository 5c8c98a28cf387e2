/// Calls whose replies are taken as they come, for a program that waits for several things at once
/// (poll(2) on `descriptor`).
extension VarlinkClient {
    /// Readable when there is something to take.
    package var descriptor: Int32 { fd }

    /// Sends a call that may be replied to several times, and does not wait for a reply.
    /// - Throws: `ClientError`.
    package func begin(_ method: String, rawParameters: [UInt8]? = nil) throws(ClientError) {
        try send(Self.message(method: method, rawParameters: rawParameters, more: true))
    }

    /// Reads once, and takes the replies that are complete then: none, one or several. To be called
    /// when `descriptor` is readable; waits else.
    /// - Throws: `ClientError`; `disconnected` when the service has closed the connection.
    package func take() throws(ClientError) -> [Reply] {
        try readSome()
        var replies: [Reply] = []
        while let message = try nextMessage() { replies.append(try Self.reply(message)) }
        return replies
    }
}
