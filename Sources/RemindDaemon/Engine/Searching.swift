import RemindAPI
import RemindCore
import Store
import TextForms

extension Engine {
    /// The reminders that a text finds, the best match first.
    func search(_ parameters: Search.Parameters, _ size: ListPages.Size) throws(APIError)
        -> ListPages
    {
        try ListFilter.check(parameters.text, parameter: "text")
        // A lone accent is folded away.
        guard !TextForm.folded(parameters.text).trimmingBlanks().isEmpty else {
            throw .invalidArgument(
                "text", value: parameters.text, "There is nothing to search for.",
                hint: "Give a word or a part of one: remindctl search rent")
        }
        var list = List.Parameters()
        (list.show, list.search, list.limit) = (.all, parameters.text, parameters.limit)
        let filter = try ListFilter(list, now: clock.now, tomorrow: tomorrow)
        return try self.list(
            filter, sort: .match, limit: parameters.limit, isBrief: parameters.brief ?? false,
            size)
    }
}
