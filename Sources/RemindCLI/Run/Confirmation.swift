import Glibc
import RemindAPI

/// The question before many tasks change at once. In pipes nobody is asked.
enum Confirmation {
    /// As many references go without a question.
    static let freely = 3

    /// - Returns: true when it may be done: few references, `--yes`, nobody to ask, or a yes.
    static func given(_ session: Session, for references: [String]) throws(Failure) -> Bool {
        let command = session.arguments.command
        guard command.option(named: "yes") != nil, !session.arguments.has("yes"),
            session.surroundings.canAsk, references.count > freely || references.contains("all")
        else { return true }
        let what =
            references.contains("all") ? "everything that rings" : "\(references.count) tasks"
        try session.output.flush()
        try session.errors.write("remindctl: \(command.name) \(what)? [y/N] ")
        try session.errors.flush()
        return isYes(answer(from: session.surroundings.inputDescriptor))
    }

    /// read(2) of one line: a terminal hands over no more than that.
    private static func answer(from fd: Int32) -> String {
        var line = [UInt8](repeating: 0, count: 256)
        let count = max(read(fd, &line, line.count), 0)
        return String(decoding: line.prefix(count), as: UTF8.self)
    }

    private static func isYes(_ answer: String) -> Bool {
        let word = answer.lowercased().prefix { $0.isLetter }
        return word == "y" || word == "yes"
    }
}
