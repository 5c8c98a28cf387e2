import RemindAPI
import RemindCore
import Store
import TextForms

extension ListFilter {
    /// - Throws: `invalidArgument` for a limit that is none.
    init(_ parameters: List.Parameters, now: Instant) throws(APIError) {
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
