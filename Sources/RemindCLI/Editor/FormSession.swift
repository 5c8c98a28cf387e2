import Glibc
import RemindAPI
import RemindCore

/// One task being edited as a form, until it is stored or given up. What was typed is never lost.
struct FormSession {
    private let session: Session
    private let editor: EditorProgram
    private let file: FormFile
    private let written: String
    private let original: EditForm
    /// The task as it was when the user last saw it.
    private var seen: ReminderRecord
    private var acceptsPast = false
    /// Say where the file is, as long as it is there.
    private var lastWords: LastWords?

    /// - Throws: when there is no such task, no editor or no place for the file.
    init(_ session: Session, reference: String) throws(Failure) {
        self.session = session
        editor = try EditorProgram(in: session.surroundings)
        guard let folder = session.surroundings.variable("XDG_RUNTIME_DIR") else {
            throw .configuration(
                "There is no private place for the form: XDG_RUNTIME_DIR is not set.",
                hint: "remindctl edit \(reference) --title \"Another title\"")
        }
        seen = try Self.show(reference, session)
        original = EditForm(seen, rule: try Self.rule(of: seen, session))
        written = original.text(number: seen.number)
        file = try FormFile(written, number: seen.number, in: folder)
    }

    mutating func run() throws(Failure) -> ExitStatus {
        lastWords = LastWords("\nWhat you typed is kept in ‘\(file.path)’.\n")
        defer { lastWords?.forget() }
        var failure = attempt(opensEditor: true)
        while let failed = failure {
            switch hasTyped ? try ask(failed) : .giveUp {
            case .edit: failure = attempt(opensEditor: true)
            case .save:
                if failed.name == "InThePast" { acceptsPast = true }
                failure = attempt(opensEditor: false)
            case .giveUp:
                try giveUp(failed)
                return failed.exit
            }
        }
        return .done
    }

    /// - Returns: why nothing was stored; `nil` when there is nothing more to do.
    private mutating func attempt(opensEditor: Bool) -> Failure? {
        do throws(Failure) {
            if opensEditor {
                acceptsPast = false
                try editor.edit(file.path)
            }
            let form = try EditForm(reading: file.read())
            var fields = try FormFields(form, from: original)
            fields.acceptsPast = acceptsPast
            guard !fields.changes.isEmpty else {
                removeFile()
                try session.errors.write("Nothing was changed.\n")
                return nil
            }
            try refuseOverwriting()
            try store(fields)
            return nil
        } catch {
            return error
        }
    }

    private func removeFile() {
        lastWords?.forget()
        file.remove()
    }

    private func store(_ fields: FormFields) throws(Failure) {
        let bytes: [UInt8]
        do throws(Failure) {
            bytes = try session.call(Edit.self) { json throws(Failure) in
                json.field("reference", seen.id)
                fields.write(to: &json)
            }
        } catch {
            throw error.placed(in: fields.form)
        }
        removeFile()
        try Adding.printUnderstood(bytes, session)
    }

    /// - Throws: `ChangedMeanwhile`, once for each change.
    private mutating func refuseOverwriting() throws(Failure) {
        // A daemon that was restarted meanwhile is another connection.
        session.disconnect()
        let now = try Self.show(seen.id, session)
        guard now.modified != seen.modified || now.state != seen.state else { return }
        let before = EditForm(seen, rule: seen.rule ?? "")
        let after = EditForm(now, rule: now.rule ?? "")
        seen = now
        let changes = after.changes(from: before).map { field in
            field == .note ? "its note" : "\(field.rawValue) is now ‘\(after[field])’"
        }
        let what =
            changes.isEmpty ? "it is \(now.state.rawValue) now" : changes.joined(separator: ", ")
        throw Failure(
            "ChangedMeanwhile", "The task was changed meanwhile: \(what).",
            hint: "What you save replaces the fields that you changed, and no others.",
            exit: .temporary)
    }
}

