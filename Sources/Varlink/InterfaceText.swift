import VarlinkWire

/// An interface definition, parsed as far as the server needs it: which methods there are, and which
/// fields their parameters have at every depth.
/// Source: <https://varlink.org/Interface-Definition>.
package struct InterfaceText: Sendable {
    package enum Fault: Error, Equatable, Sendable {
        /// Something else was expected at this line (from 1).
        case syntax(line: Int, found: String)
        /// Two members have this name.
        case repeated(String)
        /// A field is of a type that the text does not define.
        case unknownType(String)
        /// A method is answered that the text does not describe.
        case undescribed(method: String)
    }

    /// The shape of a value.
    package indirect enum Kind: Sendable, Equatable {
        /// Anything without fields to check: bool, float, string, object, an enum.
        case scalar
        case int
        case array(Kind)
        case map(Kind)
        case structure([String: Kind])
        case named(String)
    }

    package let name: String
    /// The shape of each method's parameters, by unqualified name.
    package let methods: [String: Kind]
    /// The unqualified names of the errors.
    package let errors: Set<String>
    private let types: [String: Kind]

    package init(_ text: String) throws(Fault) {
        var parser = InterfaceParser(text)
        try parser.parse()
        name = parser.name
        methods = parser.methods
        errors = Set(parser.errors)
        types = parser.types
        for used in parser.used.sorted() where types[used] == nil { throw .unknownType(used) }
    }

    /// Refuses a field that the definition does not name, at any depth: a misspelt option must not
    /// be ignored silently. Refuses numbers that are no `Int`, for which the decoder gives no path;
    /// other values of a wrong type are left to it.
    /// - Throws: `org.varlink.service.InvalidParameter` with the path of the field.
    func refuseUnknownFields(of call: Call, against kind: Kind) throws(VarlinkError) {
        do throws(Wrong) {
            try check(call.document, call.root, kind)
        } catch {
            guard case .field(let path) = error else { throw .invalidParameter("parameters") }
            throw .invalidParameter(path)
        }
    }

    /// Recursion ends with the value, which `JSONScan.depthLimit` bounds.
    private func check(_ document: JSONDocument, _ place: Int, _ kind: Kind) throws(Wrong) {
        switch kind {
        case .scalar: return
        case .int: try checkNumber(document, place)
        case .named(let type): try check(document, place, types[type] ?? .scalar)
        case .array(let element):
            guard document.kind(place) == .array else { return }
            guard document[place].isPlain else { throw .malformed }
            for (index, value) in document.elements(of: place).enumerated() {
                do { try check(document, value, element) } catch {
                    throw error.within("[\(index)]")
                }
            }
        case .map(let element):
            try checkMembers(document, place) { _ in element }
        case .structure(let fields):
            try checkMembers(document, place) { fields[$0] }
        }
    }

    private func checkMembers(
        _ document: JSONDocument, _ place: Int, _ kind: (String) -> Kind?
    ) throws(Wrong) {
        guard document.kind(place) == .object else { return }
        guard document[place].isPlain else { throw .malformed }
        var names: Set<String> = []
        for member in document.members(of: place) {
            guard let name = try? document.name(member.name) else { throw .malformed }
            // Of one given twice, it is not known which is meant.
            guard let kind = kind(name), names.insert(name).inserted else { throw .field(name) }
            do { try check(document, member.value, kind) } catch { throw error.within(name) }
        }
    }

    private func checkNumber(_ document: JSONDocument, _ place: Int) throws(Wrong) {
        guard document.kind(place) == .number else { return }
        let text = String(decoding: document.text(place), as: UTF8.self)
        if Int(text) == nil, Double(text).flatMap(Int.init(exactly:)) == nil { throw .field("") }
    }

    /// What is wrong with parameters.
    private enum Wrong: Error {
        /// The field at this path.
        case field(String)
        case malformed

        func within(_ step: String) -> Wrong {
            guard case .field(let path) = self else { return self }
            return .field(path.isEmpty || path.hasPrefix("[") ? step + path : step + "." + path)
        }
    }
}

extension InterfaceText {
    /// An interface without types, to check the parameters of `org.varlink.service` against.
    static let own = InterfaceText(name: "org.varlink.service")

    private init(name: String) {
        self.name = name
        methods = [:]
        errors = []
        types = [:]
    }

    /// The text of `org.varlink.service`, as <https://varlink.org/Service> defines it.
    static let ownDescription = """
        # The Varlink Service Interface is provided by every varlink service. It
        # describes the service and the interfaces it implements.
        interface org.varlink.service

        # Get a list of all the interfaces a service provides and information
        # about the implementation.
        method GetInfo() -> (
          vendor: string,
          product: string,
          version: string,
          url: string,
          interfaces: []string
        )

        # Get the description of an interface that is implemented by this service.
        method GetInterfaceDescription(interface: string) -> (description: string)

        # The requested interface was not found.
        error InterfaceNotFound (interface: string)

        # The requested method was not found
        error MethodNotFound (method: string)

        # The interface defines the requested method, but the service does not
        # implement it.
        error MethodNotImplemented (method: string)

        # One of the passed parameters is invalid.
        error InvalidParameter (parameter: string)

        # Client is denied access
        error PermissionDenied ()

        # Method is expected to be called with 'more' set to true, but wasn't
        error ExpectedMore ()

        """
}
