/// Every link of the chain from a reminder to the person, checked.
package enum Doctor: RemindersMethod {
    package static let name = "Doctor"

    package struct Parameters: Codable, Sendable {
        package var test: Bool?

        package init(test: Bool? = nil) { self.test = test }

        package enum CodingKeys: String, CodingKey, CaseIterable { case test }
    }

    package enum Result: String, Codable, CaseIterable, Sendable {
        case good
        /// Works, with something that one should know.
        case notice
        /// Reminders may not reach anybody because of it.
        case failed
    }

    /// What one look at one link found.
    package struct Check: Decodable, Hashable, Sendable {
        /// One word, such as `store`.
        package var name: String
        package var result: Result
        /// What is there.
        package var text: String
        /// What to do; each failure has one.
        package var hint: String?

        package init(_ name: String, _ result: Result, _ text: String, hint: String? = nil) {
            (self.name, self.result, self.text, self.hint) = (name, result, text, hint)
        }
    }

    package struct Reply: Decodable, Sendable {
        package var version: String
        package var now: String
        package var checks: [Check]
    }
}

extension Doctor.Check {
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.field("name", name)
            json.field("result", result.rawValue)
            json.field("text", text)
            json.field("hint", hint)
        }
    }

    /// - Throws: `JSONReader.Fault` when a field that every check has is missing or of another type.
    package init(reading json: inout JSONReader) throws(JSONReader.Fault) {
        var (name, text, hint): (String?, String?, String?)
        var result: Doctor.Result?
        try json.object { field, json throws(JSONReader.Fault) in
            switch field {
            case "name": name = try json.string()
            case "result": result = try json.choice()
            case "text": text = try json.string()
            case "hint": hint = try json.optionalString()
            default: return
            }
        }
        guard let name, let result, let text else { throw JSONReader.Fault(offset: 0) }
        self.init(name, result, text, hint: hint)
    }
}