/// What the user is asked and told.
extension FormSession {
    private enum Answer { case edit, save, giveUp }

    private var hasTyped: Bool {
        do throws(Failure) {
            return try file.read().trimmingBlanks != written.trimmingBlanks
        } catch {
            // It cannot be read, so nobody knows: it is kept.
            return true
        }
    }

    private func ask(_ failure: Failure) throws(Failure) -> Answer {
        let save =
            switch failure.name {
            case "InThePast": "save all the same"
            case "ChangedMeanwhile": "save yours"
            default: "save as it is"
            }
        try session.output.flush()
        try session.errors.write(failure.text(json: session.json))
        while true {
            try session.errors.write("Edit again (e), \(save) (s) or give up (g)? ")
            try session.errors.flush()
            guard let line = StandardInput.line(from: session.surroundings.inputDescriptor) else {
                return .giveUp
            }
            switch line.trimmingBlanks.lowercased() {
            case "e", "edit", "": return .edit
            case "s", "save": return .save
            case "g", "give up", "q": return .giveUp
            default: continue
            }
        }
    }

    private func tellKept() throws(Failure) {
        try session.errors.write(
            "\nNothing was changed. What you typed is kept in ‘\(file.path)’.\n")
    }

    /// Says where the text is, if there is any of the user's.
    private func giveUp(_ failure: Failure) throws(Failure) {
        guard hasTyped else {
            removeFile()
            throw failure
        }
        try tellKept()
    }
}

/// What the form needs to know.
extension FormSession {
    private static func show(_ reference: String, _ session: Session) throws(Failure)
        -> ReminderRecord
    {
        let bytes = try session.call(Show.self) { json throws(Failure) in
            json.field("reference", reference)
        }
        let records = try Reply(bytes).records()
        guard let record = records.first, records.count == 1 else {
            throw .usage(
                records.isEmpty ? "Nothing rings." : "‘\(reference)’ means several tasks.",
                hint: "remindctl edit \(records.first?.number ?? 7)")
        }
        return record
    }

    /// The recurrence in words where the daemon reads them as the same rule, else the rule itself.
    private static func rule(of record: ReminderRecord, _ session: Session) throws(Failure)
        -> String
    {
        guard let rule = record.rule else { return "" }
        let words = RuleWords.words(for: rule)
        guard words.hasPrefix("every ") else { return rule.singleLine }
        let phrase = String(words.dropFirst("every ".count))
        do throws(Failure) {
            let bytes = try session.call(When.self) { json throws(Failure) in
                json.field("phrase", record.moment?.full)
                json.field("every", phrase)
                json.field("now", record.created)
                json.field("count", Int64(1))
            }
            return try Self.rule(in: bytes) == rule ? phrase : rule.singleLine
        } catch {
            if error.name == Failure.unreachable { throw error }
            return rule.singleLine
        }
    }
}

extension FormSession {
    private static func rule(in meaning: [UInt8]) throws(Failure) -> String? {
        var json = JSONReader(meaning)
        var rule: String?
        do {
            try json.object { name, json throws(JSONReader.Fault) in
                if name == "rule" { rule = try json.optionalString() }
            }
        } catch {
            throw .malformedJSON(error)
        }
        return rule
    }
}

extension Failure {
    /// The failure with the line of the form that is at fault.
    fileprivate func placed(in form: EditForm) -> Failure {
        var placed = self
        var json = JSONReader(parameters)
        var parameter: String?
        // Parameters that cannot be read name no line.
        try? json.object { name, json throws(JSONReader.Fault) in
            if name == "parameter" { parameter = try json.string() }
        }
        if let field = parameter.flatMap(FormFields.field), let place = form.places[field] {
            placed.message = "Line \(place), \(field.rawValue): \(message)"
        }
        if name == "InThePast" { placed.hint = "Give a time to come, or save it all the same." }
        return placed
    }
}
