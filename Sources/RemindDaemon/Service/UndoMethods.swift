import RemindAPI
import Varlink

extension RemindersService {
    var undoMethods: [String: Interface.Method] {
        [
            Undo.name: streaming(Undo.self) { engine, _, batch, reply throws(APIError) in
                try engine.undo(batch: batch, reply)
            },
            Changes.name: method(Changes.self) { engine, parameters, json throws(APIError) in
                try engine.changes(parameters, to: &json)
            },
            Search.name: listing(Search.self) { engine, parameters, size throws(APIError) in
                try engine.search(parameters, size)
            },
        ]
    }
}
