package import VarlinkWire

/// One method call as it came in, its header decoded and its parameters still JSON.
/// Source: <https://varlink.org/Method-Call>.
package struct Call: Sendable, Equatable {
    /// Qualified: `org.remindd.Reminders.Add`.
    package let method: String
    /// A JSON object; `{}` when the caller sent none.
    package let rawParameters: [UInt8]
    /// The caller takes several replies.
    package let more: Bool
    /// The caller takes no reply.
    package let oneway: Bool
    /// The caller wants the connection for another protocol afterwards. Never granted here.
    package let upgrade: Bool

    /// `org.remindd.Reminders` of `org.remindd.Reminders.Add`.
    package var interface: String { String(method[..<dot]) }
    /// `Add` of `org.remindd.Reminders.Add`.
    package var member: String { String(method[dot...].dropFirst()) }

    private var dot: String.Index { method.lastIndex(of: ".") ?? method.startIndex }

    /// The parameters as a type of the handler's.
    /// - Throws: `org.varlink.service.InvalidParameter` with the path of the first wrong field.
    package func parameters<P: Decodable>(as type: P.Type = P.self) throws(VarlinkError) -> P {
        do {
            return try JSON.decode(type, from: rawParameters)
        } catch {
            let path = JSON.path(of: error)
            throw .invalidParameter(path.isEmpty ? "parameters" : path)
        }
    }
}

/// Why a message is not a call.
package enum CallFault: Error, Equatable {
    /// Not a JSON object in UTF-8: nothing that follows can be trusted.
    case malformed(String)
    /// Well-formed, but with a header that cannot be served; the connection goes on.
    case refused(VarlinkError)
}

extension Call {
    /// Decodes a message without its NUL. Pure; any bytes are allowed.
    package init(message: [UInt8]) throws(CallFault) {
        guard String(validating: message, as: UTF8.self) != nil else {
            throw .malformed("it is not UTF-8")
        }
        let members = try Self.members(of: message)
        let header = try Self.header(of: message)
        var parameters = Array("{}".utf8)
        if let value = members.first(where: { $0.name == "parameters" })?.value,
            message[value] != ArraySlice("null".utf8)
        {
            guard JSONScan.isObject(message, at: value) else {
                throw .refused(.invalidParameter("parameters"))
            }
            parameters = Array(message[value])
        }
        self.init(
            method: header.method, rawParameters: parameters, more: header.more ?? false,
            oneway: header.oneway ?? false, upgrade: header.upgrade ?? false)
    }

    private struct Header: Decodable {
        let method: String
        let more: Bool?
        let oneway: Bool?
        let upgrade: Bool?
    }

    private static let fields: Set = ["method", "parameters", "more", "oneway", "upgrade"]

    /// A misspelt or repeated field is refused: what it was meant to change would silently not happen.
    private static func members(of message: [UInt8]) throws(CallFault) -> [JSONScan.Member] {
        let members: [JSONScan.Member]
        do {
            members = try JSONScan.members(of: message)
        } catch .tooDeep {
            throw .malformed("its objects are nested more than \(JSONScan.depthLimit) deep")
        } catch {
            throw .malformed("it is not a JSON object")
        }
        var seen = Set<String>()
        for member in members
        where !fields.contains(member.name) || !seen.insert(member.name).inserted {
            throw .refused(.invalidParameter(member.name))
        }
        return members
    }

    private static func header(of message: [UInt8]) throws(CallFault) -> Header {
        let header: Header
        do {
            header = try JSON.decode(Header.self, from: message)
        } catch {
            let path = JSON.path(of: error)
            throw path.isEmpty
                ? .malformed("it is not JSON") : .refused(.invalidParameter(path))
        }
        if !header.method.contains(".") { throw .refused(.invalidParameter("method")) }
        return header
    }
}
