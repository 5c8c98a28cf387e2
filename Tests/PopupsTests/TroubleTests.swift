import Foundation
import Testing

@testable import Popups

extension OnTheBus {
    @Suite("Servers in trouble", .timeLimit(.minutes(4)))
    struct TroubleTests {
        /// Between two pop-ups, as the server got them: this thread may be late.
        private func seconds(from one: [String: Any], to other: [String: Any]) throws -> Double {
            try #require(other["at"] as? Double) - #require(one["at"] as? Double)
        }

        @Test("A new server gets all that is wanted, under no id of the old one")
        func restart() throws {
            try onBus { _, watched in
                let first = try RecordingServer("--first-id", "3")
                var milk = tea
                milk.key = "milk"
                watched.presenter.show(milk)
                #expect(try watched.shown("milk") == 3)
                watched.presenter.show(tea)
                #expect(try watched.shown("tea") == 4)
                watched.presenter.close(key: "milk", earlier: nil)
                _ = try first.next("close")
                first.end()
                #expect(try watched.next() == .serverVanished)
                let second = try RecordingServer("--caps", "body")
                let call = try second.next("notify")
                #expect(call["replaces"] as? Int == 0)
                #expect(call["body"] as? String == "due 4:00 & late\nremindctl done 7")
                #expect((call["actions"] as? [String])?.isEmpty == true)
                #expect(try watched.shown("tea") == 1)
                try second.command("press 4 done")
                try second.command("close 1 2")
                #expect(try watched.next() == .dismissed(key: "tea"))
                #expect(second.heardNothingMore())
            }
        }

        @Test("A server that comes late gets what waits (A-srv-01)")
        func lateServer() throws {
            try onBus { _, watched in
                watched.presenter.show(tea)
                #expect(try watched.next() == .serverVanished)
                let server = try RecordingServer()
                #expect(try watched.shown("tea") == 1)
                _ = try server.next("notify")
                #expect(server.heardNothingMore())
            }
        }

        @Test("A server that hangs holds up nothing, and its replacement gets each once (A-srv-02)")
        func hanging() throws {
            try onBus { _, watched in
                let first = try RecordingServer()
                _ = try watched.server()
                try first.command("hang")
                var milk = tea
                milk.key = "milk"
                watched.presenter.show(tea)
                _ = try first.next("notify")
                watched.presenter.show(milk)
                _ = try first.next("notify")
                watched.presenter.close(key: "milk", earlier: nil)
                try first.command("resume")
                #expect(try watched.shown("tea") == 1)
                #expect(try first.next("close")["id"] as? Int == 2)
                try first.command("hang")
                watched.presenter.show(tea)
                watched.presenter.show(milk)
                _ = try first.next("notify")
                _ = try first.next("notify")
                let second = try RecordingServer()
                let replaces = [try second.next("notify"), try second.next("notify")].map {
                    $0["replaces"] as? Int
                }
                #expect(replaces == [0, 0])
                _ = try watched.server()
                #expect(Set([try watched.nextKey(), try watched.nextKey()]) == ["tea", "milk"])
                #expect(second.heardNothingMore())
            }
        }

