/// An error reply: a qualified name and a JSON object.
/// Source: <https://varlink.org/Method-Call> and <https://varlink.org/Service>.
package struct VarlinkError: Error, Equatable, Sendable {
    /// As on the wire: `org.varlink.service.MethodNotFound`.
    package let name: String
    /// A JSON object.
    package let rawParameters: [UInt8]

    package init(name: String, rawParameters: [UInt8] = Array("{}".utf8)) {
        self.name = name
        self.rawParameters = rawParameters
    }
}

extension VarlinkError: CustomStringConvertible {
    package var description: String {
        "the service answered ‘\(name)’ \(String(decoding: rawParameters, as: UTF8.self))"
    }
}
