import RemindAPI
import RemindCore
import Varlink
import VarlinkWire

/// Joins the socket and the engine: each method is decoded on its connection's queue, carried out
/// on the engine's, and answered from there.
struct RemindersService: Sendable {
    let engine: Engine
    private let facts: ProgramFacts
    private let importer = Importer()

    init(engine: Engine, facts: ProgramFacts) {
        (self.engine, self.facts) = (engine, facts)
    }

    static let info = ServiceInfo(
        vendor: "remindd", product: "remindd", version: ProgramFacts.version,
        url: "https://github.com/remindd/remindd", errorInterface: RemindersInterface.name)

    /// - Throws: `InterfaceText.Fault` when the interface's text and its methods do not agree.
    func interface() throws(InterfaceText.Fault) -> Interface {
        try Interface(
            description: RemindersInterface.description,
            methods: taskMethods.merging(queryMethods) { first, _ in first }
                .merging(timeMethods) { first, _ in first }
                .merging(undoMethods) { first, _ in first }
                .merging(backupMethods) { first, _ in first }
                .merging([Doctor.name: doctor]) { first, _ in first },
            overlapping: Set(taskMethods.keys),
            reading: [
                List.name, Search.name, Export.name, Show.name, Next.name, Status.name, When.name,
                Explain.name, Log.name, Changes.name,
            ])
    }

    private var queryMethods: [String: Interface.Method] {
        [
            List.name: list,
            Import.name: importFile,
            Export.name: method(Export.self) { engine, parameters, json throws(APIError) in
                try engine.export(parameters, to: &json)
            },
            Watch.name: watch,
            Show.name: method(Show.self) { engine, parameters, json throws(APIError) in
                try engine.show(parameters.reference, to: &json)
            },
            Next.name: method(Next.self) { engine, parameters, json throws(APIError) in
                try engine.next(limit: parameters.limit, to: &json)
            },
            Status.name: method(Status.self) { [facts] engine, _, json throws(APIError) in
                try engine.status(facts, to: &json)
            },
        ]
    }

    private var timeMethods: [String: Interface.Method] {
        [
            When.name: method(When.self) { engine, parameters, json throws(APIError) in
                try engine.explain(parameters, to: &json)
            },
            Pause.name: method(Pause.self) { engine, parameters, json throws(APIError) in
                try engine.pause(parameters, to: &json)
            },
            Resume.name: method(Resume.self) { engine, _, json throws(APIError) in
                let waiting = engine.held.count
                try engine.resume()
                json.object { json in
                    json.field("shown", Int64(waiting - engine.held.count))
                }
            },
            Explain.name: method(Explain.self) { engine, parameters, json throws(APIError) in
                try engine.explain(parameters.reference, to: &json)
            },
            Log.name: method(Log.self) {
                engine, parameters, json throws(APIError) in
                try engine.log(parameters, to: &json)
            },
        ]
    }

    /// A method that writes one reply.
    func method<Method: RemindersMethod>(
        _ type: Method.Type,
        _ body:
            @escaping @Sendable (isolated Engine, Method.Parameters, inout JSONWriter)
            throws(APIError) -> Void
    ) -> Interface.Method {
        { [engine] call, responder in
            let parameters = try call.parameters(as: Method.Parameters.self)
            engine.run { engine in
                var json = JSONWriter()
                do throws(APIError) {
                    try body(engine, parameters, &json)
                    responder.reply(rawParameters: json.bytes)
                } catch {
                    responder.fail(VarlinkError(error))
                }
            }
        }
    }

    private var list: Interface.Method {
        listing(List.self) { engine, parameters, size throws(APIError) in
            try engine.list(parameters, size)
        }
    }

