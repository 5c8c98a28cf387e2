import RemindAPI
import RemindCore
import Store

extension APIError {
    /// An error of the store, as clients are told of it: nothing was changed.
    init(_ error: StoreError) {
        switch error.category {
        case .busy:
            self = .busy(
                "Another program holds a lock on the store (\(error)).",
                hint: "Nothing was changed; try again in a moment.")
        case .full:
            self = .storeFailed(
                "The disk is full: nothing was changed (\(error)).", code: error.name,
                hint: "Free some space and try again.")
        default:
            self = .storeFailed(
                "The store failed: nothing was changed (\(error)).", code: error.name,
                hint: "remindctl status; journalctl --user -u remindd")
        }
    }

    init(_ error: TextError, parameter: String, value: String) {
        // Long values are cut: the message must stay readable.
        let shown = value.count > 60 ? value.prefix(59) + "…" : Substring(value)
        self = .invalidArgument(parameter, value: String(shown), error.message, hint: error.hint)
    }
}
