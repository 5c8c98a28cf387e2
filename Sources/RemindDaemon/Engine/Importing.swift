import Calendaring
import Dispatch
import RemindAPI
import RemindCore

/// The zones of the system, seen from a machine in one of them.
struct ZonesSeenFrom: ZoneDatabase {
    let local: SystemZone
    let zones: SystemZones

    func zone(named name: String) throws(UnknownZone) -> SystemZone {
        try zones.zone(named: name)
    }
}

/// What the engine knows when a file comes in; the reading itself is not the engine's.
struct ImportContext: Sendable {
    let schedule: Schedule<ZonesSeenFrom>
    /// Rings after this are told.
    let now: Instant
    /// How many rings of an item.
    let count: Int
}

extension Engine {
    /// Rings of an item in one answer, at most.
    static let importedRingsLimit = 1000

    /// Checks everything about a call but the file.
    func importContext(_ parameters: Import.Parameters) throws(APIError) -> ImportContext {
        let count = try checked(
            "count", parameters.count, upTo: Self.importedRingsLimit,
            default: Self.occurrencesDefault)
        let now = try saidAt(parameters.now)
        let reading = PhraseReading(timetable: timetable, settings: settings, now: now)
        let zone = try reading.zone(named: parameters.timeZone) ?? timetable.zones.local
        let zones = ZonesSeenFrom(local: zone, zones: timetable.zones)
        guard parameters.dryRun ?? false else {
            throw .invalidArgument(
                "dryRun", value: "false", "Calendar files can be shown, but not stored yet.",
                hint: "remindctl import --dry-run FILE shows what is in it.")
        }
        return ImportContext(
            schedule: Schedule(zones: zones, settings: settings), now: now, count: count)
    }
}

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

    nonisolated func run(_ body: @escaping @Sendable (isolated Importer) -> Void) {
        executor.queue.async { self.assumeIsolated(body) }
    }

    /// Takes one piece.
    ///
    /// - Parameters:
    ///   - streams: the caller takes several replies.
    ///   - reply: is given JSON objects, and whether each is the last.
    func take(
        _ parameters: Import.Parameters, _ context: ImportContext, streams: Bool,
        reply: ([UInt8], Bool) -> Void
    ) throws(APIError) {
        let bytes = try Self.bytes(parameters)
        var session = try takeSession(parameters.session, context)
        let isLast = !(parameters.continues ?? false)
        var answer = ImportAnswer(context: context)
        session.feed(bytes, isLast: isLast) { output in
            answer.add(output)
            if streams, answer.itemCount >= Self.batch {
                reply(answer.object(session: nil), false)
                answer = ImportAnswer(context: context, notes: answer.notes)
            }
        }
        if !isLast {
            session.notes = answer.notes
            sessions.append(session)
        }
        reply(answer.object(session: isLast ? nil : session.id), true)
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

/// A file that is being read.
private struct ImportSession {
    let id: String
    /// About items that have not come out yet, by UID.
    var notes: [String: [String]] = [:]
    private var reader: ICalendarReader<ZonesSeenFrom>

    init(context: ImportContext) {
        id = String(UInt64.random(in: .min ... .max), radix: 16)
        reader = ICalendarReader(zones: context.schedule.zones)
    }

    mutating func feed(
        _ bytes: [UInt8], isLast: Bool,
        _ body: (ICalendarReader<ZonesSeenFrom>.Output) -> Void
    ) {
        reader.feed(bytes, body)
        if isLast { reader.finish(body) }
    }
}
