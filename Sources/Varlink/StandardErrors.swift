package import VarlinkWire

/// Errors with typed parameters.
extension VarlinkError {
    /// - Parameter parameters: must encode as a JSON object; if it cannot be encoded, `{}` is sent.
    package init(name: String, parameters: some Encodable) {
        let encoded = try? JSON.encode(parameters)
        self.init(name: name, rawParameters: encoded ?? Array("{}".utf8))
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
