import Calendaring
import Dispatch
import RemindAPI
import RemindCore

/// Reads the calendar files that clients send in pieces. On a queue of its own: reading a long
/// file must not keep the engine from ringing and answering.
actor Importer {
    /// Files under way at once; one more ends the one that has waited longest.
    static let sessionLimit = 4
    /// Items in one of several replies.
    static let batch = 200

    nonisolated let executor = EngineQueue(label: "org.remindd.import")
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// The one that was fed last stands last.
    private var sessions: [ImportSession] = []
    /// What is being stored, and what waits for it.
    var jobs: [ImportJob] = []

    nonisolated func run(_ body: @escaping @Sendable (isolated Importer) -> Void) {
        executor.queue.async { self.assumeIsolated(body) }
    }

    /// Where answers to a call go.
    struct Answer: Sendable {
        /// The caller takes several replies.
        let streams: Bool
        /// Is given JSON objects, and whether each is the last.
        let reply: @Sendable ([UInt8], Bool) -> Void
        let fail: @Sendable (APIError) -> Void
    }

    /// Takes one piece.
    func take(
        _ parameters: Import.Parameters, _ context: ImportContext, engine: Engine, _ answer: Answer
    ) {
        do throws(APIError) {
            let bytes = try Self.bytes(parameters)
            var session = try takeSession(parameters.session, context)
            let isLast = !(parameters.continues ?? false)
            if context.isDryRun {
                let file = parameters.file ?? ""
                show(bytes, of: file, &session, context, isLast: isLast, answer)
            } else {
                try session.spool(bytes, parameters, in: context.spool)
                if isLast { return begin(session, parameters, context, engine, answer) }
                answer.reply(ImportAnswer(context: context).object(session: session.id), true)
            }
            if !isLast { sessions.append(session) }
        } catch {
            answer.fail(error)
        }
    }

    /// Answers with what a piece completes.
    private func show(
        _ bytes: [UInt8], of file: String, _ session: inout ImportSession,
        _ context: ImportContext, isLast: Bool, _ to: Answer
    ) {
        var answer = ImportAnswer(context: context, notes: session.notes)
        session.feed(bytes, file: file, isLast: isLast) { output in
            answer.add(output)
            if to.streams, answer.itemCount >= Self.batch {
                to.reply(answer.object(session: nil), false)
                answer = ImportAnswer(context: context, notes: answer.notes)
            }
        }
        session.notes = answer.notes
        to.reply(answer.object(session: isLast ? nil : session.id), true)
    }

    private func begin(
        _ session: ImportSession, _ parameters: Import.Parameters, _ context: ImportContext,
        _ engine: Engine, _ answer: Answer
    ) {
        guard let spool = session.spool else { return }
        let run = ImportRun(
            list: context.list, folder: session.tool == nil ? parameters.folder : nil,
            tellsAll: parameters.details ?? false)
        let reader = ImportReader(session.tool, zones: context.schedule.zones)
        jobs.append(
            ImportJob(spool: spool, reader: reader, run: run, engine: engine, answer: answer))
        if jobs.count == 1 { advance() }
    }

    private func takeSession(
        _ id: String?, _ context: ImportContext
    ) throws(APIError) -> ImportSession {
        guard let id else {
            if sessions.count >= Self.sessionLimit { sessions.removeFirst() }
            return ImportSession(context: context)
        }
        guard let place = sessions.firstIndex(where: { $0.id == id }) else {
            throw .invalidArgument(
                "session", value: id, "The file that was being read has been given up.",
                hint: "Send it again from its beginning.")
        }
        return sessions.remove(at: place)
    }

    private static func bytes(_ parameters: Import.Parameters) throws(APIError) -> [UInt8] {
        switch (parameters.data, parameters.base64) {
        case (let text?, nil): return Array(text.utf8)
        case (nil, let text?):
            guard let bytes = Base64.decoded(text) else {
                throw .invalidArgument(
                    "base64", value: String(text.prefix(40)),
                    "‘\(text.prefix(40))’ is not Base64.", hint: "RFC 4648 section 4 says how.")
            }
            return bytes
        default:
            throw .invalidArgument(
                "data", value: "", "A call takes data or base64, one of them.", hint: nil)
        }
    }
}

/// A file that is on its way.
private struct ImportSession {
    let id: String
    /// About items that have not come out yet, by UID.
    var notes: [String: [String]] = [:]
    /// Of an import that stores.
    private(set) var spool: ImportSpool?
    /// Whose file it is; `nil`: a calendar.
    let tool: OtherTool?
    private var reader: ImportReader
    private var file: String?

    init(context: ImportContext) {
        id = String(UInt64.random(in: .min ... .max), radix: 16)
        tool = context.tool
        reader = ImportReader(tool, zones: context.schedule.zones)
    }

    mutating func feed(
        _ bytes: [UInt8], file: String, isLast: Bool, _ body: (ICalendarOutput) -> Void
    ) {
        if let known = self.file, known != file {
            reader.endFile(isLast: false, body)
            while reader.drain(.max, body) {}
        }
        if self.file != file { reader.begin(file: file) }
        self.file = file
        reader.feed(bytes, body)
        guard isLast else { return }
        reader.endFile(isLast: true, body)
        while reader.drain(.max, body) {}
    }

    mutating func spool(
        _ bytes: [UInt8], _ parameters: Import.Parameters, in folder: String
    ) throws(APIError) {
        let spool: ImportSpool
        if let known = self.spool { spool = known } else { spool = try ImportSpool(folder: folder) }
        self.spool = spool
        try spool.append(bytes, name: parameters.file ?? "")
    }
}
