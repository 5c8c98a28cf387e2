import Calendaring
import RemindCore

let benchmarkNow = Instant(seconds: 1_714_552_200)
let benchmarkSchedule = Schedule(zones: SystemZones(environment: ["TZ": "Europe/Berlin"]))

/// A phrase read and resolved in a zone with clock changes.
func phraseMeasurements() -> [Measurement] {
    let phrases = [
        "tomorrow 9am", "2030-05-01 09:00", "in 10 minutes", "friday at 17:00", "1h 30m",
        "monday next week", "end of month", "18:00 Asia/Tokyo", "every mon,wed,fri 09:00",
        "monthly on the 31st",
    ]
    let context = PhraseContext(now: benchmarkNow, zones: benchmarkSchedule.zones)
    return phrases.map { phrase in
        Measurement("phrase ‘\(phrase)’", operations: 1000) {
            for _ in 0..<1000 { use(try? context.understand(phrase)) }
        }
    }
}

/// The next occurrence of a rule whose series began years ago.
func ruleMeasurements() -> [Measurement] {
    let rules = [
        "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,WE,FR", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
        "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "FREQ=MONTHLY;BYDAY=-1FR",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29", "FREQ=HOURLY;INTERVAL=2",
    ]
    return rules.map { rrule in
        let recurrence = benchmarkRecurrence(rrule)
        return Measurement("next occurrence of \(rrule)", operations: 200) {
            for _ in 0..<200 {
                use(
                    try? benchmarkSchedule.occurrences(
                        of: recurrence, after: benchmarkNow, limit: 1))
            }
        }
    }
}

/// A series that began in 2010.
func benchmarkRecurrence(_ rrule: String) -> Recurrence {
    let start = CivilDateTime(iso8601: "2010-02-28T09:00:00").map(Deadline.floating)
    return Recurrence(
        rule: RecurrenceRule(rrule: rrule), start: start ?? .absolute(benchmarkNow))
}
