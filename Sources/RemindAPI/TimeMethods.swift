/// The methods about times, pauses and the past.
package enum When: RemindersMethod {
    package static let name = "When"

    package struct Parameters: Codable, Sendable {
        package var phrase: String?
        package var every: String?
        package var rrule: String?
        package var now: String?
        package var timeZone: String?
        package var count: Int?
        package var past: Bool?

        package init() {}

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case phrase, every, rrule, now, timeZone, count, past
        }
    }

    package struct Reply: Decodable, Sendable {
        package var phrase: String
        package var due: String
        package var dateOnly: Bool
        package var timeZone: String?
        package var rule: String?
        package var occurrences: [String]
        package var notes: [String]
        package var understood: Understood
    }
}

package enum Explain: RemindersMethod {
    package static let name = "Explain"
    package typealias Parameters = ReferenceParameters

    package struct Reply: Decodable, Sendable {
        package var lines: [String]
        package var reminder: ReminderRecord
    }
}

package enum Pause: RemindersMethod {
    package static let name = "Pause"

    package struct Parameters: Codable, Sendable {
        package var until: String?

        package init(until: String? = nil) { self.until = until }

        package enum CodingKeys: String, CodingKey, CaseIterable { case until }
    }

    package struct Reply: Decodable, Sendable {
        package var until: String?
        package var understood: Understood?
    }
}

package enum Resume: RemindersMethod {
    package static let name = "Resume"
    package typealias Parameters = NoParameters
    package struct Reply: Decodable, Sendable {}
}

package enum Log: RemindersMethod {
    package static let name = "Log"

    package struct Parameters: Codable, Sendable {
        package var reference: String?
        package var limit: Int?

        package init(reference: String? = nil, limit: Int? = nil) {
            (self.reference, self.limit) = (reference, limit)
        }

        package enum CodingKeys: String, CodingKey, CaseIterable { case reference, limit }
    }

    package struct Entry: Decodable, Hashable, Sendable {
        package var at: String
        package var kind: String
        package var number: Int64
        package var id: String
        package var title: String
        package var due: String?
        package var late: String?
        package var missed: Int
        package var origin: String
        package var until: String?
    }

    package struct Reply: Decodable, Sendable { package var entries: [Entry] }
}
