import RemindAPI
import RemindCore
import Varlink
import VarlinkWire

/// The methods that change reminders.
extension RemindersService {
    var taskMethods: [String: Interface.Method] {
        [
            Add.name: changing(Add.self) { engine, parameters, json throws(APIError) in
                let (reminder, understood) = try engine.add(parameters)
                json.object { json in
                    json.key("reminder")
                    engine.timetable.writer.write(reminder, to: &json)
                    json.field("understood", understood)
                }
            },
            Edit.name: changing(Edit.self) { engine, parameters, json throws(APIError) in
                let (reminder, understood) = try engine.edit(parameters)
                json.object { json in
                    json.field("reminders", [reminder], engine.timetable.writer)
                    json.field("understood", understood)
                }
            },
            Done.name: answering(Done.self) { engine, parameters throws(APIError) in
                try engine.complete(
                    engine.find(parameters.reference), series: parameters.series ?? false,
                    group: parameters.group, origin: .command)
            },
            Reopen.name: answering(Reopen.self) { engine, parameters throws(APIError) in
                try engine.reopen(
                    engine.find(parameters.reference), group: parameters.group)
            },
            Remove.name: answering(Remove.self) { engine, parameters throws(APIError) in
                try engine.remove(
                    engine.find(parameters.reference), group: parameters.group)
            },
            Dismiss.name: answering(Dismiss.self) { engine, parameters throws(APIError) in
                try engine.dismiss(
                    engine.find(parameters.reference), group: parameters.group, origin: .command)
            },
            Snooze.name: changing(Snooze.self) { engine, parameters, json throws(APIError) in
                let (reminders, understood) = try engine.snooze(parameters)
                json.object { json in
                    json.field("reminders", reminders, engine.timetable.writer)
                    json.field("understood", understood)
                }
            },
        ]
    }

    /// A method that changes reminders. What calls of it change is committed together with what
    /// others change meanwhile.
    private func changing<Method: RemindersMethod>(
        _ type: Method.Type,
        _ body:
            @escaping @Sendable (isolated Engine, Method.Parameters, inout JSONWriter)
            throws(APIError) -> Void
    ) -> Interface.Method {
        { [engine] call, responder in
            let parameters = try call.parameters(as: Method.Parameters.self)
            engine.make(
                CalledChange { engine throws(APIError) in
                    var json = JSONWriter()
                    try body(engine, parameters, &json)
                    return json.bytes
                } reply: { result in
                    switch result {
                    case .success(let bytes): responder.reply(rawParameters: bytes)
                    case .failure(let error): responder.fail(VarlinkError(error))
                    }
                })
        }
    }

    /// A method that changes reminders and answers with how they now are.
    private func answering<Method: RemindersMethod>(
        _ type: Method.Type,
        _ body:
            @escaping @Sendable (isolated Engine, Method.Parameters) throws(APIError) ->
            [Reminder]
    ) -> Interface.Method {
        changing(type) { engine, parameters, json throws(APIError) in
            let reminders = try body(engine, parameters)
            json.object { $0.field("reminders", reminders, engine.timetable.writer) }
        }
    }
}
