import RemindAPI

/// `edit`.
enum Editing {
    @Sendable static func edit(_ session: Session) throws(Failure) -> ExitStatus {
        let options = CommandTable.edit.options.filter { $0.name != "past" }
        guard options.contains(where: { session.arguments.has($0.name) }) else {
            throw .usage(
                "There is nothing to change.", hint: "remindctl edit 7 --at \"tomorrow 18:00\"")
        }
        let bytes = try session.call(Edit.self) { json throws(Failure) in
            json.field("reference", session.arguments.operands.first)
            try session.writeOptions(to: &json)
        }
        try Adding.printUnderstood(bytes, session)
        return .done
    }
}
