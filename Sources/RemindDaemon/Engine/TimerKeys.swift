/// The keys of the wheel's entries that belong to no reminder; numbers of reminders begin at 1.
extension Engine {
    /// Refills the wheel from the store.
    static let refillKey: Int64 = 0
    /// Ends a pause, or quiet hours.
    static let holdKey: Int64 = -1
    /// Tries again to store answers that the store could not take.
    static let answersKey: Int64 = -2
    /// Ends the wait for an answer to the test pop-up of `doctor`.
    static let testTimerKey: Int64 = -3
    /// Brings back pop-ups that the server dropped.
    static let dropKey: Int64 = -4
}
