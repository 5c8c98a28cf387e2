import FoundationEssentials

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

    /// - Parameter parameters: must encode as a JSON object; if it cannot be encoded, `{}` is sent.
    package init(name: String, parameters: some Encodable) {
        let encoded = try? JSON.encode(parameters)
        self.init(name: name, rawParameters: encoded ?? Array("{}".utf8))
    }

    /// The parameters as a type of the caller's.
    /// - Throws: `DecodingError` when they are of another shape.
    package func parameters<P: Decodable>(as type: P.Type = P.self) throws -> P {
        try JSON.decode(type, from: rawParameters)
    }
}

extension VarlinkError: CustomStringConvertible {
    package var description: String {
        "the service answered ‘\(name)’ \(String(decoding: rawParameters, as: UTF8.self))"
    }
}

/// The errors that every Varlink service shares.
extension VarlinkError {
    package static func interfaceNotFound(_ interface: String) -> VarlinkError {
        standard("InterfaceNotFound", ["interface": interface])
    }

    package static func methodNotFound(_ method: String) -> VarlinkError {
        standard("MethodNotFound", ["method": method])
    }

    package static func methodNotImplemented(_ method: String) -> VarlinkError {
        standard("MethodNotImplemented", ["method": method])
    }

    /// - Parameter path: the field, from the parameters down: `filter.tags[2]`.
    package static func invalidParameter(_ path: String) -> VarlinkError {
        standard("InvalidParameter", ["parameter": path])
    }

    package static let permissionDenied = standard("PermissionDenied", [:])

    /// The method answers in a stream, and the caller did not set `more`.
    package static let expectedMore = standard("ExpectedMore", [:])

    private static func standard(_ name: String, _ parameters: [String: String]) -> VarlinkError {
        VarlinkError(name: "org.varlink.service." + name, parameters: parameters)
    }
}
