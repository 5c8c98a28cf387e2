/// Every method of the interface. What each parameter means is said once, in the `.varlink` text.
package enum Add: RemindersMethod {
    package static let name = "Add"

    package struct Parameters: Codable, Sendable {
        package var title: String
        package var at: String?
        package var `in`: String?
        package var every: String?
        package var rrule: String?
        package var before: [String]?
        package var nag: String?
        package var note: String?
        package var priority: Priority?
        package var tags: [String]?
        package var list: String?
        package var timeZone: String?
        package var past: Bool?

        package init(title: String) { self.title = title }

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case title, at, `in`, every, rrule, before, nag, note, priority, tags, list, timeZone
            case past
        }
    }

    package struct Reply: Decodable, Sendable {
        package var reminder: ReminderRecord
        package var understood: Understood?
    }
}

package enum Edit: RemindersMethod {
    package static let name = "Edit"

    package struct Parameters: Codable, Sendable {
        package var reference: String
        package var title: String?
        package var at: String?
        package var `in`: String?
        package var every: String?
        package var rrule: String?
        package var before: [String]?
        package var nag: String?
        package var note: String?
        package var priority: Priority?
        package var tags: [String]?
        package var list: String?
        package var timeZone: String?
        package var past: Bool?

        package init(reference: String) { self.reference = reference }

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case reference, title, at, `in`, every, rrule, before, nag, note, priority, tags, list
            case timeZone, past
        }
    }

    package typealias Reply = ChangedReminders
}

package enum List: RemindersMethod {
    package static let name = "List"

    package enum Show: String, Codable, CaseIterable, Sendable {
        case open, done, all, ringing, overdue, today, upcoming
    }

    package enum Sort: String, Codable, CaseIterable, Sendable {
        case due, created, priority, title
    }

    package struct Parameters: Codable, Sendable {
        package var show: Show?
        package var list: String?
        package var tag: String?
        package var priority: Priority?
        package var search: String?
        package var sort: Sort?
        package var reverse: Bool?
        package var limit: Int?
        package var brief: Bool?

        package init() {}

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case show, list, tag, priority, search, sort, reverse, limit, brief
        }
    }

    package typealias Reply = ChangedReminders
}

/// What the methods answer that change or find tasks: the tasks as they now are.
package struct ChangedReminders: Decodable, Sendable {
    package var reminders: [ReminderRecord]
    /// Of a snooze: until when.
    package var understood: Understood?
}

/// The parameters of the methods that take nothing but a reference.
package struct ReferenceParameters: Codable, Sendable {
    package var reference: String

    package init(reference: String) { self.reference = reference }

    package enum CodingKeys: String, CodingKey, CaseIterable { case reference }
}

/// The parameters of the methods that change what a reference names.
package struct ChangeParameters: Codable, Sendable {
    package var reference: String
    package var group: String?

    package init(reference: String, group: String? = nil) {
        (self.reference, self.group) = (reference, group)
    }

    package enum CodingKeys: String, CodingKey, CaseIterable { case reference, group }
}

package struct NoParameters: Codable, Sendable {
    package init() {}

    package enum CodingKeys: CodingKey, CaseIterable {}
}

package enum Show: RemindersMethod {
    package static let name = "Show"
    package typealias Parameters = ReferenceParameters

    package struct Reply: Decodable, Sendable {
        package var reminders: [ReminderRecord]
        package var understood: Understood?
        package var rings: [RingRecord]
    }
}

package enum Done: RemindersMethod {
    package static let name = "Done"

    package struct Parameters: Codable, Sendable {
        package var reference: String
        package var series: Bool?
        package var group: String?

        package init(reference: String, series: Bool? = nil, group: String? = nil) {
            (self.reference, self.series, self.group) = (reference, series, group)
        }

        package enum CodingKeys: String, CodingKey, CaseIterable { case reference, series, group }
    }

    package typealias Reply = ChangedReminders
}

package enum Reopen: RemindersMethod {
    package static let name = "Reopen"
    package typealias Parameters = ChangeParameters
    package typealias Reply = ChangedReminders
}

package enum Remove: RemindersMethod {
    package static let name = "Remove"
    package typealias Parameters = ChangeParameters
    package typealias Reply = ChangedReminders
}

package enum Snooze: RemindersMethod {
    package static let name = "Snooze"

    package struct Parameters: Codable, Sendable {
        package var reference: String
        package var until: String?

        package init(reference: String, until: String? = nil) {
            (self.reference, self.until) = (reference, until)
        }

        package enum CodingKeys: String, CodingKey, CaseIterable { case reference, until }
    }

    package typealias Reply = ChangedReminders
}

package enum Dismiss: RemindersMethod {
    package static let name = "Dismiss"
    package typealias Parameters = ChangeParameters
    package typealias Reply = ChangedReminders
}

package enum Next: RemindersMethod {
    package static let name = "Next"

    package struct Parameters: Codable, Sendable {
        package var limit: Int?

        package init(limit: Int? = nil) { self.limit = limit }

        package enum CodingKeys: String, CodingKey, CaseIterable { case limit }
    }

    package struct Reply: Decodable, Sendable { package var rings: [RingRecord] }
}

package enum Watch: RemindersMethod {
    package static let name = "Watch"
    package typealias Parameters = NoParameters

    package enum Event: String, Codable, CaseIterable, Sendable {
        case added, changed, removed, ringing, answered, completed
    }

    package struct Reply: Decodable, Sendable {
        package var event: Event?
        package var reminder: ReminderRecord?
    }
}

/// What holds pop-ups back.
package enum HoldCause: String, Codable, Sendable {
    case pause, quietHours, doNotDisturb
}

package enum Status: RemindersMethod {
    package static let name = "Status"
    package typealias Parameters = NoParameters

    package struct Reply: Codable, Sendable {
        package var version: String
        package var processID: Int
        package var database: String
        package var open: Int
        package var pending: Int
        package var ringing: Int
        package var nextRing: String?
        package var holding: Bool
        package var heldBy: HoldCause?
        package var holdingUntil: String?
        package var held: Int
        package var notificationServer: String?
        package var timeZone: String
        package var now: String

        package init(version: String, processID: Int, database: String) {
            (self.version, self.processID, self.database) = (version, processID, database)
            (open, pending, ringing) = (0, 0, 0)
            (holding, heldBy, holdingUntil, held) = (false, nil, nil, 0)
            (nextRing, notificationServer, timeZone, now) = (nil, nil, "", "")
        }
    }
}
