import Glibc
import RemindAPI
import Synchronization
import Varlink

@testable import RemindCLI
import VarlinkWire

/// A peer on a real socket that answers each method as it is told to, and keeps what it was asked.
final class ScriptedDaemon: Sendable {
    typealias Answer = @Sendable (Call, Responder) throws -> Void

    let folder: TestFolder
    private let server: VarlinkServer
    private let asked = Asked()

    /// - Parameter answers: by method; one without is answered with `MethodNotImplemented`.
    init(_ answers: [String: Answer]) throws {
        folder = try TestFolder()
        let asked = asked
        let methods = answers.mapValues { answer -> Answer in
            { call, responder in
                asked.add(call)
                try answer(call, responder)
            }
        }
        server = VarlinkServer(
            socket: try ListeningSocket(path: folder.path + "/remindd.sock"),
            info: ServiceInfo(
                vendor: "remindd", product: "test", version: "1", url: "https://example.org",
                errorInterface: "org.remindd.Transport"),
            interfaces: [
                try Interface(description: RemindersInterface.description, methods: methods)
            ])
        server.start()
    }

    deinit { server.stop() }

    /// `Method {parameters}` of each call so far.
    var calls: [String] { asked.all }

    /// Runs the program against this daemon.
    func run(
        _ words: String..., terminal: Terminal? = nil, input: String = "", canAsk: Bool = false
    ) throws -> Run {
        try remindctl(
            words, variables: ["XDG_RUNTIME_DIR": folder.path, "TERM": "xterm"],
            terminal: terminal, input: input, canAsk: canAsk)
    }
}

private final class Asked: Sendable {
    private let calls = Mutex<[String]>([])

    var all: [String] { calls.withLock { $0 } }

    func add(_ call: Call) {
        let text = "\(call.member) \(String(decoding: call.rawParameters, as: UTF8.self))"
        calls.withLock { $0.append(text) }
    }
}

/// Answers with JSON as it stands.
func answering(_ json: [UInt8]) -> ScriptedDaemon.Answer {
    { _, responder in responder.reply(rawParameters: json) }
}

func answering(_ json: String) -> ScriptedDaemon.Answer { answering(Array(json.utf8)) }

func failing(_ error: APIError) -> ScriptedDaemon.Answer {
    { _, responder in
        responder.fail(
            VarlinkError(
                name: RemindersInterface.qualified(error.kind.rawValue),
                rawParameters: error.parameters))
    }
}
