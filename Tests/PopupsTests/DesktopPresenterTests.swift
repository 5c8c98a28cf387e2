import Testing

@testable import Popups

extension OnTheBus {
    @Suite("Pop-ups on a notification server", .timeLimit(.minutes(4)))
    struct DesktopPresenterTests {
        @Test("A pop-up goes out as the specification wants it")
        func arguments() throws {
            try onBus { _, watched in
                #expect(try watched.next() == .serverVanished)
                let server = try RecordingServer()
                watched.presenter.show(tea)
                let call = try server.next("notify")
                #expect(call["app"] as? String == "Reminders")
                #expect(call["replaces"] as? Int == 0)
                #expect(call["summary"] as? String == "Tea & <cake>")
                #expect(call["body"] as? String == "due 4:00 &amp; late")
                #expect(call["actions"] as? [String] == ["done", "Done", "snooze", "Snooze 10m"])
                #expect(call["timeout"] as? Int == 0)
                let hints = try #require(call["hints"] as? [String: Any])
                #expect(hints["urgency"] as? Int == 2)
                #expect(hints["desktop-entry"] as? String == "remindd")
                #expect(hints["category"] as? String == "x-reminder.due")
                #expect(hints["sound-name"] as? String == "alarm-clock-elapsed")
                #expect(hints["x-dunst-stack-tag"] as? String == "tea")
                let info = try watched.server()
                #expect(info.name == "Recorder")
                #expect(info.capabilities == ["body", "body-markup", "actions"])
                #expect(info.busName.hasPrefix(server.busName + "@"))
                let shown = PresenterEvent.shown(key: "tea", serverBusName: info.busName, id: 1)
                #expect(try watched.next() == shown)
            }
        }

        @Test("The same key is replaced in place and closed once")
        func replacing() throws {
            try onBus { _, watched in
                let server = try RecordingServer("--first-id", "41")
                watched.presenter.show(tea)
                #expect(try watched.shown("tea") == 41)
                watched.presenter.show(tea)
                #expect(try watched.shown("tea") == 41)
                watched.presenter.close(key: "tea", earlier: nil)
                _ = try server.next("notify")
                #expect(try server.next("notify")["replaces"] as? Int == 41)
                #expect(try server.next("close")["id"] as? Int == 41)
                #expect(server.heardNothingMore())
            }
        }

        @Test("A button pressed is an answer, once")
        func pressing() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                watched.presenter.show(tea)
                let id = try watched.shown("tea")
                try server.command("press \(id) unknown")
                try server.command("press \(id + 1) done")
                try server.command("press \(id) snooze")
                try server.command("press \(id) default")
                try server.command("close \(id) 2")
                #expect(try watched.next() == .answered(key: "tea", action: "snooze"))
                watched.presenter.show(tea)
                #expect(try watched.nextOfPopup() == shown(2, server))
            }
        }

        @Test("Closing is told by its reason, and only the user's is a dismissal")
        func closing() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                let events: [(Int, PresenterEvent)] = [
                    (1, .closedUnanswered(key: "tea", reason: 1)), (2, .dismissed(key: "tea")),
                    (4, .closedUnanswered(key: "tea", reason: 4)),
                ]
                for (reason, event) in events {
                    watched.presenter.show(tea)
                    let id = try watched.shown("tea")
                    #expect(try server.next("notify")["replaces"] as? Int == 0)
                    try server.command("close \(id) \(reason)")
                    #expect(try watched.next() == event)
                }
                #expect(server.heardNothingMore())
            }
        }

        @Test(
            "A pop-up stands for ever, or as long as it says", arguments: [nil, 30_000] as [Int64?])
        func timeout(milliseconds: Int64?) throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                var popup = tea
                popup.timeout = milliseconds
                watched.presenter.show(popup)
                #expect(try server.next("notify")["timeout"] as? Int == Int(milliseconds ?? 0))
            }
        }

        @Test("Nobody but the server can press a button")
        func forging() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                watched.presenter.show(tea)
                let id = try watched.shown("tea")
                try server.command("forge \(id) done")
                try server.command("press \(id) snooze")
                #expect(try watched.next() == .answered(key: "tea", action: "snooze"))
            }
        }

        @Test("An answer that overtakes the reply is told after the showing")
        func early() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                try server.command("press-early done")
                watched.presenter.show(tea)
                _ = try watched.shown("tea")
                #expect(try watched.next() == .answered(key: "tea", action: "done"))
            }
        }
    }
}
