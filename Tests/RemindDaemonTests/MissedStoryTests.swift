import RemindCore
import Testing

@Suite("Stories of what was missed")
struct MissedStoryTests {
    @Test("A story goes as people expect", arguments: missed + clocks)
    func story(story: Story) throws { try story.perform() }

    static let missed: [Story] = [
        Story(
            name:
                "weekdays over a weekend: the newest, and what was missed does not count the weekend",
            now: "2024-05-03T08:00:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every weekday at 9:00"),
                .off(until: "2024-05-08T12:00:00+02:00"), .shown(["Pills"]),
                .says("3 earlier occurrences were missed"), .due("1", "Wed 8 May 2024, 09:00"),
                .next("1", "2024-05-09T09:00:00+02:00"),
            ]),
        Story(
            name: "two missed: one is told as one",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"),
                .off(until: "2024-05-02T12:00:00+02:00"), .shown(["Pills"]),
                .says("1 earlier occurrence was missed"),
            ]),
        Story(
            name: "what had rung unanswered before is not missed, and is replaced in place",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"), .time("2024-05-01T11:00:00+02:00"),
                .off(until: "2024-05-04T12:00:00+02:00"), .shown(["Pills", "Pills"]),
                .says("2 earlier occurrences were missed"), .due("1", "Sat 4 May 2024, 11:00"),
                .alarm("1", .ringing),
            ]),
        Story(
            name: "off over the end of a snooze: it rings at once, once",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"),
                .off(until: "2024-05-01T13:00:00+02:00"), .shown(["Tea"]),
                .time("2024-05-01T14:00:00+02:00"), .shown(["Tea"]), .next("1", nil),
            ]),
        Story(
            name: "off over the end of a snooze and the next occurrence: only the newest rings",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"),
                .off(until: "2024-05-02T12:00:00+02:00"), .shown(["Pills"]),
                .due("1", "Thu 2 May 2024, 11:00"), .next("1", "2024-05-03T11:00:00+02:00"),
            ]),
        Story(
            name: "off over a lead time of the day after: one ring, for what is to come",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addBefore("Pills", every: "every day at 12:00", before: "1h"),
                .off(until: "2024-05-02T11:30:00+02:00"), .shown(["Pills"]),
                .says("1 earlier occurrence was missed"), .due("1", "Thu 2 May 2024, 12:00"),
                .next("1", "2024-05-02T12:00:00+02:00"),
            ]),
        Story(
            name: "what was done meanwhile is silent",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"), .time("2024-05-01T11:00:00+02:00"),
                .done("1"), .off(until: "2024-05-01T23:00:00+02:00"), .shown([]),
                .next("1", "2024-05-02T11:00:00+02:00"),
            ]),
        Story(
            name: "off over the end of a pause: shown at once",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .pause(until: "2024-05-01T12:00:00+02:00"),
                .time("2024-05-01T11:00:00+02:00"), .shown([]),
                .off(until: "2024-05-01T13:00:00+02:00"), .shown(["Tea"]),
            ]),
        Story(
            name: "a date without a time that repeats",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Bins", every: "every day"), .off(until: "2024-05-05T10:00:00+02:00"),
                .shown(["Bins"]), .due("1", "Sun 5 May 2024"),
                .next("1", "2024-05-06T09:00:00+02:00"),
            ]),
        Story(
            name: "every two hours keeps its grid",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Walk", every: "every 2 hours"), .off(until: "2024-05-01T23:00:00+02:00"),
                .shown(["Walk"]), .says("5 earlier occurrences were missed"),
                .next("1", "2024-05-02T00:30:00+02:00"),
            ]),
        Story(
            name: "after completion: it waits for the answer and misses nothing",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Plants", every: "every 3 days at 9:00 after completion"),
                .off(until: "2024-05-20T10:00:00+02:00"), .shown(["Plants"]), .next("1", nil),
                .done("1"), .next("1", "2024-05-23T09:00:00+02:00"),
            ]),
        Story(
            name: "off over nags: it is shown again, nags once, and nags on from now",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addNag("Oven", at: "11:00", nag: "5m"), .time("2024-05-01T11:00:00+02:00"),
                .off(until: "2024-05-01T12:02:00+02:00"), .shown(["Oven", "Oven"]),
                .next("1", "2024-05-01T12:07:00+02:00"),
            ]),
        Story(
            name: "off for the last of a series, which rang: nothing more",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00 for 2 times"),
                .time("2024-05-01T11:00:00+02:00"), .time("2024-05-02T11:00:00+02:00"),
                .dismiss("1"), .off(until: "2024-05-09T12:00:00+02:00"), .shown([]),
                .next("1", nil), .state("1", .open),
            ]),
        Story(
            name: "monthly on the 31st over three months",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Rent", every: "monthly on the 31st at 9:00"),
                .off(until: "2024-08-05T12:00:00+02:00"), .shown(["Rent"]),
                .says("2 earlier occurrences were missed"), .due("1", "Wed 31 Jul 2024, 09:00"),
                .next("1", "2024-08-31T09:00:00+02:00"),
            ]),
        Story(
            name: "another zone while off: the wall time of here",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"),
                .off(until: "2024-05-01T11:00:00+02:00"), .zone("America/New_York"),
                .shown(["Pills"]), .next("1", "2024-05-02T11:00:00-04:00"),
            ]),
    ]

    static let clocks: [Story] = [
        Story(
            name: "forward over the end of a pause: what it held back is shown",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .pause(until: "2024-05-01T12:00:00+02:00"),
                .time("2024-05-01T11:00:00+02:00"), .shown([]),
                .clock("2024-05-01T12:30:00+02:00"), .shown(["Tea"]),
            ]),
        Story(
            name: "forward over a snooze: it rings, once",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"),
                .clock("2024-05-01T12:00:00+02:00"), .shown(["Tea", "Tea"]),
                .time("2024-05-01T13:00:00+02:00"), .shown(["Tea", "Tea"]),
            ]),
        Story(
            name: "back over midnight: a date does not ring twice",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Bins", every: "every day"), .time("2024-05-02T09:00:00+02:00"),
                .clock("2024-05-01T23:30:00+02:00"), .time("2024-05-01T23:59:00+02:00"),
                .time("2024-05-02T09:00:00+02:00"), .shown(["Bins"]),
                .next("1", "2024-05-03T09:00:00+02:00"),
            ]),
        Story(
            name: "forward a day and back: the occurrence of that day has rung",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"), .clock("2024-05-02T11:30:00+02:00"),
                .shown(["Pills"]), .dismiss("1"), .clock("2024-05-01T10:40:00+02:00"),
                .time("2024-05-01T11:00:00+02:00"), .shown(["Pills", "Pills"]),
                .time("2024-05-02T11:00:00+02:00"), .shown(["Pills", "Pills"]),
                .time("2024-05-03T11:00:00+02:00"), .shown(["Pills", "Pills", "Pills"]),
            ]),
        Story(
            name: "west between the lead time and the deadline: the lead time has rung",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addBefore("Call", at: "11:00", before: "15m"),
                .time("2024-05-01T10:45:00+02:00"), .zone("Europe/London"),
                .time("2024-05-01T11:45:00+02:00"), .shown(["Call"]),
                .time("2024-05-01T12:00:00+02:00"), .shown(["Call", "Call"]),
            ]),
        Story(
            name: "a date that rang does not ring again in the morning of the west",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Bins", at: "2024-05-02"), .time("2024-05-02T09:00:00+02:00"),
                .zone("America/New_York"), .time("2024-05-02T15:00:00+02:00"), .shown(["Bins"]),
                .next("1", nil),
            ]),
        Story(
            name: "a snoozed series in another zone: the snooze stays, the series follows",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T13:00:00+02:00"), .zone("Asia/Tokyo"),
                .time("2024-05-01T13:00:00+02:00"), .shown(["Pills", "Pills"]),
                .next("1", "2024-05-02T11:00:00+09:00"),
            ]),
    ]
}
