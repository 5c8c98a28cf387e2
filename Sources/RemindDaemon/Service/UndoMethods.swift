import RemindAPI
import Varlink
import VarlinkWire

extension RemindersService {
    var undoMethods: [String: Interface.Method] {
        [
            Undo.name: undo,
            Changes.name: method(Changes.self) { engine, parameters, json throws(APIError) in
                try engine.changes(parameters, to: &json)
            },
            Search.name: listing(Search.self) { engine, parameters, size throws(APIError) in
                try engine.search(parameters, size)
            },
        ]
    }

    /// Part by part where the caller takes several replies.
    private var undo: Interface.Method {
        { [engine] call, responder in
            let streams = call.more
            engine.run { engine in
                let answer = Engine.UndoAnswer(
                    batch: 200,
                    reply: { responder.reply(rawParameters: $0, continues: !$1) },
                    fail: { responder.fail(VarlinkError($0)) })
                if streams { return engine.undo(answer) }
                do throws(APIError) {
                    try engine.undo(batch: .max) { answer.reply($0, $1) }
                } catch {
                    answer.fail(error)
                }
            }
        }
    }
}
