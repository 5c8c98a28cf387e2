/// One reply: the parameters or an error, and whether more will follow.
/// Source: <https://varlink.org/Method-Call>.
package struct Reply: Sendable, Equatable {
    /// The qualified name of an error, or nil for success.
    package let error: String?
    /// A JSON object.
    package let rawParameters: [UInt8]
    /// More replies to the same call follow.
    package let continues: Bool

    package init(rawParameters: [UInt8], continues: Bool = false) {
        error = nil
        self.rawParameters = rawParameters
        self.continues = continues
    }

    package init(_ error: VarlinkError) {
        self.error = error.name
        rawParameters = error.rawParameters
        continues = false
    }

    /// Decodes a message without its NUL. Pure; any bytes are allowed. Fields it does not know are
    /// ignored, so that a newer service can say more.
    package init(message: [UInt8]) throws {
        var error: String?
        var parameters = Array("{}".utf8)
        var continues = false
        for member in try JSONScan.members(of: message) {
            let value = message[member.value]
            switch member.name {
            case "error" where !value.isNull:
                error = try JSONScan.string(of: message, at: member.value)
            case "continues" where !value.isNull:
                continues = value.elementsEqual("true".utf8)
                if !continues, !value.elementsEqual("false".utf8) { throw JSONScan.Fault.malformed }
            case "parameters" where !value.isNull: parameters = Array(value)
            default: break
            }
        }
        self.error = error
        self.rawParameters = parameters
        self.continues = continues
    }

    /// The parameters on success.
    /// - Throws: `VarlinkError` when it is an error reply.
    package func success() throws(VarlinkError) -> [UInt8] {
        if let error { throw VarlinkError(name: error, rawParameters: rawParameters) }
        return rawParameters
    }

    /// As bytes with the NUL, to be sent.
    package var message: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(rawParameters.count + 64)
        bytes += "{".utf8
        if let error { bytes += "\"error\":\"\(error)\",".utf8 }
        if continues { bytes += "\"continues\":true,".utf8 }
        bytes += "\"parameters\":".utf8
        bytes += rawParameters
        bytes += [UInt8(ascii: "}"), 0]
        return bytes
    }
}

extension ArraySlice<UInt8> {
    fileprivate var isNull: Bool { elementsEqual("null".utf8) }
}
