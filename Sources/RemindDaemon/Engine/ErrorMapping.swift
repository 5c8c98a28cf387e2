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

    init(_ error: TextError, parameter: String, value: String) {
        // Long values are cut: the message must stay readable.
        let shown = value.count > 60 ? value.prefix(59) + "…" : Substring(value)
        self = .invalidArgument(parameter, value: String(shown), error.message, hint: error.hint)
    }
}
