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

    init(_ error: ScheduleError, parameter: String, value: String) {
        switch error {
        case .rule(let rule):
            self = .invalidArgument(
                parameter, value: value, rule.message,
                hint: "RFC 5545 describes RRULE; or in English: --every \"2 weeks\"")
        case .zone(let zone):
            self = .invalidArgument(
                parameter, value: zone.name,
                "‘\(zone.name)’ is no time zone that the system knows.",
                hint: zone.suggestions.first.map { "Try \($0)." })
        }
    }

    init(_ error: TextError, parameter: String, value: String) {
        // Long values are cut: the message must stay readable.
        let shown = value.count > 60 ? value.prefix(59) + "…" : Substring(value)
        self = .invalidArgument(parameter, value: String(shown), error.message, hint: error.hint)
    }
}
