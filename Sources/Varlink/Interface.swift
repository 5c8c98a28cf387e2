import VarlinkWire

/// One interface of a service: its text and what answers its methods.
package struct Interface: Sendable {
    /// Answers one call, on the queue of its connection: do little here, or hand `Responder` to
    /// another queue and reply from there. A `VarlinkError` thrown is the reply; anything else
    /// thrown is answered with `InternalError`.
    package typealias Method = @Sendable (Call, Responder) throws -> Void

    package let name: String
    /// The text that `GetInterfaceDescription` gives out.
    package let description: String
    let text: InterfaceText
    let methods: [String: Method]
    let overlapping: Set<String>
    let reading: Set<String>

    /// - Parameters:
    ///   - description: in Varlink's interface definition language. Calls are checked against it:
    ///     a parameter that it does not name is refused.
    ///   - methods: by unqualified name. A described method without an entry here is answered with
    ///     `MethodNotImplemented`.
    ///   - overlapping: those of them that take effect in the order in which they are called, even
    ///     when the one before has not been answered: a client may then send ahead, and its calls are
    ///     begun while others of them wait for the disk. Each gives one reply.
    ///   - reading: those that change nothing. They are not begun for a client that has gone.
    /// - Throws: `InterfaceText.Fault` when the text cannot be parsed, or lacks one of `methods`.
    package init(
        description: String, methods: [String: Method], overlapping: Set<String> = [],
        reading: Set<String> = []
    ) throws(InterfaceText.Fault) {
        text = try InterfaceText(description)
        for method in methods.keys.sorted() where text.methods[method] == nil {
            throw .undescribed(method: method)
        }
        name = text.name
        self.description = description
        self.methods = methods
        (self.overlapping, self.reading) = (overlapping, reading)
    }
}
