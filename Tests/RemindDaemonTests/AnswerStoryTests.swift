import RemindCore
import Testing

@Suite("Stories of nags, snoozes, answers and undo")
struct AnswerStoryTests {
    @Test("A story goes as people expect", arguments: nags + answers)
    func story(story: Story) throws { try story.perform() }

    static let nags: [Story] = [
        Story(
            name: "a nag in a pause is silent, and there is one pop-up afterwards",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addNag("Oven", at: "11:00", nag: "5m"), .time("2024-05-01T11:00:00+02:00"),
                .pause(until: "2024-05-01T11:12:00+02:00"), .time("2024-05-01T11:05:00+02:00"),
                .time("2024-05-01T11:10:00+02:00"), .shown(["Oven"]),
                .time("2024-05-01T11:12:00+02:00"), .shown(["Oven", "Oven"]),
            ]),
        Story(
            name: "a nag in the instant in which a pause ends: one pop-up, not two",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addNag("Oven", at: "11:00", nag: "5m"), .pause(until: "2024-05-01T11:10:00+02:00"),
                .time("2024-05-01T11:00:00+02:00"), .time("2024-05-01T11:05:00+02:00"),
                .shown([]), .time("2024-05-01T11:10:00+02:00"), .shown(["Oven"]),
            ]),
        Story(
            name: "a nag in a pause without an end, resumed",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addNag("Oven", at: "11:00", nag: "5m"), .pause(until: nil),
                .time("2024-05-01T11:00:00+02:00"), .time("2024-05-01T11:05:00+02:00"),
                .shown([]), .resume, .shown(["Oven"]), .alarm("1", .ringing),
            ]),
        Story(
            name: "dismissed, it nags no more",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addNag("Oven", at: "11:00", nag: "5m"), .time("2024-05-01T11:00:00+02:00"),
                .dismiss("1"), .time("2024-05-01T11:05:00+02:00"), .shown(["Oven"]),
                .next("1", nil),
            ]),
        Story(
            name: "snoozed, it nags again only behind the snooze",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addNag("Oven", at: "11:00", nag: "5m"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"),
                .time("2024-05-01T11:05:00+02:00"), .shown(["Oven"]),
                .next("1", "2024-05-01T11:30:00+02:00"), .time("2024-05-01T11:30:00+02:00"),
                .shown(["Oven", "Oven"]), .next("1", "2024-05-01T11:35:00+02:00"),
            ]),
        Story(
            name: "a nag ends with the next occurrence, which nags itself",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addNag("Pills", every: "every hour", nag: "45m"),
                .time("2024-05-01T11:30:00+02:00"), .time("2024-05-01T12:15:00+02:00"),
                .time("2024-05-01T12:30:00+02:00"), .shown(["Pills", "Pills", "Pills"]),
                .next("1", "2024-05-01T13:15:00+02:00"),
            ]),
        Story(
            name: "a nag outlives a restart",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .addNag("Oven", at: "11:00", nag: "30m"), .time("2024-05-01T11:00:00+02:00"),
                .off(until: "2024-05-01T11:10:00+02:00"),
                .next("1", "2024-05-01T11:30:00+02:00"), .time("2024-05-01T11:30:00+02:00"),
                .shown(["Oven", "Oven"]),
            ]),
        Story(
            name: "a snooze over the next occurrence gives way to it",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Walk", every: "every hour"), .time("2024-05-01T11:30:00+02:00"),
                .snooze("1", until: "2024-05-01T13:00:00+02:00"),
                .next("1", "2024-05-01T12:30:00+02:00"), .time("2024-05-01T12:30:00+02:00"),
                .shown(["Walk", "Walk"]), .alarm("1", .ringing),
                .time("2024-05-01T13:00:00+02:00"), .shown(["Walk", "Walk"]),
            ]),
        Story(
            name: "a second snooze takes the place of the first",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"),
                .snooze("1", until: "2024-05-01T11:10:00+02:00"),
                .time("2024-05-01T11:10:00+02:00"), .shown(["Tea", "Tea"]),
                .time("2024-05-01T11:30:00+02:00"), .shown(["Tea", "Tea"]),
            ]),
        Story(
            name: "snoozed and done: silent",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"), .done("1"),
                .time("2024-05-01T12:00:00+02:00"), .shown(["Tea"]), .state("1", .done),
            ]),
        Story(
            name: "snoozed and dismissed: silent and open",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"), .dismiss("1"),
                .time("2024-05-01T12:00:00+02:00"), .shown(["Tea"]), .state("1", .open),
                .alarm("1", .none),
            ]),
        Story(
            name: "an occurrence that was snoozed and is done moves on by one",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"), .done("1"),
                .next("1", "2024-05-02T11:00:00+02:00"), .due("1", "Thu 2 May 2024, 11:00"),
            ]),
        Story(
            name: "a snooze over a restart",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"),
                .off(until: "2024-05-01T11:10:00+02:00"), .shown([]),
                .time("2024-05-01T11:30:00+02:00"), .shown(["Tea"]),
            ]),
    ]

    static let answers: [Story] = [
        Story(
            name: "done twice before its time: two occurrences on",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"), .done("1"), .done("1"),
                .due("1", "Fri 3 May 2024, 11:00"), .next("1", "2024-05-03T11:00:00+02:00"),
            ]),
        Story(
            name: "dismissed, then done: the dismissed one is completed",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"), .time("2024-05-01T11:00:00+02:00"),
                .dismiss("1"), .done("1"), .due("1", "Thu 2 May 2024, 11:00"),
                .next("1", "2024-05-02T11:00:00+02:00"),
            ]),
        Story(
            name: "done after a week off: the next is ahead",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"),
                .off(until: "2024-05-08T12:00:00+02:00"), .done("1"),
                .due("1", "Thu 9 May 2024, 11:00"),
            ]),
        Story(
            name: "the last of a series, done and opened again, is that last one and silent",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00 for 1 times"),
                .time("2024-05-01T11:00:00+02:00"), .done("1"), .state("1", .done), .reopen("1"),
                .state("1", .open), .due("1", "Wed 1 May 2024, 11:00"),
                .time("2024-05-03T12:00:00+02:00"), .shown(["Pills"]), .next("1", nil),
            ]),
        Story(
            name: "done before its time and opened again after it: it rings, as it never did",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .done("1"), .time("2024-05-01T11:00:00+02:00"),
                .shown([]), .reopen("1"), .time("2024-05-01T11:01:00+02:00"), .shown(["Tea"]),
            ]),
        Story(
            name: "opened again before its time: it rings on time",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .done("1"), .reopen("1"),
                .next("1", "2024-05-01T11:00:00+02:00"), .time("2024-05-01T11:00:00+02:00"),
                .shown(["Tea"]),
            ]),
        Story(
            name: "opened again after it rang: silent",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"), .done("1"),
                .reopen("1"), .time("2024-05-01T12:00:00+02:00"), .shown(["Tea"]),
                .next("1", nil),
            ]),
        Story(
            name: "undo of a dismissal: it rings on",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"), .dismiss("1"),
                .undo, .alarm("1", .ringing), .shown(["Tea", "Tea"]),
            ]),
        Story(
            name: "undo of a snooze: it rings on, and not again at its end",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"), .undo, .alarm("1", .ringing),
                .shown(["Tea", "Tea"]), .time("2024-05-01T11:30:00+02:00"),
                .shown(["Tea", "Tea"]),
            ]),
        Story(
            name: "undo of a done occurrence: it is due and rings again",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"), .time("2024-05-01T11:00:00+02:00"),
                .done("1"), .undo, .alarm("1", .ringing), .due("1", "Wed 1 May 2024, 11:00"),
                .shown(["Pills", "Pills"]), .next("1", "2024-05-02T11:00:00+02:00"),
            ]),
        Story(
            name: "undo of a done occurrence behind the next ring: the newest goes on ringing",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00"), .time("2024-05-01T11:00:00+02:00"),
                .done("1"), .time("2024-05-02T11:00:00+02:00"), .shown(["Pills", "Pills"]),
                .undo, .alarm("1", .ringing), .due("1", "Thu 2 May 2024, 11:00"),
                .next("1", "2024-05-03T11:00:00+02:00"),
            ]),
        Story(
            name: "undo of a deletion: it rings on",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"), .remove("1"),
                .undo, .alarm("1", .ringing), .shown(["Tea", "Tea"]),
            ]),
        Story(
            name: "undo of an opening: done again, and silent",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .done("1"), .reopen("1"), .undo, .state("1", .done),
                .time("2024-05-01T12:00:00+02:00"), .shown([]),
            ]),
        Story(
            name: "undo of a snooze that has ended: it goes on ringing",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .time("2024-05-01T11:00:00+02:00"),
                .snooze("1", until: "2024-05-01T11:30:00+02:00"),
                .time("2024-05-01T11:30:00+02:00"), .shown(["Tea", "Tea"]), .undo,
                .alarm("1", .ringing),
            ]),
        Story(
            name: "undo of a deletion whose time has passed meanwhile: it rings at once",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Tea", at: "11:00"), .remove("1"), .time("2024-05-01T12:00:00+02:00"),
                .shown([]), .undo, .shown(["Tea"]),
            ]),
        Story(
            name: "undo of the last of a series",
            now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin",
            steps: [
                .add("Pills", every: "every day at 11:00 for 1 times"), .done("1"), .undo,
                .state("1", .open), .next("1", "2024-05-01T11:00:00+02:00"),
                .time("2024-05-01T11:00:00+02:00"), .shown(["Pills"]),
            ]),
    ]
}
