import RemindCore
import Testing

@testable import Store

@Suite("Forms of values in the columns")
struct CodecTests {
    private static let civil = CivilDateTime(secondsSinceEpoch: 1_903_939_200)

    @Test(
        "A deadline has one text, and reads back",
        arguments: [
            (Deadline.floating(civil), "2030-05-02T08:00:00"),
            (
                .zoned(civil, zone: "America/Argentina/Buenos_Aires"),
                "2030-05-02T08:00:00 America/Argentina/Buenos_Aires"
            ),
            (
                .zoned(civil, zone: "<-03>3<-02>,M3.2.0 /2"),
                "2030-05-02T08:00:00 <-03>3<-02>,M3.2.0 /2"
            ),
            (.absolute(Instant(milliseconds: 1_903_939_200_123)), "@1903939200123"),
            (.absolute(Instant(milliseconds: -1)), "@-1"),
            (.absolute(.latest), "@253402300799000"),
            (.date(.first), "0001-01-01"), (.date(.last), "9999-12-31"),
        ])
    func deadline(value: Deadline, text: String) {
        #expect(Codec.text(value) == text)
        #expect(Codec.deadline(text) == value)
    }

    @Test(
        "What is no deadline is refused",
        arguments: [
            "", " ", "@", "@1.5", "@x", "2030-02-30", "2030-05-02T08:00", "2030-05-02 Europe/Paris",
            "2030-05-02T08:00:00Z", "soon",
        ])
    func refusedDeadline(text: String) { #expect(Codec.deadline(text) == nil) }

    @Test("Several deadlines stand one a line, none is no text, and one bad line is refused")
    func deadlines() {
        let several: [Deadline] = [.date(.first), .floating(Self.civil), .date(.first)]
        #expect(Codec.text(several) == "0001-01-01\n2030-05-02T08:00:00\n0001-01-01")
        #expect(Codec.deadlines(Codec.text(several)) == several)
        #expect(Codec.text([Deadline]()) == nil)
        #expect(Codec.deadlines(nil) == [])
        #expect(Codec.deadlines("0001-01-01\n") == nil)
    }

    @Test("Lead times stand with blanks between them")
    func leadTimes() {
        let several = [
            CalendarDuration(seconds: 900), CalendarDuration(),
            CalendarDuration(months: -13, days: -2),
        ]
        #expect(Codec.text(several) == "PT15M PT0S -P1Y1M2D")
        #expect(Codec.durations("PT15M PT0S -P1Y1M2D") == several)
        #expect(Codec.text([CalendarDuration]()) == nil)
        #expect(Codec.durations("PT15M soon") == nil)
    }

    @Test("Priorities sort, and read back")
    func priorities() {
        let numbers = [Reminder.Priority.low, .normal, .high].map(Codec.number)
        #expect(numbers == [0, 1, 2])
        #expect(Reminder.Priority.allCases.allSatisfy { Codec.priority(Codec.number($0)) == $0 })
        #expect(Codec.priority(3) == nil)
    }

    @Test("SQLite's result codes have SQLite's names")
    func resultCodes() {
        #expect(ResultCode.name(5) == "SQLITE_BUSY")
        #expect(ResultCode.name(13) == "SQLITE_FULL")
        #expect(ResultCode.name(2067) == "SQLITE_CONSTRAINT_UNIQUE")
        #expect(ResultCode.name(778) == "SQLITE_IOERR_WRITE")
        #expect(ResultCode.name(10 | 99 << 8) == "SQLITE_IOERR")
        #expect(ResultCode.name(99) == "SQLITE_99")
    }
}
