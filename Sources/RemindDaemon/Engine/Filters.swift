import Calendaring
import RemindAPI
import RemindCore
import Store
import TextForms

extension ListFilter {
    /// - Throws: `invalidArgument` for a limit that is none.
    ///
    /// - Parameter tomorrow: when today ends.
    init(
        _ parameters: List.Parameters, now: Instant, tomorrow: Instant
    ) throws(APIError) {
        if let limit = parameters.limit, limit < 1 {
            throw .invalidArgument(
                "limit", value: "\(limit)", "‘\(limit)’ is no number of reminders to list.",
                hint: "Give a number above 0.")
        }
        if let search = parameters.search { try Self.check(search, parameter: "search") }
        let scope: Scope =
            switch parameters.show ?? .open {
            case .open: .open
            case .done: .done
            case .all: .all
            case .ringing: .ringing
            case .overdue: .overdue(now: now)
            // What is due on a day is overdue with its end.
            case .today: .overdue(now: tomorrow.advanced(byMilliseconds: 1))
            case .upcoming: .upcoming(now: now)
            }
        self.init(
            scope, list: parameters.list.map(TextForm.canonical),
            tag: parameters.tag.map(TextForm.canonical), priority: parameters.priority,
            search: parameters.search)
    }
}

extension ListFilter {
    /// - Throws: `invalidArgument` for a text that is longer than a search may be.
    static func check(_ search: String, parameter: String) throws(APIError) {
        guard search.utf8.count > Limits.search else { return }
        throw .invalidArgument(
            parameter, value: String(search.prefix(40)) + "…",
            "The text to search for has \(search.utf8.count) bytes; the limit is "
                + "\(Limits.search).", hint: "Search for a part of it.")
    }
}

extension Engine {
    /// The end of today on the machine's wall.
    var tomorrow: Instant {
        let zone = timetable.zones.local
        let date = zone.civil(at: clock.now).date
        return zone.resolve(CivilDateTime(date.adding(days: 1), .midnight)).instant
    }
}

extension ListSort {
    init(_ sort: List.Sort?) {
        self =
            switch sort ?? .due {
            case .due: .due
            case .created: .created
            case .priority: .priority
            case .title: .title
            }
    }
}
