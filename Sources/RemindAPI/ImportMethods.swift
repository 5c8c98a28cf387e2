import RemindCore

/// Calendar files.
package enum Import: RemindersMethod {
    package static let name = "Import"

    /// Bytes of a file that are sent in one piece: in Base64 they fit into a message.
    package static let pieceBytes = 512 << 10
    /// Names of components that are counted one by one in a reply; all others together.
    package static let keptNames = 30

    package struct Parameters: Codable, Sendable {
        package var data: String?
        package var base64: String?
        package var session: String?
        package var continues: Bool?
        package var dryRun: Bool?
        package var list: String?
        package var now: String?
        package var timeZone: String?
        package var count: Int?
        package var folder: String?
        package var file: String?
        package var details: Bool?
        package var format: String?

        package init() {}

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case data, base64, session, continues, dryRun, list, now, timeZone, count, folder, file
            case details, format
        }
    }

    package struct Reply: Decodable, Sendable {
        package var session: String?
        package var items: [Item]
        package var problems: [Problem]
        package var outcomes: [Outcome]?
        package var added: Int?
        package var changed: Int?
        package var unchanged: Int?
        package var kept: [Kept]?
        package var components: [KeptComponent]?
        package var read: Int?
        package var total: Int?
    }

    /// What became of a task.
    package struct Outcome: Decodable, Hashable, Sendable {
        package enum Action: String, Codable, CaseIterable, Sendable {
            case added, changed, unchanged
        }

        package var action: Action
        package var line: Int
        package var uid: String
        package var number: Int64
    }

    /// Components of one name that are no tasks and are kept.
    package struct Kept: Decodable, Hashable, Sendable {
        package var component: String
        package var added: Int
        package var changed: Int
        package var unchanged: Int
    }

    /// One of them.
    package struct KeptComponent: Decodable, Hashable, Sendable {
        package var action: String
        package var component: String
        package var line: Int
        package var uid: String
        package var change: Outcome.Action?
        package var notes: [String]?

        package init(
            action: String, component: String, line: Int, uid: String, change: Outcome.Action?,
            notes: [String]?
        ) {
            (self.action, self.component, self.line) = (action, component, line)
            (self.uid, self.change, self.notes) = (uid, change, notes)
        }
    }

    /// An item of the file, and what becomes of it.
    package struct Item: Decodable, Hashable, Sendable {
        package var line: Int
        package var uid: String
        package var title: String
        package var note: String?
        package var tags: [String]
        package var priority: Priority
        package var state: String
        package var due: String?
        package var dateOnly: Bool
        package var timeZone: String?
        package var rule: String?
        package var rings: [String]
        package var notes: [String]
    }

    /// What did not come in, or stands in the file to no purpose.
    package struct Problem: Decodable, Hashable, Sendable {
        package var line: Int
        package var uid: String?
        package var message: String
        package var refused: Bool
        package var conflict: Bool?
    }
}

extension Import.Item {
    /// - Throws: `JSONReader.Fault` when a field is of another type.
    package init(reading json: inout JSONReader) throws(JSONReader.Fault) {
        var item = Import.Item(
            line: 0, uid: "", title: "", note: nil, tags: [], priority: .normal, state: "open",
            due: nil, dateOnly: false, timeZone: nil, rule: nil, rings: [], notes: [])
        try json.object { name, json throws(JSONReader.Fault) in
            switch name {
            case "line": item.line = Int(try json.integer())
            case "uid": item.uid = try json.string()
            case "title": item.title = try json.string()
            case "note": item.note = try json.optionalString()
            case "tags": item.tags = try json.strings()
            case "priority": item.priority = try json.choice()
            case "state": item.state = try json.string()
            case "due": item.due = try json.optionalString()
            case "dateOnly": item.dateOnly = try json.bool()
            case "timeZone": item.timeZone = try json.optionalString()
            case "rule": item.rule = try json.optionalString()
            case "rings": item.rings = try json.strings()
            case "notes": item.notes = try json.strings()
            default: return
            }
        }
        self = item
    }
}

extension Import.Problem {
    /// - Throws: `JSONReader.Fault` when a field is of another type.
    package init(reading json: inout JSONReader) throws(JSONReader.Fault) {
        var problem = Import.Problem(line: 0, uid: nil, message: "", refused: false)
        try json.object { name, json throws(JSONReader.Fault) in
            switch name {
            case "line": problem.line = Int(try json.integer())
            case "uid": problem.uid = try json.optionalString()
            case "message": problem.message = try json.string()
            case "refused": problem.refused = try json.bool()
            case "conflict": problem.conflict = json.null() ? nil : try json.bool()
            default: return
            }
        }
        self = problem
    }
}