        @Test("A reply after libnotify's time limit still counts, and nothing stands there twice")
        func lateReply() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                _ = try watched.server()
                try server.command("hang")
                watched.presenter.show(tea)
                guard case .failed(key: "tea", _) = try watched.next(seconds: 40) else {
                    Issue.record("expected a failure")
                    return
                }
                try server.command("resume")
                #expect(try watched.shown("tea") == 1)
                watched.presenter.close(key: "tea", earlier: nil)
                #expect(try server.next("close")["id"] as? Int == 1)
                _ = try server.next("notify")
                #expect(server.heardNothingMore())
            }
        }

        @Test("A server that stands still holds nobody up, and gets the close after the pop-up")
        func frozen() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                _ = try watched.server()
                server.freeze()
                watched.presenter.show(tea)
                watched.presenter.close(key: "tea", earlier: nil)
                server.wake()
                let id = try server.next("notify")["id"] as? Int
                #expect(try server.next("close")["id"] as? Int == id)
            }
        }

        @Test("A server that dies in a call leaves the pop-up for the next")
        func dying() throws {
            try onBus { _, watched in
                let first = try RecordingServer()
                _ = try watched.server()
                try first.command("die")
                watched.presenter.show(tea)
                while try watched.next() != .serverVanished {}
                let second = try RecordingServer()
                #expect(try watched.shown("tea") == 1)
                _ = try second.next("notify")
                #expect(second.heardNothingMore())
            }
        }

        @Test("An identical pop-up refused by the server is tried again after a second")
        func refusing() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                let name = "org.freedesktop.Notifications.Error.ExcessNotificationGeneration"
                try server.command("fail \(name) 1")
                watched.presenter.show(tea)
                let (first, second) = (try server.next("notify"), try server.next("notify"))
                #expect(first["refused"] as? String == name)
                #expect(second["refused"] as? String == nil)
                #expect(try seconds(from: first, to: second) >= 0.95)
                let event = try watched.nextOfPopup()
                #expect(event == .failed(key: "tea", message: "refused on request"))
                #expect(try watched.next() == shown(1, server))
            }
        }

        @Test("A server that refuses all is tried at most once a second, ever more rarely")
        func refusingAll() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                try server.command("fail org.freedesktop.DBus.Error.Failed")
                for number in 1...5 {
                    var popup = tea
                    popup.key = "\(number)"
                    watched.presenter.show(popup)
                }
                let all = try (1...5).map { _ in try server.next("notify") }
                // The time begins with the first that was refused.
                var last = all[0]
                for least in [0.9, 1.9] {
                    let next = try server.next("notify")
                    #expect(try seconds(from: last, to: next) >= least)
                    last = next
                }
                try server.command("succeed")
                for _ in 1...5 { #expect(try server.next("notify")["refused"] is NSNull) }
            }
        }

        @Test("A pop-up of an earlier run is replaced, and closed, where it still stands")
        func earlierRun() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                let name = try watched.server().busName
                var again = tea
                again.earlier = ShownPopup(serverBusName: name, id: 12)
                watched.presenter.show(again)
                #expect(try server.next("notify")["replaces"] as? Int == 12)
                #expect(try watched.shown("tea") == 12)
                watched.presenter.close(key: "x", earlier: ShownPopup(serverBusName: name, id: 13))
                #expect(try server.next("close")["id"] as? Int == 13)
                again.key = "stale"
                again.earlier = ShownPopup(serverBusName: server.busName, id: 14)
                watched.presenter.show(again)
                #expect(try server.next("notify")["replaces"] as? Int == 0)
            }
        }

        @Test("A server that keeps few expires the oldest, which is no answer")
        func keepingFew() throws {
            try onBus { _, watched in
                let server = try RecordingServer()
                try server.command("keep 3")
                for number in 1...4 {
                    var popup = tea
                    popup.key = "\(number)"
                    watched.presenter.show(popup)
                    if number < 4 { _ = try watched.shown(popup.key) }
                }
                // The signal may overtake the reply to the fourth.
                let events = [try watched.next(), try watched.next()]
                #expect(events.contains(.closedUnanswered(key: "1", reason: 1)))
                for _ in 1...4 { _ = try server.next("notify") }
                #expect(server.heardNothingMore())
            }
        }

        @Test("A bus that comes late, goes and comes again is followed")
        func noBus() throws {
            let socket = "/tmp/popups-\(getpid()).bus"
            setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(socket)", 1)
            let watched = Watched()
            defer { watched.end() }
            watched.presenter.show(tea)
            #expect(try watched.next() == .serverVanished)
            for _ in 1...2 {
                let bus = try PrivateBus(address: "unix:path=\(socket)")
                setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=\(socket)", 1)
                let server = try RecordingServer()
                #expect(try watched.shown("tea") == 1)
                #expect(try server.next("notify")["replaces"] as? Int == 0)
                bus.end()
                #expect(try watched.next() == .serverVanished)
            }
        }
    }
}
