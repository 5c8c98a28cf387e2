import TextForms
import Testing

@Suite("Forms of a text")
struct TextFormTests {
    /// `==` of Swift's strings takes them as equal already.
    private func scalars(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value) }

    @Test(
        "The canonical form composes, and changes nothing else",
        arguments: [
            ("", ""), ("Pay rent", "Pay rent"), ("e\u{301}", "\u{E9}"),
            ("\u{1112}\u{1161}\u{11AB}", "한"), ("\u{212B}", "\u{C5}"), ("ﬁ", "ﬁ"), ("ß", "ß"),
            ("か\u{3099}", "が"), ("👩‍👧", "👩‍👧"), ("q\u{323}\u{307}", "q\u{323}\u{307}"),
            ("q\u{307}\u{323}", "q\u{323}\u{307}"),
        ])
    func canonical(text: String, expected: String) {
        #expect(scalars(TextForm.canonical(text)) == scalars(expected))
    }

    @Test(
        "Texts that a search takes as equal fold to the same",
        arguments: [
            ("RENT", "rent"), ("É", "e"), ("e\u{301}", "é"), ("İstanbul", "istanbul"),
            ("ISPARTA", "ısparta"), ("Straße", "STRASSE"), ("ὈΔΥΣΣΕΎΣ", "οδυσσευς"),
            ("σ", "ς"), ("ﬁle", "FILE"), ("ＡＢＣ", "abc"), ("ﾃｽﾄ", "テスト"),
            ("한", "\u{1112}\u{1161}\u{11AB}"), ("مُحَمَّد", "محمد"), ("مـحمد", "محمد"),
            ("أحمد", "احمد"),
            ("שָׁלוֹם", "שלום"), ("Łódź", "lodz"), ("Ærøskøbing", "aeroskobing"),
            ("❤\u{FE0F}", "❤"), ("co\u{AD}operate", "cooperate"), ("Ǆ", "dž"), ("Й", "и"),
        ])
    func equal(left: String, right: String) {
        #expect(scalars(TextForm.folded(left)) == scalars(TextForm.folded(right)))
    }

    @Test(
        "Other letters stay others",
        arguments: [
            ("가", "각"), ("か", "が"), ("कल", "कुल"), ("ก", "กุ"), ("a", "b"), ("は", "ハ"),
            ("👍", "👎"), ("日", "曰"),
        ])
    func different(left: String, right: String) {
        #expect(scalars(TextForm.folded(left)) != scalars(TextForm.folded(right)))
    }

    @Test(
        "Folding again changes nothing",
        arguments: ["İ", "ß", "ὈΔΥΣΣΕΎΣ", "한국어", "がぎぐ", "Łódź", "ǅ", "ŉ", "㎏", "½"])
    func idempotent(text: String) {
        let once = TextForm.folded(text)
        #expect(scalars(TextForm.folded(once)) == scalars(once))
    }
}
