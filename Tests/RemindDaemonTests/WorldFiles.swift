import Dispatch
import RemindAPI
import RemindCore
import Store
import Synchronization
import Testing
import Varlink

@testable import RemindDaemon

/// What a call answers.
private final class Answers: Sendable {
    let replies = Mutex<[[UInt8]]>([])
    let failure = Mutex<APIError?>(nil)
    let isDone = DispatchSemaphore(value: 0)
}

extension World {
    /// Sends one piece of a file and waits for the last reply.
    func imports(
        _ text: String, _ importer: Importer = Importer(), streams: Bool = false,
        _ change: (inout Import.Parameters) -> Void = { _ in }
    ) throws -> [Import.Reply] {
        var parameters = Import.Parameters()
        parameters.base64 = Base64.encoded(Array(text.utf8))
        change(&parameters)
        let answers = Answers()
        let answer = Importer.Answer(
            streams: streams,
            reply: { bytes, isLast in
                answers.replies.withLock { $0.append(bytes) }
                if isLast { answers.isDone.signal() }
            },
            fail: { error in
                answers.failure.withLock { $0 = error }
                answers.isDone.signal()
            })
        let context = try isolated { [parameters] in try $0.importContext(parameters) }
        importer.run { [parameters, engine] importer in
            importer.take(parameters, context, engine: engine, answer)
        }
        try #require(answers.isDone.wait(timeout: .now() + 60) == .success)
        if let failure = answers.failure.withLock({ $0 }) { throw failure }
        return try answers.replies.withLock { $0 }.map {
            try JSON.decode(Import.Reply.self, from: $0)
        }
    }

    /// The whole export as one text.
    func exports(_ change: (inout Export.Parameters) -> Void = { _ in }) throws -> String {
        var parameters = Export.Parameters()
        change(&parameters)
        var text = ""
        repeat {
            let bytes = try isolated { [parameters] in
                var json = JSONWriter()
                try $0.export(parameters, to: &json)
                return json.bytes
            }
            let reply = try JSON.decode(Export.Reply.self, from: bytes)
            text += reply.text + reply.items.map(\.text).joined()
            (parameters.after, parameters.zones) = (reply.after, reply.zones)
        } while parameters.after != nil
        return text
    }

    /// All reminders, by their identifiers.
    func all() throws -> [Reminder] {
        try isolated { engine in
            try engine.store.list(.init(.all), sort: .created).sorted { $0.id < $1.id }
        }
    }
}
