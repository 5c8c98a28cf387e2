import RemindAPI
import RemindCore

/// What was changed in a form, as the fields of a call of `Edit`.
struct FormFields {
    let form: EditForm
    let changes: [EditForm.Field]
    /// A deadline that has gone by is accepted.
    var acceptsPast = false

    /// - Throws: a value that needs no daemon to be refused.
    init(_ form: EditForm, from original: EditForm) throws(Failure) {
        (self.form, changes) = (form, form.changes(from: original))
        guard changes.contains(.priority), !form[.priority].isEmpty else { return }
        guard Reminder.Priority(rawValue: form[.priority]) != nil else {
            let place = form.places[.priority].map { "Line \($0): " } ?? ""
            throw .form(
                "\(place)‘\(form[.priority])’ is no priority.",
                hint: "It is one of low, normal and high.")
        }
    }

    func write(to json: inout JSONWriter) {
        for field in changes {
            let value = form[field]
            switch field {
            case .title: json.field("title", value)
            case .every: json.field(value.uppercased().holds("FREQ=") ? "rrule" : "every", value)
            case .before: json.field("before", Self.parts(value) { $0 == "," })
            case .nag: json.field("nag", value)
            case .priority: json.field("priority", value.isEmpty ? "normal" : value)
            case .tags: json.field("tags", Self.tags(value))
            case .list: json.field("list", value)
            case .note: json.field("note", value)
            case .when, .zone: continue
            }
        }
        writeDeadline(to: &json)
    }

    /// A wall time and its zone are one thing: each is told with the other.
    private func writeDeadline(to json: inout JSONWriter) {
        guard changes.contains(.when) || changes.contains(.zone) else { return }
        json.field("at", form[.when])
        guard !form[.when].isEmpty else { return }
        if changes.contains(.zone) || !form[.zone].isEmpty {
            json.field("timeZone", form[.zone])
        }
        // One that was there already is not refused for having gone by.
        if acceptsPast || !changes.contains(.when) { json.field("past", true) }
    }

    private static func tags(_ value: String) -> [String] {
        parts(value) { $0 == "," || $0.isWhitespace }
            .map { $0.hasPrefix("#") ? String($0.dropFirst()) : $0 }
    }

    /// One empty text for none: it clears.
    private static func parts(_ value: String, isEnd: (Character) -> Bool) -> [String] {
        let parts = value.split(whereSeparator: isEnd).map { String($0).trimmingBlanks }
            .filter { !$0.isEmpty }
        return parts.isEmpty ? [""] : parts
    }

    /// The field that a parameter of the call came from.
    static func field(ofParameter name: String) -> EditForm.Field? {
        switch name {
        case "title": .title
        case "at", "in": .when
        case "every", "rrule": .every
        case "before": .before
        case "nag": .nag
        case "priority": .priority
        case "tags": .tags
        case "list": .list
        case "timeZone": .zone
        case "note": .note
        default: nil
        }
    }
}
