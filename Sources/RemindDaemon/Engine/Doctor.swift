import Dispatch
import Glibc
import Popups
import RemindAPI
import RemindCore

/// What `doctor` looks at, as the engine knows it.
struct DoctorFacts: Sendable {
    var now: Instant
    var database: String
    var server: ServerInfo?
    var holding: Doctor.Check
    var zone: String
    var onRing: String?
    var sound: Bool
    /// The program that would play the sound.
    var player: String?
    /// Why the last sound could not be played.
    var soundTrouble: String?
    var configuration: ConfigurationSource?
}

extension Engine {
    /// Looks at everything and calls `done`, in the engine. What may take its time, reading the whole
    /// store and the files of the system, runs on a queue of its own: rings do not wait for it.
    /// - Parameter test: shows a pop-up too, and waits for what becomes of it.
    func examine(
        _ program: ProgramFacts, test: Bool,
        _ done: @escaping @Sendable (isolated Engine, [Doctor.Check]) -> Void
    ) {
        let facts = DoctorFacts(
            now: clock.now, database: program.database, server: server, holding: holdingCheck,
            zone: timetable.zoneName, onRing: settings.onRing, sound: settings.sound,
            player: sound.player, soundTrouble: sound.trouble, configuration: program.configuration)
        presenter.report { [self] report in
            DoctorChecks.queue.async { [self] in
                let checks = DoctorChecks(facts: facts, report: report).all
                run { engine in
                    guard test else { return done(engine, checks) }
                    engine.testPopup { done($0, checks + [$1]) }
                }
            }
        }
    }

    private var holdingCheck: Doctor.Check {
        guard let holding = hold(at: clock.now) else {
            return Doctor.Check("holding", .good, "pop-ups are not held back")
        }
        let until = holding.until.map {
            " until " + timetable.understood(.absolute($0), now: clock.now).text
        }
        let cause =
            switch holding.cause {
            case .pause: "a pause"
            case .quietHours: "quiet hours"
            case .doNotDisturb: "the desktop's “do not disturb”"
            }
        let hint =
            switch holding.cause {
            case .pause: "remindctl resume"
            case .quietHours: "They are [Quiet] in remindd.conf; high priority comes through."
            case .doNotDisturb: "Switch it off in the desktop; high priority comes through."
            }
        return Doctor.Check(
            "holding", .notice,
            "pop-ups are held back by \(cause)\(until ?? ""), \(held.count) waiting", hint: hint)
    }

    // MARK: The test pop-up

    /// The key of its pop-up; those of reminders are UUIDs.
    static let testKey = "doctor"
    /// How long somebody has to answer it, in milliseconds.
    static let testLimit: Int64 = 15_000

    /// Shows a pop-up of no reminder, also while pop-ups are held back, and calls `done` with what
    /// became of it after ``testLimit`` at the latest. Who asks meanwhile gets the same answer.
    func testPopup(_ done: @escaping @Sendable (isolated Engine, Doctor.Check) -> Void) {
        guard server != nil else {
            return done(self, .noPopup("there is no notification server to show it"))
        }
        testers.append(done)
        guard testers.count == 1 else { return }
        testState = .waiting
        setTimer(Self.testTimerKey, at: clock.now.advanced(byMilliseconds: Self.testLimit))
        arm()
        presenter.show(
            Popup(
                key: Self.testKey, summary: "Test of remindd",
                body: "Reminders look like this. Press a button.",
                actions: [
                    PopupAction(key: PopupText.Action.dismiss.rawValue, label: "It works"),
                    PopupAction(key: PopupText.Action.done.rawValue, label: "It works"),
                ],
                soundName: settings.sound ? PopupText.sound : nil, category: PopupText.category,
                desktopEntry: PopupText.desktopEntry, passesInhibition: true,
                earlier: shownPopup(Self.testKey)))
    }

    /// What happens to the test pop-up is no matter of a reminder.
    /// - Returns: false for the events of other pop-ups.
    func handleTest(_ event: PresenterEvent) -> Bool {
        switch event {
        case .shown(Self.testKey, _, _):
            if testState == .waiting { testState = .shown }
            return false
        case .answered(Self.testKey, _):
            endTest(Doctor.Check("pop-up", .good, "shown, and the press of its button came back"))
        case .dismissed(Self.testKey):
            endTest(Doctor.Check("pop-up", .good, "shown, and its closing came back"))
        case .closedUnanswered(Self.testKey, let reason):
            endTest(
                Doctor.Check(
                    "pop-up", .notice,
                    "shown, and taken away by the server before anybody answered (reason \(reason))",
                    hint: "Look for a time limit in the settings of the notification server."))
        case .failed(Self.testKey, let message): endTest(.noPopup(message))
        default: return false
        }
        return true
    }

    func testTimeIsOver() {
        guard !testers.isEmpty else { return }
        endTest(
            testState == .shown
                ? Doctor.Check("pop-up", .good, "shown; nobody pressed a button within 15 s")
                : .noPopup("the notification server has not shown it within 15 s"))
    }

    private func endTest(_ check: Doctor.Check) {
        let waiting = testers
        testers = []
        cancelTimer(Self.testTimerKey)
        takeAway(key: Self.testKey)
        for done in waiting { done(self, check) }
    }
}

/// How far the test pop-up has come.
enum TestState { case waiting, shown }

extension Doctor.Check {
    fileprivate static func noPopup(_ reason: String) -> Doctor.Check {
        Doctor.Check(
            "pop-up", .failed, "not shown: \(reason)",
            hint:
                "Start the notification server of your desktop again, or install one such as dunst."
        )
    }
}
