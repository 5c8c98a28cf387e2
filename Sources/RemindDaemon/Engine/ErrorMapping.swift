import Calendaring
import RemindAPI
import RemindCore
import Store

extension APIError {
    /// An error of the store, as clients are told of it: nothing was changed.
    init(_ error: any Error) {
        guard let error = error as? StoreError else {
            self = .storeFailed("\(error)", code: "", hint: nil)
            return
        }
        let message = error.message + " Nothing was changed."
        self =
            error.category == .busy
            ? .busy(message, hint: nil)
            : .storeFailed(
                message, code: error.code ?? "", hint: "journalctl --user -u remindd says more.")
    }

    /// Work of several transactions met a restore.
    static func replacedStore(during work: String) -> APIError {
        .storeFailed(
            "A backup was put back during \(work), which ends here.", code: "",
            hint: "The store is as the backup has it. Start again, if that is still wanted.")
    }

    /// What was not understood, told of the parameter that said it.
    init(_ error: NotUnderstood, _ phrases: PhraseReading.Deadline) {
        switch error {
        case .phrase(let phrase):
            let parameter =
                switch phrase.phrase {
                case phrases.at: phrases.atName
                case phrases.every: "every"
                default: "in"
                }
            self.init(phrase, parameter: parameter)
        case .rule(let rule):
            self = .invalidArgument(
                phrases.rrule == nil ? "every" : "rrule", value: rule.part, rule.message,
                hint: "RFC 5545 describes RRULE; or in English: --every \"2 weeks\"")
        case .zone(let zone): self.init(zone)
        }
    }

    init(_ error: PhraseError, parameter: String) {
        self = .phrase(
            error.phrase, at: error.range, parameter: parameter, message: error.reason,
            hint: error.hint, isPast: error.isPast)
    }

    init(_ error: UnknownZone) {
        let near = error.suggestions.prefix(3).map { "--tz \($0)" }.joined(separator: ", ")
        self = .invalidArgument(
            "timeZone", value: error.name,
            "‘\(error.name)’ is no time zone that the system knows.",
            hint: near.isEmpty ? "Give an IANA name: --tz Europe/Paris" : "Try \(near).")
    }

    init(_ error: TextError, parameter: String, value: String) {
        // Long values are cut: the message must stay readable.
        let shown = value.count > 60 ? value.prefix(59) + "…" : Substring(value)
        self = .invalidArgument(parameter, value: String(shown), error.message, hint: error.hint)
    }
}
