/// The limits on what a user or a file can make the daemon hold. Each is tested on both sides.
package enum Limits {
    /// Characters (Unicode scalars).
    package static let title = 1000
    package static let note = 100_000
    package static let list = 100
    package static let tag = 100
    /// UTF-8 bytes of a phrase, a rule or a zone name.
    package static let phrase = 1000
    package static let search = 500
    package static let tags = 50
    package static let leadTimes = 20
    /// Seconds; a nag is not more often than this.
    package static let shortestNag: Int64 = 60
    /// Occurrences searched before a rule counts as never happening again.
    package static let occurrencesSearched = 100_000
}
