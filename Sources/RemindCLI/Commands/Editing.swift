import RemindAPI

/// `edit`.
enum Editing {
    @Sendable static func edit(_ session: Session) throws(Failure) -> ExitStatus {
        let options = CommandTable.edit.options.filter { $0.name != "past" }
        guard options.contains(where: { session.arguments.has($0.name) }) else {
            return try editAsForm(session)
        }
        let bytes = try session.call(Edit.self) { json throws(Failure) in
            json.field("reference", session.arguments.operands.first)
            try session.writeOptions(to: &json)
        }
        try Adding.printUnderstood(bytes, session)
        return .done
    }

    /// Opens the task in the user's editor.
    private static func editAsForm(_ session: Session) throws(Failure) -> ExitStatus {
        guard session.surroundings.canAsk, !session.arguments.has("past"),
            let reference = session.arguments.operands.first
        else {
            throw .usage(
                "There is nothing to change. Without options, ‘edit’ opens an editor, on a terminal"
                    + " only.", hint: "remindctl edit 7 --at \"tomorrow 18:00\"")
        }
        var form = try FormSession(session, reference: reference)
        return try form.run()
    }
}
