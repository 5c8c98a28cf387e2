import Testing

@testable import Popups

extension OnTheBus {
    /// What real servers do that the specification does not want, and what programs trip over.
    @Suite("Traps of servers", .timeLimit(.minutes(4)))
    struct TrapTests {
        private func popup(_ key: String) -> Popup {
            var popup = tea
            popup.key = key
            return popup
        }

        @Test("Two that look the same, where the second within a second is refused, are both shown")
        func identical() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                _ = try watched.server()
                try server.command("excess")
                watched.presenter.show(popup("a"))
                #expect(try watched.shown("a") == 1)
                watched.presenter.show(popup("b"))
                guard case .failed(key: "b", _) = try watched.next() else {
                    Issue.record("the second should have been refused")
                    return
                }
                #expect(try watched.shown("b") == 2)
                for _ in 1...3 { _ = try server.next("notify") }
                #expect(server.heardNothingMore())
            }
        }

        @Test(
            "An id that the server does not know any more gets a new one, which counts from then on"
        )
        func unknownReplaced() throws {
            try onBus { _, watched in
                let server = try RecordingServer("--first-id", "50")
                let name = try watched.server().busName
                try server.command("forgetful")
                var again = tea
                again.earlier = ShownPopup(serverBusName: name, id: 12)
                watched.presenter.show(again)
                #expect(try server.next("notify")["replaces"] as? Int == 12)
                #expect(try watched.shown("tea") == 50)
                watched.presenter.show(again)
                #expect(try server.next("notify")["replaces"] as? Int == 50)
                #expect(try watched.shown("tea") == 50)
                try server.command("press 12 done")
                try server.command("press 50 snooze")
                #expect(try watched.nextOfPopup() == .answered(key: "tea", action: "snooze"))
            }
        }

        @Test("A server that gives a new id each time shows the pop-up once")
        func alwaysNew() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                _ = try watched.server()
                try server.command("newid")
                watched.presenter.show(tea)
                #expect(try watched.shown("tea") == 1)
                watched.presenter.show(tea)
                #expect(try watched.shown("tea") == 2)
                #expect(try server.next("close")["id"] as? Int == 1)
            }
        }

        @Test("Where any id is accepted, one of an earlier server, or closed, is never sent")
        func stale() throws {
            try onBus { _, watched in
                let first = try RecordingServer("--first-id", "7")
                watched.presenter.show(tea)
                #expect(try watched.shown("tea") == 7)
                try first.command("close 7 1")
                #expect(try watched.next() == .closedUnanswered(key: "tea", reason: 1))
                watched.presenter.show(tea)
                _ = try first.next("notify")
                #expect(try first.next("notify")["replaces"] as? Int == 0)
                #expect(try watched.shown("tea") == 8)
                first.end()
                let second = try RecordingServer("--first-id", "7")
                #expect(try second.next("notify")["replaces"] as? Int == 0)
                #expect(try watched.shown("tea") == 7)
            }
        }

        @Test("A server whose ids begin with 1 again is not taken for the one before")
        func idsBeginAgain() throws {
            try onBus { _, watched in
                let first = try RecordingServer()
                for key in ["a", "b"] {
                    watched.presenter.show(popup(key))
                    _ = try watched.shown(key)
                }
                watched.presenter.close(key: "a", earlier: nil)
                _ = try first.next("close")
                first.end()
                // Id 1 was a's, and is b's now.
                let second = try RecordingServer()
                #expect(try watched.shown("b") == 1)
                try second.command("press 2 done")
                try second.command("press 1 done")
                #expect(try watched.next() == .answered(key: "b", action: "done"))
            }
        }

        @Test(
            "A server that never says that it closed: the answer counts, and the next is a new one")
        func neverCloses() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                _ = try watched.server()
                try server.command("mute")
                watched.presenter.show(tea)
                #expect(try watched.shown("tea") == 1)
                try server.command("press 1 done")
                #expect(try watched.next() == .answered(key: "tea", action: "done"))
                watched.presenter.close(key: "tea", earlier: nil)
                #expect(try server.next("close")["id"] as? Int == 1)
                watched.presenter.show(tea)
                #expect(try watched.shown("tea") == 2)
                watched.presenter.close(key: "tea", earlier: nil)
                #expect(try server.next("close")["id"] as? Int == 2)
            }
        }

        @Test("Signals about other programs' pop-ups, sent to everyone, are nothing to us")
        func everyone() throws {
            try onBus { _, watched in
                let server = try RecordingServer("--first-id", "5")
                watched.presenter.show(tea)
                #expect(try watched.shown("tea") == 5)
                for id in [0, 1, 4, 6, 4_294_967_295] {
                    try server.command("press \(id) done")
                    try server.command("close \(id) 2")
                }
                try server.command("press 5 snooze")
                #expect(try watched.next() == .answered(key: "tea", action: "snooze"))
            }
        }

        @Test("A server that does not tell at first what it can do is asked again")
        func deaf() throws {
            try onBus { _, watched in
                let server = try RecordingServer("--deaf", "1")
                watched.presenter.show(tea)
                #expect(try watched.server().name == "Recorder")
                #expect(try watched.nextKey() == "tea")
                _ = try server.next("notify")
                #expect(server.heardNothingMore())
            }
        }

        @Test("A server that never tells what it can do was never called: it gets a plain pop-up")
        func tellsNothing() throws {
            try onBus { _, watched in
                let server = try RecordingServer("--caps", "refused")
                watched.presenter.show(tea)
                #expect(try watched.server().capabilities == [])
                #expect(try watched.shown("tea") == 1)
                let call = try server.next("notify")
                #expect((call["actions"] as? [String])?.isEmpty == true)
            }
        }

        @Test("A server that gives the name up and takes it again gets all anew")
        func comesBack() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                watched.presenter.show(tea)
                #expect(try watched.shown("tea") == 1)
                try server.command("release")
                #expect(try watched.next() == .serverVanished)
                let next = try RecordingServer("--caps", "")
                let call = try next.next("notify")
                #expect(call["actions"] as? [String] == [])
                #expect(try watched.shown("tea") == 1)
            }
        }
    }
}
