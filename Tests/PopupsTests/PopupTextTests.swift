import Testing

@testable import Popups

@Suite("Text of pop-ups")
struct PopupTextTests {
    @Test("Body is escaped exactly when the server reads markup (A-text-01)")
    func escaping() {
        let popup = Popup(
            key: "k", summary: "R&D <review> & 1<2", body: "We <3 cats & dogs",
            actions: [PopupAction(key: "done", label: "Done")])
        let markup = PopupText.fit(popup, to: ["body", "body-markup", "actions"])
        #expect(markup.summary == "R&D <review> & 1<2")
        #expect(markup.body == "We &lt;3 cats &amp; dogs")
        #expect(markup.actions == popup.actions)
        #expect(PopupText.fit(popup, to: ["body", "actions"]).body == "We <3 cats & dogs")
    }

    @Test("Hint stands in for the buttons only on a server without them (A-srv-03)")
    func fallbackHint() {
        var popup = Popup(
            key: "k", summary: "Tea", body: "now", actions: [PopupAction(key: "a", label: "A")],
            fallbackHint: "remindctl done 7 & rest")
        #expect(PopupText.fit(popup, to: ["actions"]).body == "now")
        let fitted = PopupText.fit(popup, to: ["body", "body-markup"])
        #expect(fitted.actions.isEmpty)
        #expect(fitted.body == "now\nremindctl done 7 &amp; rest")
        popup.body = ""
        #expect(PopupText.fit(popup, to: []).body == "remindctl done 7 & rest")
    }

    @Test(
        "Summary is one line of harmless text (A-text-02)",
        arguments: [
            ("Call plumber\nask about boiler", "Call plumber ask about boiler"),
            ("Call\r\nplumber", "Call plumber"), ("a\rb\u{2028}c\u{85}d", "a b c d"),
            ("tab\there", "tab here"), ("nul\0esc\u{1B}[31mdel\u{7F}", "nulesc[31mdel"),
            ("\u{202E}evil\u{202C} \u{2066}x\u{2069}", "evil x"), ("  padded \n", "padded"),
            ("", "Reminder"), ("\u{202E}\0\n", "Reminder"), ("Café \u{FFFD} ☕", "Café \u{FFFD} ☕"),
            ("no\u{FFFF}character\u{FFFE}", "no\u{FFFD}character\u{FFFD}"),
            ("שלום \u{200F}hello", "שלום \u{200F}hello"),
        ])
    func summaries(_ text: String, _ expected: String) {
        #expect(PopupText.summary(text) == expected)
    }

    @Test("Body keeps its lines and loses what acts on the display")
    func body() {
        let popup = Popup(key: "k", summary: "s", body: "one\r\ntwo\n\nthree\0\u{2067}\u{9B}")
        #expect(PopupText.fit(popup, to: []).body == "one\ntwo\n\nthree")
    }

    @Test(
        "Text is cut at a whole character with an ellipsis",
        arguments: [
            (0, 5, ""), (5, 5, "aaaaa"), (6, 5, "aaaa…"),
            (200, 200, String(repeating: "a", count: 200)),
            (201, 200, String(repeating: "a", count: 199) + "…"),
        ])
    func cutting(_ count: Int, _ limit: Int, _ expected: String) {
        #expect(PopupText.cut(String(repeating: "a", count: count), to: limit) == expected)
    }

    @Test("A character of several scalars is kept or dropped as one")
    func graphemes() {
        let family = "👨‍👩‍👧‍👦"
        #expect(PopupText.cut(String(repeating: family, count: 3), to: 2) == family + "…")
        #expect(PopupText.cut(family + family, to: 2) == family + family)
    }

    @Test("One character of endless accents does not make the text endless")
    func endlessCharacter() {
        let text = "ab" + String(repeating: "\u{301}", count: 1_000_000)
        #expect(PopupText.cut(text, to: 10) == "a…")
    }

    @Test("Markup is escaped after the cut, so that no entity is cut in two")
    func cutBeforeEscape() {
        let popup = Popup(key: "k", summary: "s", body: String(repeating: "&", count: 1001))
        let body = PopupText.fit(popup, to: ["body-markup"]).body
        #expect(body == String(repeating: "&amp;", count: 999) + "…")
    }
}
