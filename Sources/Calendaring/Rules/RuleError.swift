/// A recurrence rule that cannot be used.
package struct RuleError: Error, Hashable, Sendable {
    /// The part at fault as it was given (`BYDAY=XX`), or the whole rule.
    package let part: String
    /// A sentence that names the part and says what to do.
    package let message: String

    package init(part: String, message: String) {
        (self.part, self.message) = (part, message)
    }
}
