import RemindAPI

/// `add`.
enum Adding {
    @Sendable static func add(_ session: Session) throws(Failure) -> ExitStatus {
        let title = try title(session.arguments.operands)
        let bytes = try session.call(Add.self) { json throws(Failure) in
            json.field("title", title)
            try session.writeOptions(to: &json)
        }
        try printUnderstood(bytes, session)
        return .done
    }

    /// The task as it now is, with its deadline as it was understood.
    static func printUnderstood(_ bytes: [UInt8], _ session: Session) throws(Failure) {
        let reply = try Reply(bytes)
        try session.printReminders(reply) { record in
            let deadline = reply.understood.map { $0.text.singleLine } ?? record.dueText
            let first = record.heading + (deadline.map { " — \($0)" } ?? "")
            return [first] + (reply.understood?.notes ?? []).map { "  \($0.singleLine)" }
        }
    }

    /// The words joined by blanks, without those around it.
    ///
    /// A blank first word is refused although others follow: it is a variable that was empty, or
    /// the place of a title.
    private static func title(_ words: [String]) throws(Failure) -> String {
        guard let first = words.first, !first.allSatisfy(\.isWhitespace) else {
            throw .input(
                "The title is empty.", hint: "remindctl add --at \"2030-05-01 09:00\" Pay rent")
        }
        var title = words.joined(by: " ")[...]
        while title.first?.isWhitespace ?? false { title.removeFirst() }
        while title.last?.isWhitespace ?? false { title.removeLast() }
        return String(title)
    }
}
