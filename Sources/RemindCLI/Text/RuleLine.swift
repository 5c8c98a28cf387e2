import RemindCore

extension RuleWords {
    /// A recurrence rule in words, fit for a terminal; the rule itself when it says more than a few
    /// words do.
    static func words(for rule: String) -> String { phrase(for: rule) ?? rule.singleLine }
}
