import Glibc
import RemindAPI

/// `backup` and `restore`.
enum BackingUp {
    @Sendable static func backup(_ session: Session) throws(Failure) -> ExitStatus {
        try run(Backup.self, session) { reply in
            "\(reply.count) backed up to \(reply.path), and checked\n"
        }
    }

    @Sendable static func restore(_ session: Session) throws(Failure) -> ExitStatus {
        try run(Restore.self, session) { reply in
            "\(reply.count) restored from \(reply.path)\n"
                + "  what was there before is in \(reply.keptAs)\n"
        }
    }

    private static func run(
        _ method: (some RemindersMethod).Type, _ session: Session, text: (CopyReply) -> String
    ) throws(Failure) -> ExitStatus {
        let path = try absolute(session.arguments.operands.first ?? "")
        let bytes = try session.call(method) { json throws(Failure) in
            json.field("path", path)
        }
        if session.json {
            try session.output.writeLine(json: bytes)
        } else {
            try session.output.write(text(try CopyReply(bytes)))
        }
        return .done
    }

    /// The daemon stands elsewhere in the file system (getcwd(3)).
    private static func absolute(_ path: String) throws(Failure) -> String {
        if path.hasPrefix("/") { return path }
        guard let folder = getcwd(nil, 0) else {
            throw .input(
                "The folder in which ‘\(path)’ should be is not there any more.",
                hint: "Give the whole path, beginning with a slash.")
        }
        defer { free(folder) }
        return String(cString: folder) + "/" + path
    }
}

/// What both methods answer.
private struct CopyReply {
    private(set) var path = ""
    private(set) var keptAs = ""
    private var tasks: Int64?

    /// - Throws: `MalformedReply`.
    init(_ bytes: [UInt8]) throws(Failure) {
        var json = JSONReader(bytes)
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "path": path = try json.optionalString()?.singleLine ?? ""
                case "keptAs": keptAs = try json.optionalString()?.singleLine ?? ""
                case "tasks": tasks = try json.integer()
                default: return
                }
            }
        } catch {
            throw .malformedJSON(error)
        }
        guard tasks != nil else { throw .lacking("tasks") }
    }

    var count: String { tasks == 1 ? "1 task" : "\(tasks ?? 0) tasks" }
}
