import Testing

/// What happens to reminders when machines sleep, clocks jump and people travel, each as a story:
/// what is added, what happens, and what has been shown by then.
@Suite("Stories of clocks, sleep and travel")
struct TroubleTests {
    @Test("A story goes as people expect", arguments: clocks + sleep + travel)
    func story(story: Story) throws { try story.perform() }

    static let clocks: [Story] = [
        Story(
            name: "a step over several occurrences rings the newest, and the grid stays",
            now: "2024-09-10T12:00:00Z", zone: "UTC",
            steps: [
                .add("Walk", every: "every hour"), .clock("2024-09-10T17:20:00Z"),
                .shown(["Walk"]), .next("1", "2024-09-10T18:00:00Z"),
                .time("2024-09-10T18:00:00Z"), .shown(["Walk", "Walk"]),
            ]),
        Story(
            name: "a length of time ends at its instant, though the clock goes back",
            now: "2024-09-10T12:00:00Z", zone: "UTC",
            steps: [
                .addIn("Tea", "10m"), .clock("2024-09-10T11:05:00Z"),
                .time("2024-09-10T12:09:59Z"), .shown([]), .time("2024-09-10T12:10:00Z"),
                .shown(["Tea"]),
            ]),
        Story(
            name: "small steps around the deadline ring once",
            now: "2024-09-10T12:00:00Z", zone: "UTC",
            steps: [
                .add("Tea", at: "12:10"), .clock("2024-09-10T12:09:59.600Z"), .shown([]),
                .clock("2024-09-10T12:10:00.100Z"), .shown(["Tea"]),
                .clock("2024-09-10T12:09:59.500Z"), .time("2024-09-10T12:10:00.200Z"),
                .shown(["Tea"]),
            ]),
        Story(
            name: "a step to exactly the deadline rings",
            now: "2024-09-10T12:00:00Z", zone: "UTC",
            steps: [
                .add("Tea", at: "12:10"), .clock("2024-09-10T12:10:00Z"), .shown(["Tea"]),
            ]),
        Story(
            name: "a step beyond the end of a series rings its last occurrence, once",
            now: "2024-09-10T12:00:00Z", zone: "UTC",
            steps: [
                .add("Pills", every: "every day at 9:00 for 3 times"),
                .clock("2024-12-24T12:00:00Z"), .shown(["Pills"]), .next("1", nil),
                .time("2024-12-25T09:00:00Z"), .shown(["Pills"]),
            ]),
        Story(
            name: "a step back before the deadline waits again",
            now: "2024-09-10T12:00:00Z", zone: "UTC",
            steps: [
                .add("Tea", at: "12:10"), .time("2024-09-10T12:09:00Z"),
                .clock("2024-09-09T12:30:00Z"), .time("2024-09-09T23:00:00Z"), .shown([]),
                .time("2024-09-10T12:10:00Z"), .shown(["Tea"]),
            ]),
        Story(
            name: "what was done does not ring again after a step back",
            now: "2024-09-10T12:00:00Z", zone: "UTC",
            steps: [
                .add("Pills", every: "every day at 12:10"), .time("2024-09-10T12:10:00Z"),
                .done("1"), .clock("2024-09-10T12:00:00Z"), .time("2024-09-10T12:30:00Z"),
                .shown(["Pills"]), .time("2024-09-11T12:10:00Z"), .shown(["Pills", "Pills"]),
            ]),
    ]

