package import RemindCore

/// A component of a calendar that is neither a to-do nor an event (VJOURNAL, VFREEBUSY, X-…): it is
/// kept, and goes out again as it came.
package struct ICalendarComponent: Hashable, Sendable {
    /// Upper case.
    package let name: String
    /// One made of its content where it has none, so that reading it twice gives the same.
    package let uid: String
    /// The occurrence that it is about (RECURRENCE-ID), as a content line; empty: none.
    package let recurrence: String
    /// The line of the file where it begins, counted from 1.
    package let line: Int
    package let sequence: Int
    /// LAST-MODIFIED, else DTSTAMP.
    package let version: Instant
    /// The list of an export of ours.
    package let list: String?
    /// Content lines without folds, BEGIN to END; without our own property.
    package let text: [String]
    /// A hash of all that it says, DTSTAMP aside. Stable for ever.
    package let content: Int64

    init(_ component: Component, _ canonical: CanonicalText<some ZoneDatabase>) {
        let times = canonical.times
        (name, line, text) = (component.name, component.line, canonical.kept(component))
        content = ICalendarItem.contentHash(of: text)
        uid = component.givenUID ?? Self.uid(content)
        recurrence = text.first { $0.hasPrefix("RECURRENCE-ID") } ?? ""
        sequence =
            component.first("SEQUENCE").flatMap { Int32($0.value.trimmedASCII) }
            .map { Int($0) } ?? 0
        version =
            times.instant(component.first("LAST-MODIFIED"))
            ?? times.instant(component.first("DTSTAMP")) ?? .earliest
        list = component.first(ReminderState.name).flatMap { ReminderState(text: $0.value).list }
    }

    /// Made of the text as it goes out, so that an export that is read again gives the same.
    private static func uid(_ content: Int64) -> String {
        let digits = String(UInt64(bitPattern: content), radix: 16)
        return "content-" + String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension Component {
    /// Its UID; `nil` when there is none, or an empty one.
    var givenUID: String? {
        let given = first("UID").map { ICalendarText.decoded($0.value).trimmingBlanks() }
        return given?.isEmpty == true ? nil : given
    }
}

extension ICalendarLimits {
    /// Components with one UID that are kept; further ones are refused.
    package static let parts = 1000
}