    /// Streams page after page when the caller takes several replies, no faster than it reads: a long
    /// list needs no memory of its length, and does not keep the engine from what rings meanwhile.
    func listing<Method: RemindersMethod>(
        _ type: Method.Type,
        _ body:
            @escaping @Sendable (isolated Engine, Method.Parameters, ListPages.Size)
            throws(APIError) -> ListPages
    ) -> Interface.Method {
        { [engine] call, responder in
            let parameters = try call.parameters(as: Method.Parameters.self)
            let size = call.more ? ListPages.Size.streamed : .whole
            guard !engine.hasAllLongWork else {
                let error = "\(Engine.longWorkLimit) lists are being made already."
                return responder.fail(VarlinkError(.busy(error, hint: "Try again in a moment.")))
            }
            let client = WaitingClient(responder)
            engine.runLong { engine in
                guard !client.isGone else { return }
                do throws(APIError) {
                    let list = try body(engine, parameters, size)
                    Self.send(list, from: engine, to: client)
                } catch {
                    responder.fail(VarlinkError(error))
                }
            }
        }
    }

    /// One turn of the engine's; the next one comes when the client has taken most of it, or at once
    /// when there is nothing to take yet.
    private static func send(
        _ list: ListPages, from engine: isolated Engine, to client: WaitingClient
    ) {
        guard !client.isGone else { return }
        var list = list
        do throws(APIError) {
            let isOver = try engine.turn(&list) { bytes, isLast in
                client.responder.reply(rawParameters: bytes, continues: !isLast)
            }
            if isOver { return }
        } catch {
            return client.responder.fail(VarlinkError(error))
        }
        let next: @Sendable (isolated Engine) -> Void = { [list] in
            send(list, from: $0, to: client)
        }
        if list.size.isWhole { return engine.runLong(goesOn: true, next) }
        client.responder.whenDrained { engine.runLong(next) }
    }

    /// The engine says what is true now; the reading is the importer's.
    private var importFile: Interface.Method {
        { [engine, importer] call, responder in
            let parameters = try call.parameters(as: Import.Parameters.self)
            let streams = call.more
            engine.run { engine in
                do throws(APIError) {
                    let context = try engine.importContext(parameters)
                    let answer = Importer.Answer(
                        streams: streams,
                        reply: { responder.reply(rawParameters: $0, continues: !$1) },
                        fail: { responder.fail(VarlinkError($0)) })
                    importer.run { importer in
                        importer.take(parameters, context, engine: self.engine, answer)
                    }
                } catch {
                    responder.fail(VarlinkError(error))
                }
            }
        }
    }

    /// Answers when all has been looked at, which may take seconds: nothing waits for it.
    private var doctor: Interface.Method {
        { [engine, facts] call, responder in
            let parameters = try call.parameters(as: Doctor.Parameters.self)
            engine.run { engine in
                engine.examine(facts, test: parameters.test ?? false) { engine, checks in
                    var json = JSONWriter()
                    json.object { json in
                        json.field("version", ProgramFacts.version)
                        json.field("now", engine.timetable.rfc3339(engine.clock.now))
                        json.key("checks")
                        json.array { json in for check in checks { check.write(to: &json) } }
                    }
                    responder.reply(rawParameters: json.bytes)
                }
            }
        }
    }

    /// Clients that watch at a time. Lists are streams too, and must not be kept out by them.
    static let watchersLimit = 64

    private struct TooManyStreams: Encodable {
        var message =
            "The service has \(RemindersService.watchersLimit) watchers already. "
            + "End one and try again."
        let limit: Int
    }

    private var watch: Interface.Method {
        { [engine] call, responder in
            guard call.more else { throw VarlinkError.expectedMore }
            let watcher = Watcher(
                send: { responder.reply(rawParameters: $0, continues: true) },
                end: { responder.reply(rawParameters: Array("{}".utf8)) })
            responder.onCancel { engine.run { $0.unwatch(watcher) } }
            engine.run { engine in
                guard engine.watchers.count < Self.watchersLimit else {
                    return responder.fail(
                        error: RemindersInterface.qualified("TooManyStreams"),
                        parameters: TooManyStreams(limit: Self.watchersLimit))
                }
                engine.watch(watcher)
            }
        }
    }
}
