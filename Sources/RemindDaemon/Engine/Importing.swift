import Calendaring
import Dispatch
import RemindAPI
import RemindCore
import Store

/// What the engine knows when a file comes in; the reading itself is not the engine's.
struct ImportContext: Sendable {
    let schedule: Schedule<SystemZones>
    /// Rings after this are told.
    let now: Instant
    /// How many rings of an item.
    let count: Int
    /// Nothing is to be stored.
    let isDryRun: Bool
    /// The list that everything goes into.
    let list: String?
    /// Whose file it is; `nil`: a calendar.
    let tool: OtherTool?
    /// The folder of the store, where a file on its way in is kept.
    let spool: String
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
        let zones = timetable.zones.seen(from: zone)
        let isDryRun = parameters.dryRun ?? false
        guard isDryRun || parameters.now == nil && parameters.timeZone == nil else {
            throw .invalidArgument(
                "dryRun", value: "false", "‘now’ and ‘timeZone’ are for a dry run only.",
                hint: "remindctl import --dry-run FILE shows what is in it.")
        }
        var texts = Reminder(id: UUIDv7(high: 0, low: 0), title: "", created: now)
        try fill(&texts, with: Texts(list: parameters.list))
        return ImportContext(
            schedule: Schedule(zones: zones, settings: settings), now: now, count: count,
            isDryRun: isDryRun, list: parameters.list == nil ? nil : texts.list,
            tool: try tool(parameters.format),
            spool: String(store.path[..<(store.path.lastIndex(of: "/") ?? store.path.startIndex)]))
    }

    private func tool(_ format: String?) throws(APIError) -> OtherTool? {
        guard let format, format != "ics" else { return nil }
        if let tool = OtherTool(rawValue: format) { return tool }
        let all = ["ics"] + OtherTool.allCases.map(\.rawValue)
        throw .invalidArgument(
            "format", value: format, "‘\(format)’ is not a format that is read.",
            hint: "It is one of \(all.joined(separator: ", ")).")
    }
}
