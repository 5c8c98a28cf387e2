import Testing

@testable import Popups

extension OnTheBus {
    /// What arrives at the server, byte for byte, is what counts.
    @Suite("Text on the bus", .timeLimit(.minutes(2)))
    struct TextOnTheBusTests {
        /// Shows a pop-up on a server with these capabilities; gives what arrived.
        private func arrived(
            _ summary: String, _ body: String = "", caps: String = "body,body-markup,actions"
        ) throws -> (summary: String, body: String, actions: [String]) {
            var found = ("", "", [String]())
            try onBus { _, watched in
                let server = try RecordingServer("--caps", caps)
                var popup = tea
                (popup.summary, popup.body) = (summary, body)
                watched.presenter.show(popup)
                let call = try server.next("notify")
                #expect(try watched.shown("tea") == 1, "it is on the bus still")
                found = (
                    call["summary"] as? String ?? "", call["body"] as? String ?? "",
                    call["actions"] as? [String] ?? []
                )
            }
            return found
        }

        @Test("A-text-01: markup in the body is escaped once, the summary is as it was")
        func text01() throws {
            let call = try arrived("R&D <review> & 1<2", "We <3 cats & dogs")
            #expect(call.summary == "R&D <review> & 1<2")
            #expect(call.body == "We &lt;3 cats &amp; dogs")
            #expect(!call.body.contains("<"))
            #expect(
                !call.body.replacing("&lt;", with: "").replacing("&amp;", with: "").contains("&"))
            #expect(!call.summary.contains("&amp;"))
        }

        @Test("A-text-02: a line end in the title is a blank, and the rest of it is kept")
        func text02() throws {
            let call = try arrived("Call plumber\nask about boiler", "Due")
            for wrong in ["\n", "\r", "\\n"] { #expect(!call.summary.contains(wrong)) }
            #expect(call.summary.hasPrefix("Call plumber"))
            #expect((call.summary + call.body).contains("ask about boiler"))
        }

        @Test("A-text-03: what was not UTF-8 arrives as U+FFFD, and the sender stays on the bus")
        func text03() throws {
            let text = String(
                decoding: Array("Caf".utf8) + [0xE9] + Array(" bill".utf8), as: UTF8.self)
            #expect(try arrived(text).summary == "Caf\u{FFFD} bill")
        }

        @Test(
            "Texts of all kinds arrive harmless, and none throws us off the bus",
            arguments: [
                ("nul\0in the middle", "nulin the middle"),
                ("\u{202E}gnp.exe\u{202C}", "gnp.exe"), ("\u{2067}\u{2066}\u{2069}\u{2069}x", "x"),
                ("bell\u{7}\u{1B}]0;title\u{7}", "bell]0;title"), ("\u{9B}31mred", "31mred"),
                ("\u{FFFE}\u{FFFF}\u{10FFFF}", "\u{FFFD}\u{FFFD}\u{10FFFF}"),
                ("a\u{2028}b\u{2029}c", "a b c"),
                (
                    "<b>bold</b> &amp; <img src=x>",
                    "<b>bold</b> &amp; <img src=x>"
                ),
                ("   ", "Reminder"), ("🏳️‍🌈👨‍👩‍👧‍👦", "🏳️‍🌈👨‍👩‍👧‍👦"), ("שלום עולם", "שלום עולם"),
                (String(repeating: "long ", count: 5000), nil),
            ] as [(String, String?)])
        func summaries(text: String, expected: String?) throws {
            let call = try arrived(text, text)
            if let expected { #expect(call.summary == expected) }
            #expect(call.summary.count <= PopupText.summaryLimit)
            #expect(!call.summary.contains { $0.isNewline })
            #expect(call.summary.hasSuffix("…") == (text.count > PopupText.summaryLimit))
            #expect(!call.body.contains("<"))
            #expect(
                call.body.unicodeScalars.allSatisfy { scalar in
                    let category = scalar.properties.generalCategory
                    return scalar == "\n" || category != .control
                })
        }

        @Test(
            "Each server gets what it can show",
            arguments: [
                ("body,body-markup,actions", "a &lt; b\nc", 4), ("body,actions", "a < b\nc", 4),
                ("body", "a < b\nc\nremindctl done 7", 0), ("actions", "a < b\nc", 4),
                ("body-markup", "a &lt; b\nc\nremindctl done 7", 0),
                ("", "a < b\nc\nremindctl done 7", 0),
            ])
        func capabilities(caps: String, body: String, actions: Int) throws {
            let call = try arrived("Tea", "a < b\nc", caps: caps)
            #expect(call.body == body)
            #expect(call.actions.count == actions)
        }

        @Test("A body that is empty or blank arrives as an empty one")
        func emptyBody() throws {
            #expect(try arrived("Tea", "").body.isEmpty)
            #expect(try arrived("Tea", " \n\t\u{202E}\0").body.isEmpty)
        }
    }
}