    static let sleep: [Story] = [
        Story(
            name: "a sleep that ends before the deadline changes nothing",
            now: "2025-02-11T14:00:00+01:00", zone: "Europe/Vienna",
            steps: [
                .addIn("Tea", "2h"), .time("2025-02-11T15:30:00+01:00"), .shown([]),
                .time("2025-02-11T16:00:00+01:00"), .shown(["Tea"]),
            ]),
        Story(
            name: "a sleep over the lead time and the deadline rings once",
            now: "2025-02-11T14:00:00+01:00", zone: "Europe/Vienna",
            steps: [
                .addBefore("Call", at: "15:00", before: "15m"),
                .time("2025-02-11T16:00:00+01:00"), .shown(["Call"]), .next("1", nil),
            ]),
        Story(
            name: "a sleep over a snooze rings at resume",
            now: "2025-02-11T14:00:00+01:00", zone: "Europe/Vienna",
            steps: [
                .addIn("Tea", "10m"), .time("2025-02-11T14:10:00+01:00"),
                .snooze("1", until: "2025-02-11T14:20:00+01:00"),
                .time("2025-02-11T20:00:00+01:00"), .shown(["Tea", "Tea"]),
            ]),
        Story(
            name: "a sleep over many nags rings once, and the next nag is ahead",
            now: "2025-02-11T14:00:00+01:00", zone: "Europe/Vienna",
            steps: [
                .addNag("Oven", at: "14:10", nag: "5m"), .time("2025-02-11T14:10:00+01:00"),
                .time("2025-02-11T16:02:00+01:00"), .shown(["Oven", "Oven"]),
                .time("2025-02-11T16:02:30+01:00"), .shown(["Oven", "Oven"]),
            ]),
        Story(
            name: "a sleep over the whole of a series rings its last occurrence",
            now: "2025-02-11T14:00:00+01:00", zone: "Europe/Vienna",
            steps: [
                .add("Pills", every: "every day at 9:00 for 3 times"),
                .time("2025-02-20T08:00:00+01:00"), .shown(["Pills"]), .next("1", nil),
            ]),
        Story(
            name: "a weekend asleep over the spring change keeps the wall time",
            now: "2025-03-28T18:00:00+01:00", zone: "Europe/Vienna",
            steps: [
                .add("Pills", every: "every day at 9:00"),
                .time("2025-03-31T08:00:00+02:00"), .shown(["Pills"]),
                .next("1", "2025-03-31T09:00:00+02:00"),
            ]),
        Story(
            name: "a night asleep over the autumn change keeps elapsed hours",
            now: "2025-10-25T22:00:00+02:00", zone: "Europe/Vienna",
            steps: [
                .add("Walk", every: "every 3 hours"), .time("2025-10-26T07:30:00+01:00"),
                .shown(["Walk"]), .next("1", "2025-10-26T09:00:00+01:00"),
            ]),
        Story(
            name: "a nap while it rings does not ring again",
            now: "2025-02-11T14:00:00+01:00", zone: "Europe/Vienna",
            steps: [
                .add("Tea", at: "14:10"), .time("2025-02-11T14:10:00+01:00"),
                .time("2025-02-11T19:00:00+01:00"), .shown(["Tea"]),
            ]),
    ]

    static let travel: [Story] = [
        Story(
            name: "east over the deadline: it rings at landing",
            now: "2024-07-03T09:00:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Call", at: "11:00"), .zone("Asia/Tokyo"), .shown(["Call"]),
                .time("2024-07-03T11:00:00+02:00"), .shown(["Call"]),
            ]),
        Story(
            name: "west after it rang: it does not ring again",
            now: "2024-07-03T09:00:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Call", at: "11:00"), .time("2024-07-03T11:00:00+02:00"), .shown(["Call"]),
                .zone("America/New_York"), .time("2024-07-03T11:00:00-04:00"), .shown(["Call"]),
            ]),
        Story(
            name: "a deadline with its own zone stays",
            now: "2024-07-03T09:00:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addZoned("Call", at: "11:00", zone: "Europe/Paris"), .zone("America/New_York"),
                .time("2024-07-03T10:59:59+02:00"), .shown([]),
                .time("2024-07-03T11:00:00+02:00"), .shown(["Call"]),
            ]),
        Story(
            name: "a length of time stays",
            now: "2024-07-03T09:00:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addIn("Tea", "20m"), .zone("Asia/Tokyo"), .shown([]),
                .time("2024-07-03T09:20:00+02:00"), .shown(["Tea"]),
            ]),
        Story(
            name: "a date rings in the morning of where one is",
            now: "2024-07-03T10:00:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Rent", at: "2024-07-05"), .zone("Asia/Tokyo"),
                .next("1", "2024-07-05T09:00:00+09:00"), .zone("America/Los_Angeles"),
                .next("1", "2024-07-05T09:00:00-07:00"),
            ]),
        Story(
            name: "a daily one west of where it rang rings tomorrow",
            now: "2024-07-03T08:00:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 9:00"), .time("2024-07-03T09:00:00+02:00"),
                .zone("America/New_York"), .shown(["Pills"]),
                .next("1", "2024-07-04T09:00:00-04:00"), .time("2024-07-03T09:00:00-04:00"),
                .shown(["Pills"]), .time("2024-07-04T09:00:00-04:00"),
                .shown(["Pills", "Pills"]),
            ]),
        Story(
            name: "a snooze stays where it is",
            now: "2024-07-03T09:00:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Call", at: "11:00"), .time("2024-07-03T11:00:00+02:00"),
                .snooze("1", until: "2024-07-03T11:30:00+02:00"), .zone("America/New_York"),
                .next("1", "2024-07-03T11:30:00+02:00"), .time("2024-07-03T11:30:00+02:00"),
                .shown(["Call", "Call"]),
            ]),
        Story(
            name: "there and back again before it is due: it rings once, at home",
            now: "2024-07-03T09:00:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Call", at: "23:00"), .zone("America/New_York"), .zone("Asia/Tokyo"),
                .zone("Europe/Berlin"), .next("1", "2024-07-03T23:00:00+02:00"),
                .time("2024-07-03T23:00:00+02:00"), .shown(["Call"]),
            ]),
        Story(
            name: "a wall time that the new zone skips rings after the gap",
            now: "2025-03-08T12:00:00-07:00", zone: "America/Phoenix",
            steps: [
                .add("Backup", at: "2025-03-09 02:30"), .zone("America/Denver"),
                .next("1", "2025-03-09T03:30:00-06:00"),
            ]),
    ]
}
