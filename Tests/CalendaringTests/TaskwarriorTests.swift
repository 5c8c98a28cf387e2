import RemindCore
import Testing

@testable import Calendaring

/// Tasks of taskwarrior.
@Suite struct TaskwarriorTests {
    private static func task(_ line: Int, _ texts: [String: String]) -> TaskwarriorTask {
        var task = TaskwarriorTask(line: line)
        task.texts = ["description": "Tea", "uuid": "u\(line)", "status": "pending"]
        task.texts.merge(texts) { $1 }
        return task
    }

    private static func read(_ tasks: [TaskwarriorTask]) throws -> (
        items: [String], problems: [String]
    ) {
        var (items, problems): ([String], [String]) = ([], [])
        var reader = Taskwarrior(zones: try Machine("Europe/Paris"))
        func take(_ output: ICalendarOutput) {
            switch output {
            case .item(let item): items.append(item.said)
            case .component: break
            case .problem(let problem): problems.append(problem.reason)
            }
        }
        for task in tasks { reader.take(task, take) }
        reader.end(take)
        return (items, problems)
    }

    @Test(
        "a task of taskwarrior has its day or its instant, and rings when it can begin",
        arguments: [
            ([:], "Tea"), (["due": "20300430T220000Z"], "Tea | 2030-05-01"),
            (["due": "20300501T070000Z"], "Tea | 2030-05-01T07:00:00Z"),
            (["wait": "20300501T070000Z", "status": "waiting"], "Tea | 2030-05-01T07:00:00Z"),
            (["scheduled": "20300501T070000Z"], "Tea | 2030-05-01T07:00:00Z"),
            (["project": "home.bills", "priority": "L"], "Tea | list home.bills | low"),
            (["status": "completed", "end": "20240501T070000Z"], "Tea | done"),
        ])
    func taskwarrior(texts: [String: String], expected: String) throws {
        let read = try Self.read([Self.task(1, texts)])
        #expect(read.items == [expected])
        #expect(read.problems.isEmpty)
    }

    @Test(
        "a recurring task of taskwarrior repeats at the same time of the day",
        arguments: [
            ("daily", "FREQ=DAILY"), ("weekdays", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
            ("2wks", "FREQ=WEEKLY;INTERVAL=2"), ("P3D", "FREQ=DAILY;INTERVAL=3"),
            ("P1M", "FREQ=MONTHLY"), ("quarterly", "FREQ=MONTHLY;INTERVAL=3"),
            ("annual", "FREQ=YEARLY"), ("month", "FREQ=MONTHLY"),
            ("12h", "FREQ=HOURLY;INTERVAL=12"),
            ("P1M2D", nil as String?), ("often", nil),
        ])
    func recurrence(recur: String, rule: String?) throws {
        let task = Self.task(1, ["status": "recurring", "recur": recur, "due": "20300501T070000Z"])
        let read = try Self.read([task])
        let plain = "Tea | 2030-05-01T09:00:00 Europe/Paris"
        #expect(read.items == [plain + (rule.map { " | \($0)" } ?? "")])
        #expect(read.problems.count == (rule == nil ? 1 : 0))
    }

    @Test("a series of hours from midnight counts from that time, not from the day")
    func hoursFromMidnight() throws {
        let texts = ["status": "recurring", "recur": "6hours", "due": "20300430T220000Z"]
        let until = ["until": "20300502T220000Z"]
        let read = try Self.read([Self.task(1, texts.merging(until) { $1 })])
        #expect(
            read.items == [
                "Tea | 2030-05-01T00:00:00 Europe/Paris | "
                    + "FREQ=HOURLY;INTERVAL=6;UNTIL=20300502T220000Z"
            ])
    }

    @Test("instances that are open and their series are one task; those done are history")
    func instances() throws {
        let series = ["status": "recurring", "recur": "weekly", "due": "20300430T220000Z"]
        func instance(_ line: Int, _ due: String, _ status: String = "pending") -> TaskwarriorTask {
            Self.task(line, ["parent": "u2", "recur": "weekly", "due": due, "status": status])
        }
        let read = try Self.read([
            instance(1, "20300521T220000Z"), Self.task(2, series), instance(3, "20300514T220000Z"),
            instance(4, "20300507T220000Z", "completed"), Self.task(5, ["status": "deleted"]),
            Self.task(6, ["parent": "gone", "due": "20300501T070000Z"]),
        ])
        #expect(
            read.items == [
                "Tea | 2030-05-08 | done", "Tea | 2030-05-15 | FREQ=WEEKLY",
                "Tea | 2030-05-01T07:00:00Z",
            ])
        #expect(read.problems.count == 1)
    }

    @Test(
        "a broken task of taskwarrior is refused, a broken time left out",
        arguments: [
            (["uuid": ""], 0), (["status": "odd"], 0), (["description": " "], 0),
            (["due": "2030-05-01"], 1), (["due": "20301301T000000Z"], 1),
        ])
    func wrongTaskwarrior(texts: [String: String], items: Int) throws {
        let read = try Self.read([Self.task(1, texts)])
        #expect(read.items.count == items)
        #expect(read.problems.count == 1)
    }
}
