import RemindAPI
import VarlinkWire

/// What the service replied or the connection did, as what is said about it.
extension Failure {
    /// The name of what keeps us from the daemon.
    static let unreachable = "Unreachable"

    /// - Parameter reply: an error of the service, or of Varlink itself.
    init(_ reply: VarlinkError) {
        self = Self.replied(reply.name.split(separator: ".").last.map(String.init) ?? "", reply)
    }

    init(_ error: ClientError) {
        switch error {
        case .notRunning(let path):
            self.init(
                Self.unreachable, "No daemon listens on ‘\(path)’.",
                hint: "systemctl --user start remindd.socket", exit: .unavailable)
        case .denied(let path):
            self.init(
                Self.unreachable, error.description,
                hint: "Only the daemon's own user is served: ls -l \(path)", exit: .unavailable)
        case .timedOut(let limit):
            self.init(
                Self.unreachable, "The daemon has not answered for \(limit / 1000) seconds.",
                hint: "systemctl --user restart remindd.service, and try again",
                exit: .unavailable)
        case .disconnected, .system:
            self.init(
                Self.unreachable, error.description,
                hint: "systemctl --user status remindd.service", exit: .unavailable)
        case .replyTooLong:
            self.init("ReplyTooLong", error.description, hint: "Add --limit 1000", exit: .software)
        case .malformedReply: self = .malformed(error.description)
        }
    }

    /// The reply is not what the interface promises.
    static func malformed(_ message: String) -> Failure {
        Failure(
            "MalformedReply", message,
            hint: "Are remindd and remindctl of the same version? remindctl status",
            exit: .software)
    }

    /// An error that came with a message of its own, or whose name is known here.
    private static func replied(_ name: String, _ reply: VarlinkError) -> Failure {
        let fields = ErrorFields(reply.rawParameters)
        let (message, hint) =
            fields.message.map { ($0, fields.hint) } ?? standard(name, fields)
            ?? ("The daemon answered ‘\(reply.name)’.", nil)
        return Failure(
            name, message,
            hint: name == "InThePast" && fields.offersPast ? hint.offeringPast : hint,
            excerpt: fields.excerpt, parameters: fields.others,
            exit: ExitStatus(error: reply.name))
    }

    /// What to say about the errors that every Varlink service, or its transport, may reply.
    private static func standard(_ name: String, _ fields: ErrorFields) -> (String, String?)? {
        let old = "Is it older than this remindctl? systemctl --user restart remindd.service"
        let less = "Give a shorter text, or ask for less: remindctl list --limit 1000"
        return switch name {
        case "MethodNotFound", "MethodNotImplemented":
            ("The daemon does not know the method ‘\(fields.named("method"))’.", old)
        case "InterfaceNotFound":
            ("The daemon does not know the interface ‘\(fields.named("interface"))’.", old)
        case "InvalidParameter":
            ("The daemon does not take the parameter ‘\(fields.named("parameter"))’.", old)
        case "PermissionDenied":
            ("The daemon serves its own user only.", "Call remindctl as that user.")
        case "TooManyConnections", "TooManyStreams":
            ("The daemon serves as many clients as it can.", "Close some and try again.")
        case "MessageTooLong": ("This is more than the daemon takes at once.", less)
        case "ReplyTooLong": ("The reply is more than the daemon sends at once.", less)
        default: nil
        }
    }
}

/// The fields of an error's parameters.
private struct ErrorFields {
    var message: String?
    var hint: String?
    /// All the others, as an object, with their bytes as they came.
    var others = Array("{}".utf8)
    private var texts: [String: String] = [:]
    private var numbers: [String: Int] = [:]

    init(_ parameters: [UInt8]) {
        // An error whose parameters are no object is shown by its name alone.
        guard let members = try? JSONScan.members(of: parameters) else { return }
        var kept: [ArraySlice<UInt8>] = []
        for member in members {
            var reader = JSONReader(Array(parameters[member.value]))
            if let text = try? reader.string() { texts[member.name] = text }
            if let number = try? reader.integer() { numbers[member.name] = Int(number) }
            if member.name != "message", member.name != "hint" {
                kept.append(Self.whole(member, of: parameters))
            }
        }
        (message, hint) = (texts["message"], texts["hint"])
        others = Array("{".utf8) + kept.joined(separator: ",".utf8) + Array("}".utf8)
    }

    var excerpt: Failure.Excerpt? {
        guard let phrase = texts["phrase"], let position = numbers["position"] else { return nil }
        return Failure.Excerpt(
            phrase: phrase, position: position, length: numbers["length"] ?? 0)
    }

    /// True when an option of `add` lets the phrase stand.
    var offersPast: Bool { texts["parameter"] == "at" && !(hint?.holds("--past") ?? false) }

    func named(_ field: String) -> String { texts[field] ?? "?" }

    private static func whole(_ member: JSONScan.Member, of bytes: [UInt8]) -> ArraySlice<UInt8> {
        var name = JSONWriter(capacity: 32)
        name.string(member.name)
        return ArraySlice(name.bytes + Array(":".utf8) + bytes[member.value])
    }
}

extension String? {
    /// The hint, and the option with which `add` takes a time that has gone by.
    fileprivate var offeringPast: String {
        guard var hint = self else { return "Add --past to keep it." }
        if hint.hasSuffix(".") { hint.removeLast() }
        return hint + ", or add --past to keep it."
    }
}
