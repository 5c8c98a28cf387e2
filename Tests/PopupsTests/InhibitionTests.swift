import Testing

@testable import Popups

extension OnTheBus {
    @Suite("“Do not disturb” of the server", .timeLimit(.minutes(2)))
    struct InhibitionTests {
        private var urgent: Popup {
            var popup = tea
            (popup.key, popup.passesInhibition) = ("urgent", true)
            return popup
        }

        @Test("It is told with the server; only what passes it is shown, the rest when it ends")
        func fromTheBeginning() throws {
            try onBus { _, watched in
                watched.presenter.show(tea)
                watched.presenter.show(urgent)
                let server = try RecordingServer("--inhibited", "on")
                #expect(try watched.server().isInhibited)
                #expect(try watched.nextKey() == "urgent")
                _ = try server.next("notify")
                #expect(server.heardNothingMore())
                try server.command("inhibit off")
                #expect(try watched.next() == .inhibitionChanged(false))
                #expect(try watched.nextKey() == "tea")
            }
        }

        @Test("Its beginning and its end are told, each once")
        func changes() throws {
            try onBus { _, watched in
                let server = try RecordingServer("--inhibited", "off")
                #expect(try !watched.server().isInhibited)
                for state in ["on", "on", "off"] { try server.command("inhibit \(state)") }
                #expect(try watched.next() == .inhibitionChanged(true))
                #expect(try watched.next() == .inhibitionChanged(false))
                watched.presenter.show(tea)
                #expect(try watched.nextKey() == "tea")
            }
        }

        @Test("What is not wanted any more when it ends is not shown")
        func closedMeanwhile() throws {
            try onBus { _, watched in
                let server = try RecordingServer("--inhibited", "on")
                _ = try watched.server()
                watched.presenter.show(tea)
                watched.presenter.close(key: "tea", earlier: nil)
                watched.presenter.show(urgent)
                #expect(try watched.nextKey() == "urgent")
                try server.command("inhibit off")
                #expect(try watched.next() == .inhibitionChanged(false))
                _ = try server.next("notify")
                #expect(server.heardNothingMore())
            }
        }

        @Test("A server without the property inhibits nothing, and neither does the next one")
        func without() throws {
            try onBus { _, watched in
                let first = try RecordingServer("--inhibited", "on")
                #expect(try watched.server().isInhibited)
                watched.presenter.show(tea)
                first.end()
                #expect(try watched.next() == .serverVanished)
                let second = try RecordingServer()
                #expect(try !watched.server().isInhibited)
                #expect(try watched.nextKey() == "tea")
                #expect(try second.next("notify")["summary"] as? String == tea.summary)
            }
        }
    }
}
