package import VarlinkWire

/// One method call as it came in, its header decoded and its parameters still JSON.
/// Source: <https://varlink.org/Method-Call>.
package struct Call: Sendable {
    /// Qualified: `org.remindd.Reminders.Add`.
    package let method: String
    /// The caller takes several replies.
    package let more: Bool
    /// The caller takes no reply.
    package let oneway: Bool
    /// The caller wants the connection for another protocol afterwards. Never granted here.
    package let upgrade: Bool
    /// Where the parameters are: an object; an empty one when the caller sent none.
    let document: JSONDocument
    let root: Int

    /// A JSON object; `{}` when the caller sent none.
    package var rawParameters: [UInt8] { Array(document.text(root)) }
    /// `org.remindd.Reminders` of `org.remindd.Reminders.Add`.
    package var interface: String { String(method[..<dot]) }
    /// `Add` of `org.remindd.Reminders.Add`.
    package var member: String { String(method[dot...].dropFirst()) }

    private var dot: String.Index { method.lastIndex(of: ".") ?? method.startIndex }

    /// The parameters as a type of the handler's.
    /// - Throws: `org.varlink.service.InvalidParameter` with the path of the first wrong field.
    package func parameters<P: Decodable>(as type: P.Type = P.self) throws(VarlinkError) -> P {
        do {
            return try JSONDecoding.value(type, from: document, at: root)
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
        let document = try Self.document(message)
        let header = try Header(document)
        method = try header.method(document)
        more = try Header.flag(header.more, "more", document)
        oneway = try Header.flag(header.oneway, "oneway", document)
        upgrade = try Header.flag(header.upgrade, "upgrade", document)
        if !method.contains(".") { throw .refused(.invalidParameter("method")) }
        if let place = header.parameters, document.kind(place) != .null {
            guard document.kind(place) == .object else {
                throw .refused(.invalidParameter("parameters"))
            }
            (self.document, root) = (document, place)
        } else {
            (self.document, root) = (.emptyObject, 0)
        }
    }

    private static func document(_ message: [UInt8]) throws(CallFault) -> JSONDocument {
        let document: JSONDocument
        do {
            document = try JSONDocument(message)
        } catch .notUTF8 {
            throw .malformed("it is not UTF-8")
        } catch .tooDeep {
            throw .malformed("its objects are nested more than \(JSONScan.depthLimit) deep")
        } catch {
            throw .malformed("it is not a JSON object")
        }
        guard document.kind(0) == .object, document[0].isPlain else {
            throw .malformed("it is not a JSON object")
        }
        return document
    }

    /// Where the fields of a call are.
    private struct Header {
        private(set) var method, parameters, more, oneway, upgrade: Int?

        /// A misspelt or repeated field is refused: what it was meant to change would silently not
        /// happen.
        init(_ document: JSONDocument) throws(CallFault) {
            for (key, value) in document.members(of: 0) {
                guard let name = try? document.name(key) else { throw Self.notJSON }
                switch name {
                case "method": try Self.note(value, name, in: &method)
                case "parameters": try Self.note(value, name, in: &parameters)
                case "more": try Self.note(value, name, in: &more)
                case "oneway": try Self.note(value, name, in: &oneway)
                case "upgrade": try Self.note(value, name, in: &upgrade)
                default: throw .refused(.invalidParameter(name))
                }
            }
        }

        private static func note(_ value: Int, _ name: String, in place: inout Int?)
            throws(CallFault)
        {
            if place != nil { throw .refused(.invalidParameter(name)) }
            place = value
        }

        func method(_ document: JSONDocument) throws(CallFault) -> String {
            guard let method, document.kind(method) == .string else {
                throw .refused(.invalidParameter("method"))
            }
            guard let name = try? document.string(method) else { throw Self.notJSON }
            return name
        }

        /// False also when it is left out or `null`.
        static func flag(_ place: Int?, _ name: String, _ document: JSONDocument)
            throws(CallFault) -> Bool
        {
            switch place.map(document.kind) {
            case .true: return true
            case .false, .null, nil: return false
            default: throw .refused(.invalidParameter(name))
            }
        }

        private static let notJSON = CallFault.malformed("it is not a JSON object")
    }
}
