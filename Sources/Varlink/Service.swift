import VarlinkWire

/// What `org.varlink.service.GetInfo` says of a service.
package struct ServiceInfo: Sendable {
    package let vendor: String
    package let product: String
    package let version: String
    package let url: String
    /// The name of the interface that describes the errors of the transport, which
    /// `org.varlink.service` lacks (`TransportError`). Either one of the interfaces served, which
    /// then has to declare them, or a name of its own: the server then adds the interface.
    package let errorInterface: String

    package init(
        vendor: String, product: String, version: String, url: String, errorInterface: String
    ) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
        self.errorInterface = errorInterface
    }
}

/// What answers a method.
private struct Route {
    let method: Interface.Method
    let text: InterfaceText
    let parameters: InterfaceText.Kind
    let overlaps: Bool
    let onlyReads: Bool
}

/// Everything about a service that does not change while it runs; finds the method for a call.
struct Service: Sendable {
    let info: ServiceInfo
    let limits: Limits
    private let interfaces: [String: Interface]
    /// Of each method that is answered, by its qualified name.
    private let routes: [String: Route]
    private let names: [String]
    private let addsErrors: Bool

    init(info: ServiceInfo, limits: Limits, interfaces: [Interface]) {
        self.info = info
        self.limits = limits
        self.interfaces = Dictionary(interfaces.map { ($0.name, $0) }) { first, _ in first }
        let served = ["org.varlink.service"] + interfaces.map(\.name)
        addsErrors = !served.contains(info.errorInterface)
        names = served + (addsErrors ? [info.errorInterface] : [])
        routes = Self.routes(of: self.interfaces.values)
    }

    private static func routes(of interfaces: some Sequence<Interface>) -> [String: Route] {
        var routes: [String: Route] = [:]
        for interface in interfaces where interface.name != "org.varlink.service" {
            for (name, method) in interface.methods {
                guard let parameters = interface.text.methods[name] else { continue }
                routes[interface.name + "." + name] = Route(
                    method: method, text: interface.text, parameters: parameters,
                    overlaps: interface.overlapping.contains(name),
                    onlyReads: interface.reading.contains(name))
            }
        }
        return routes
    }

    /// What answers `call`, once its parameters have no field that the interface does not name.
    func method(for call: Call) throws(VarlinkError) -> Interface.Method {
        if call.upgrade { throw .methodNotImplemented(call.method) }
        if let route = routes[call.method] {
            try route.text.refuseUnknownFields(of: call, against: route.parameters)
            return route.method
        }
        if call.interface == "org.varlink.service" { return try ownMethod(for: call) }
        if addsErrors, call.interface == info.errorInterface { throw .methodNotFound(call.method) }
        guard let interface = interfaces[call.interface] else {
            throw .interfaceNotFound(call.interface)
        }
        throw interface.text.methods[call.member] == nil
            ? .methodNotFound(call.method) : .methodNotImplemented(call.method)
    }

    /// Whether `call` may be begun before those in front of it are answered.
    func overlaps(_ call: Call) -> Bool {
        !call.more && routes[call.method]?.overlaps == true
    }

    /// Whether `call` changes nothing, so that it is of no use to a client that has gone.
    func onlyReads(_ call: Call) -> Bool { routes[call.method]?.onlyReads == true }

    private func ownMethod(for call: Call) throws(VarlinkError) -> Interface.Method {
        let parameters: InterfaceText.Kind
        let method: Interface.Method
        switch call.member {
        case "GetInfo":
            parameters = .structure([:])
            method = { _, responder in responder.reply(infoReply) }
        case "GetInterfaceDescription":
            parameters = .structure(["interface": .scalar])
            method = { call, responder in responder.reply(try description(for: call)) }
        default: throw .methodNotFound(call.method)
        }
        try InterfaceText.own.refuseUnknownFields(of: call, against: parameters)
        return method
    }

    private struct InfoReply: Encodable {
        let vendor: String
        let product: String
        let version: String
        let url: String
        let interfaces: [String]
    }

    private var infoReply: InfoReply {
        InfoReply(
            vendor: info.vendor, product: info.product, version: info.version, url: info.url,
            interfaces: names)
    }

    private func description(for call: Call) throws(VarlinkError) -> [String: String] {
        struct Question: Decodable { let interface: String }
        let name = try call.parameters(as: Question.self).interface
        if name == "org.varlink.service" { return ["description": InterfaceText.ownDescription] }
        if addsErrors, name == info.errorInterface {
            return ["description": TransportError.description(interface: name)]
        }
        guard let interface = interfaces[name] else { throw .interfaceNotFound(name) }
        return ["description": interface.description]
    }
}

extension Service {
    /// An error of the transport as a reply.
    func reply(_ error: TransportError) -> Reply {
        Reply(error.error(interface: info.errorInterface))
    }
}
