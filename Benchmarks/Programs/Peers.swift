import Glibc

/// Another program that keeps tasks, with a store of its own in a folder.
struct Peer: Sendable {
    let name: String
    /// The program that must be installed.
    let program: String
    /// Makes a store of so many tasks. Larger ones are not tried: they take minutes to make.
    let most: Int
    let prepare: @Sendable (_ folder: String, _ count: Int) throws -> Void
    /// One more task; nil where the program cannot do it.
    var add: (@Sendable (_ folder: String, _ round: Int) -> Command)?
    var next: (@Sendable (_ folder: String) -> Command)?
    var list: (@Sendable (_ folder: String) -> Command)?
    /// Ends the task of this number.
    var complete: (@Sendable (_ folder: String, _ number: Int) -> Command)?
    /// Takes away what lies outside of the folder.
    var cleanUp: @Sendable () -> Void = {}

    var isInstalled: Bool {
        ["/usr/bin/", "/usr/local/bin/"].contains { access($0 + program, X_OK) == 0 }
    }

    static let all = [at, taskwarrior, calcurse, remind, todoman]

    private static let environment = ["PATH=/usr/bin:/bin", "HOME=/nonexistent", "LANG=C.UTF-8"]
    /// Every peer gets tasks of this year.
    private static let year = 2040

    private static func date(_ index: Int) -> (month: Int, day: Int, hour: Int) {
        (index % 12 + 1, index / 12 % 28 + 1, index / 336 % 24)
    }

    // MARK: at

    private static let spool = "/var/spool/cron/atjobs/"
    private static let ourJobs = 0x70000

    /// Its jobs are files in the system's spool, named by number and minute; no atd runs them here.
    private static let at = Peer(
        name: "at (not durable)", program: "at", most: 10_000,
        prepare: { _, count in
            for index in 0..<count {
                let minute = 0x0232_0000 + index
                let name = "a" + hex(ourJobs + index, 5) + hex(minute, 8)
                try writeFile(spool + name, "#!/bin/sh\n# atrun uid=0 gid=0\ntrue\n")
                chmod(spool + name, 0o700)
            }
        },
        add: { _, _ in
            Command(
                ["at", "09:00", "2040-05-01"], environment: environment, input: "true\n")
        },
        next: { _ in shell("atq | sort -k6n -k3M -k4n -k5 | head -n 20") },
        list: { _ in Command(["atq"], environment: environment) },
        complete: { _, number in
            Command(["atrm", "\(ourJobs + number)"], environment: environment)
        },
        cleanUp: { _ = try? shell("rm -f \(spool)a* \(spool)=*").run() })

    // MARK: taskwarrior

    private static let taskwarrior = Peer(
        name: "taskwarrior", program: "task", most: 10_000,
        prepare: { folder, count in
            let configuration =
                "data.location=\(folder)\nconfirmation=no\nverbose=nothing\ngc=off\n"
            try writeFile(folder + "/taskrc", configuration)
            let items = (0..<count).map { index in
                let (month, day, hour) = date(index)
                return
                    #"{"description":"Task \#(index)","status":"pending","due":"\#(year)"#
                    + two(month) + two(day) + "T" + two(hour) + #"0000Z"}"#
            }
            try writeFile(folder + "/tasks.json", "[" + items.joined(separator: ",\n") + "]\n")
            _ = try task(folder, "import", folder + "/tasks.json").run()
        },
        add: { folder, _ in task(folder, "add", "Pay rent", "due:\(year)-05-01T09:00") },
        next: { task($0, "next", "limit:20") },
        list: { task($0, "list") },
        complete: { task($0, "\($1)", "done") })

    private static func task(_ folder: String, _ arguments: String...) -> Command {
        Command(["task", "rc:\(folder)/taskrc"] + arguments, environment: environment)
    }

    // MARK: calcurse

    private static let calcurse = Peer(
        name: "calcurse", program: "calcurse", most: 10_000,
        prepare: { folder, count in
            let lines = (0..<count).map { index in
                let (month, day, hour) = date(index)
                let start = "\(two(month))/\(two(day))/\(year) @ \(two(hour)):00"
                return "\(start) -> \(start)|Task \(index)"
            }
            try writeFile(folder + "/apts", lines.joined(separator: "\n") + "\n")
            try writeFile(
                folder + "/new.ics",
                "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:\(year)0501T090000\nSUMMARY:Pay rent\n"
                    + "END:VEVENT\nEND:VCALENDAR\n")
        },
        add: { folder, _ in
            Command(
                ["calcurse", "-D", folder, "-i", folder + "/new.ics"], environment: environment)
        },
        next: { calendar($0, "--limit", "20") },
        list: { calendar($0) },
        complete: { folder, number in
            Command(
                ["calcurse", "-D", folder, "-P", "--filter-pattern", "^Task \(number)$"],
                environment: environment)
        })

    private static func calendar(_ folder: String, _ arguments: String...) -> Command {
        Command(
            ["calcurse", "-D", folder, "-Q", "--from", "01/01/\(year)", "--days", "366"]
                + arguments,
            environment: environment)
    }

    // MARK: remind

    private static let remind = Peer(
        name: "remind", program: "remind", most: 1_000_000,
        prepare: { folder, count in
            let months = [
                "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
            ]
            let lines = (0..<count).map { index in
                let (month, day, hour) = date(index)
                return
                    "REM \(day) \(months[month - 1]) \(year) AT \(two(hour)):00 MSG Task \(index)\n"
            }
            try writeFile(folder + "/reminders", lines.joined())
        },
        next: { shell("remind -n \($0)/reminders | sort | head -n 20") },
        list: { Command(["remind", "-n", $0 + "/reminders"], environment: environment) })

    // MARK: todoman

    private static let todoman = Peer(
        name: "todoman", program: "todoman", most: 1_000,
        prepare: { folder, count in
            mkdir(folder + "/lists", 0o700)
            mkdir(folder + "/lists/inbox", 0o700)
            for index in 0..<count {
                let (month, day, hour) = date(index)
                try writeFile(
                    folder + "/lists/inbox/\(index).ics",
                    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//bench//\r\nBEGIN:VTODO\r\n"
                        + "UID:\(index)\r\nDTSTAMP:20260101T000000Z\r\nSUMMARY:Task \(index)\r\n"
                        + "DUE:\(year)\(two(month))\(two(day))T\(two(hour))0000Z\r\n"
                        + "END:VTODO\r\nEND:VCALENDAR\r\n")
            }
            try writeFile(
                folder + "/config.py",
                "path = '\(folder)/lists/*'\ncache_path = '\(folder)/cache'\n"
                    + "default_list = 'inbox'\ndate_format = '%Y-%m-%d'\ntime_format = '%H:%M'\n")
        },
        add: { folder, _ in todo(folder, "new", "-d", "\(year)-05-01", "Pay rent") },
        list: { todo($0, "list") },
        complete: { todo($0, "done", "\($1)") })

    private static func todo(_ folder: String, _ arguments: String...) -> Command {
        Command(
            ["todoman", "--config", folder + "/config.py"] + arguments, environment: environment)
    }

    private static func shell(_ line: String) -> Command {
        Command(["sh", "-c", line], environment: environment)
    }
}

/// Makes a file of a text, or replaces it.
func writeFile(_ path: String, _ text: String) throws {
    guard let file = fopen(path, "w") else {
        throw BenchmarkFailure(description: "\(path): \(String(cString: strerror(errno)))")
    }
    fputs(text, file)
    fclose(file)
}

func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

private func hex(_ number: Int, _ width: Int) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
