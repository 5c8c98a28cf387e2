/// The methods that take changes back, and the search.
package enum Undo: RemindersMethod {
    package static let name = "Undo"
    package typealias Parameters = NoParameters

    package struct Reply: Decodable, Sendable {
        package var change: Changes.Change?
        package var outcome: String?
        package var reminders: [ReminderRecord]
        package var removed: [ReminderRecord]
    }
}

package enum Changes: RemindersMethod {
    package static let name = "Changes"

    package struct Parameters: Codable, Sendable {
        package var limit: Int?

        package init(limit: Int? = nil) { self.limit = limit }

        package enum CodingKeys: String, CodingKey, CaseIterable { case limit }
    }

    package struct Change: Decodable, Hashable, Sendable {
        package var what: String
        package var at: String
        package var count: Int64
        package var number: Int64
        package var title: String

        /// Read straight from a reply's bytes; fields that are not known here are passed over.
        package init(reading json: inout JSONReader) throws(JSONReader.Fault) {
            (what, at, count, number, title) = ("", "", 0, 0, "")
            try json.object { name, json throws(JSONReader.Fault) in
                switch name {
                case "what": what = try json.string()
                case "at": at = try json.string()
                case "count": count = try json.integer()
                case "number": number = try json.integer()
                case "title": title = try json.string()
                default: return
                }
            }
        }
    }

    package struct Reply: Decodable, Sendable { package var changes: [Change] }
}

package enum Search: RemindersMethod {
    package static let name = "Search"

    package struct Parameters: Codable, Sendable {
        package var text: String
        package var limit: Int?
        package var brief: Bool?

        package init(text: String, limit: Int? = nil) { (self.text, self.limit) = (text, limit) }

        package enum CodingKeys: String, CodingKey, CaseIterable { case text, limit, brief }
    }

    package typealias Reply = ChangedReminders
}
