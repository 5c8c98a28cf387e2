import RemindCore
import Testing

@testable import Store

@Suite("Search")
struct SearchTests {
    private let folder: TemporaryFolder
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        store = try Store(path: folder.database)
    }

    @discardableResult
    private func add(
        _ title: String, note: String? = nil, tags: [String] = [], list: String = "inbox",
        done: Bool = false, due: Int64? = nil
    ) throws -> Int64 {
        var reminder = sample(Int.random(in: 0..<1 << 40), title)
        (reminder.note, reminder.tags, reminder.list) = (note, tags, list)
        reminder.state = done ? .done : .open
        return try store.insert(reminder, due: due.map { epoch.advanced(bySeconds: $0) })
    }

    private func find(_ text: String, limit: Int? = nil) throws -> [Int64] {
        try store.list(ListFilter(.all, search: text), sort: .match, limit: limit).map(\.number)
    }

    @Test(
        "A text is found whatever its case, its accents and its script",
        arguments: [
            ("Pay rent", "RENT"), ("Pay rent", "en"), ("Pay rent", "p"), ("Pay rent", "y"),
            ("Pay rent", "rent pay"), ("Pay rent", "  pay\trent\n"), ("Café", "cafe"),
            ("Cafe\u{301}", "CAFÉ"), ("cafe", "cafe\u{301}"), ("İstanbul", "istanbul"),
            ("Istanbul", "İSTANBUL"), ("Ispartaı", "ISPARTAI"), ("Straße fegen", "strasse"),
            ("STRASSE", "straße"), ("Straße", "ß"), ("ὈΔΥΣΣΕΎΣ", "οδυσσεύς"), ("λόγος", "ΛΟΓΟΣ"),
            ("한국어 공부", "한국"), ("한국어 공부", "부"), ("한국어", "\u{1112}\u{1161}\u{11AB}국"),
            ("日本語の勉強", "日本"), ("日本語の勉強", "勉強"), ("日本語の勉強", "強"),
            ("日本語の勉強", "本語の"), ("東京へ行く", "京へ"), ("ガソリン", "ｶﾞｿﾘﾝ"),
            ("مُحَمَّد", "محمد"), ("محمد", "مُحَمَّد"), ("Łódź", "lodz"), ("buy 🥛 milk", "🥛"),
            ("family 👨‍👩‍👧", "👨‍👩‍👧"), ("love ❤️", "❤"), ("a\"b", "a\"b"), ("a\"b", "\""),
            ("NOT this", "NOT"), ("rock AND roll", "and"), ("5*3-2", "*3-"), ("-x", "-"),
            ("title:x", "title:"), ("(a OR b)", "(a"), ("^up", "^u"), ("50 % off_now\\", "%"),
            ("off_now", "f_n"), ("a\\b", "\\b"), ("NEAR(a b)", "near(a"), ("{x}+y", "{x}+"),
        ])
    func finds(title: String, text: String) throws {
        let number = try add(title)
        try add("zzz")
        #expect(try find(text) == [number])
        #expect(try store.checkIntegrity() == [])
        try store.close()
    }

    @Test(
        "What is not in it does not find it",
        arguments: [
            ("Pay rent", "rant"), ("Pay rent", "payr"), ("Pay rent", "tp"), ("Pay rent", "y  q"),
            ("가", "각"), ("각", "가"), ("かき", "がき"), ("日本", "本日"), ("abc", "a*c"),
            ("abc", "a?c"), ("abc", "NOT xyz"), ("abc", "abc -xyz"), ("abcd efgh", "cdef"),
            ("abcxbcd", "abcd"), ("👍", "👎"),
        ])
    func doesNotFind(title: String, text: String) throws {
        try add(title)
        #expect(try find(text).isEmpty)
        try store.close()
    }

    @Test("A search without a word asks for nothing", arguments: ["", "  ", "\t\u{1F}", "\u{301}"])
    func empty(text: String) throws {
        let number = try add("Pay rent")
        #expect(try find(text) == [number])
        try store.close()
    }

    @Test("Notes, tags and lists are searched, and no word reaches from one text into the next")
    func places() throws {
        let note = try add("a", note: "First line\nthe second")
        let tag = try add("b", tags: ["garden", "work"])
        let list = try add("c", list: "groceries")
        #expect(try find("second") == [note])
        #expect(try find("line the") == [note])
        #expect(try find("arde") == [tag])
        #expect(try find("grocer") == [list])
        #expect(try find("work garden b") == [tag])
        #expect(try find("gardenwork").isEmpty)
        #expect(try find("binbox").isEmpty)
        try store.close()
    }

    @Test("Open ones come first, the title itself before its words, words before their parts")
    func order() throws {
        let tag = try add("x", tags: ["rent"], due: 1)
        let part = try add("Parental leave", due: 2)
        let word = try add("Pay the rent", due: 3)
        let later = try add("Rent a car", due: 4)
        let whole = try add("RENT", due: 5)
        let done = try add("Rent", done: true, due: 0)
        #expect(try find("rent") == [whole, word, later, part, tag, done])
        #expect(try find("rent", limit: 2) == [whole, word])
        #expect(try find("a rent") == [later, part, word])
        try store.close()
    }

    @Test("The index follows edits, deletions and undo")
    func follows() throws {
        var reminder = sample(1, "Pay rent")
        reminder.number = try store.insert(reminder, due: nil)
        reminder.title = "Call mum"
        try store.transaction(UserChange(.edit, at: epoch)) {
            try store.update(reminder, due: nil)
        }
        #expect(try find("rent").isEmpty)
        #expect(try find("mum") == [reminder.number])
        (reminder.tags, reminder.note) = (["family"], "evening")
        try store.update(reminder, due: nil)
        #expect(try find("fam eve") == [reminder.number])
        try store.transaction(UserChange(.remove, at: epoch)) {
            try store.delete(number: reminder.number)
        }
        #expect(try find("mum").isEmpty)
        for text in ["family", "rent"] {
            let step = try #require(try store.undoSteps(limit: 1).first)
            _ = try store.undo(step)
            #expect(try find(text) == [reminder.number], "\(text)")
        }
        #expect(try find("mum").isEmpty)
        #expect(try store.checkIntegrity() == [])
        try store.close()
    }

    @Test("A change that is rolled back leaves the index as it was")
    func rollback() throws {
        struct Failure: Error {}
        let number = try add("Pay rent")
        #expect(throws: Failure.self) {
            try store.transaction {
                try store.delete(number: number)
                try add("Other")
                throw Failure()
            }
        }
        #expect(try find("rent") == [number])
        #expect(try find("other").isEmpty)
        #expect(try store.checkIntegrity() == [])
        try store.close()
    }

    @Test("The longest search is answered")
    func longest() throws {
        let word = String(repeating: "abcdefghij", count: Limits.search / 10)
        let number = try add(word)
        #expect(try find(word) == [number])
        #expect(try find(word.dropLast() + "x").isEmpty)
        let words = Array(repeating: "abc", count: Limits.search / 4).joined(separator: " ")
        #expect(try find(words) == [number])
        let letters = Array(repeating: "a", count: Limits.search / 2).joined(separator: " ")
        #expect(try find(letters) == [number])
        try store.close()
    }

    @Test("Short words that are in many texts are found too, and are not taken from the index")
    func frequent() throws {
        try store.transaction {
            for index in 0..<1500 {
                var reminder = sample(index, "ee ef eg eh \(index)")
                reminder.list = "l"
                try store.insert(reminder, due: nil)
            }
        }
        try add("猫")
        #expect(try !store.isRare("e"))
        #expect(try store.isRare("猫"))
        #expect(try find("e").count == 1500)
        #expect(try find("ef", limit: 3) == [1, 2, 3])
        #expect(try find("猫") == [1501])
        try store.close()
    }

    @Test("A store of the first schema is indexed when it is opened")
    func migration() throws {
        try store.close()
        let other = try TemporaryFolder()
        let old = try stranger(other.database)
        try old.execute(
            Schema.migrations[0].sql + """
                CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE)
                    STRICT;
                INSERT INTO migration VALUES (1, 'tasks, alarms, log');
                INSERT INTO task VALUES (7, x'0190f0c2000070008000000000000001', 0,
                    9223372036854775807, 0, 1, 'inbox', 'Café', 5, 5, NULL, NULL, NULL, NULL, NULL,
                    NULL, NULL, NULL, NULL, 'über');
                INSERT INTO tag VALUES (7, 'Garden');
                PRAGMA application_id = \(Schema.applicationID);
                PRAGMA user_version = 1;
                """)
        try old.close()
        let store = try Store(path: other.database)
        for text in ["cafe", "UBER", "garden", "inb"] {
            let found = try store.list(ListFilter(search: text)).map(\.number)
            #expect(found == [7], "\(text)")
        }
        #expect(try store.checkIntegrity() == [])
        try store.close()
    }
}
