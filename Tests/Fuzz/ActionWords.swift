import RemindAPI
import RemindCore

@testable import RemindDaemon

/// Texts, times and counts that calls are made of.
enum Words {
    static let titles = [
        "Tea", "", " ", "\u{0}", "é e\u{301}", "👩‍👩‍👧‍👦", String(repeating: "x", count: 1001),
    ]
    static let notes = ["", "a note", "two\nlines\r\nmore", String(repeating: "n", count: 100_001)]
    static let times = [
        "in 10m", "tomorrow 9am", "2030-05-01 09:00", "2030-05-01", "9999-12-31 23:59",
        "0001-01-01 00:00", "2024-05-01 10:30", "2024-03-31 02:30 Europe/Berlin",
        "2024-10-27 02:30 America/New_York", "every day at 9:00", "monthly on the 31st",
        "every 3 days after completion", "yesterday", "friday", "2024-02-29", "", "noon",
        "9999-12-31T23:59:59+14:00", "0001-01-01T00:00:00-14:00", "in 9223372036854775807s",
    ]
    static let durations = [
        "10m", "1h", "1d", "0s", "-1d", "5w", "1y", "9999y", "99999999999d",
        "9223372036854775807ms", "9223372036854775807s", "-9223372036854775808s", "P1Y2M3DT4H5M6S",
        "1 month", "", "1m", "59s", "400d",
    ]
    static let rules = [
        "FREQ=DAILY", "FREQ=SECONDLY", "FREQ=YEARLY;INTERVAL=9999", "FREQ=DAILY;COUNT=1",
        "FREQ=DAILY;COUNT=2147483647", "FREQ=MINUTELY;INTERVAL=2147483647",
        "FREQ=MONTHLY;BYMONTHDAY=31,-31", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=WEEKLY;BYDAY=MO,TU;WKST=SU", "FREQ=DAILY;UNTIL=99991231T235959Z",
        "FREQ=DAILY;UNTIL=00010101", "FREQ=HOURLY;BYSETPOS=-366", "FREQ=YEARLY;BYWEEKNO=53", "",
        "FREQ=YEARLY;BYYEARDAY=366;INTERVAL=100", "FREQ=DAILY;INTERVAL=9223372036854775807",
    ]
    static let names = ["inbox", "work", "", "a b", "é", String(repeating: "l", count: 101)]
    static let zones = ["UTC", "Asia/Kathmandu", "Nowhere/None", "", "CET-1CEST,M3.5.0,M10.5.0/3"]
    static let searches = [
        "tea", "", "\"", "* OR -", "é", "a_b%", String(repeating: "s", count: 501),
    ]
    static let limits = [0, 1, -1, 10_000, 10_001, Int.max, Int.min]
    /// Linux lets its clock be set from 1970 to 2232.
    static let clocks = Instant(seconds: 0)...Instant(seconds: 8_277_000_000)
    static let instants = [
        clocks.lowerBound, clocks.upperBound, Instant(seconds: 1_711_846_799),
        Instant(seconds: 1_729_990_800), Instant(seconds: 4_102_444_800),
    ]
}

/// Something that is asked, with any limits.
struct Question: Sendable {
    private var list = List.Parameters()
    private var when = When.Parameters()
    private let search: Search.Parameters
    private let reference: String
    private let limit: Int?
    private let kind: UInt8

    init(_ steering: inout Steering, reference: String) {
        (list.show, list.sort) = (
            steering.maybe(List.Show.allCases), steering.maybe(List.Sort.allCases)
        )
        (list.limit, list.search) = (
            steering.maybe(Words.limits), steering.maybe(Words.searches)
        )
        (list.list, list.tag) = (steering.maybe(Words.names), steering.maybe(Words.names))
        (when.phrase, when.rrule) = (steering.maybe(Words.times), steering.maybe(Words.rules))
        (when.count, when.timeZone) = (steering.maybe(Words.limits), steering.maybe(Words.zones))
        (self.reference, limit) = (reference, steering.maybe(Words.limits))
        search = Search.Parameters(text: steering.choice(Words.searches), limit: limit)
        kind = steering.byte() % 9
    }

    func ask(_ engine: isolated Engine) throws(APIError) {
        var json = JSONWriter()
        switch kind {
        case 0:
            var pages = try engine.list(list, .whole)
            _ = try engine.turn(&pages) { _, _ in }
        case 1:
            var pages = try engine.search(search, .whole)
            _ = try engine.turn(&pages) { _, _ in }
        case 2: try engine.explain(when, to: &json)
        case 3: try engine.show(reference, to: &json)
        case 4: try engine.explain(reference, to: &json)
        case 5: try engine.next(limit: limit, to: &json)
        case 6: try engine.log(Log.Parameters(reference: reference, limit: limit), to: &json)
        case 7: try engine.changes(Changes.Parameters(limit: limit), to: &json)
        default: try engine.export(Export.Parameters(), to: &json)
        }
    }
}
