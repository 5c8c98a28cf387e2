import RemindCore
import Testing

@testable import RemindCLI

@Suite struct CellTests {
    /// A-cli-02, and what else is not one cell a character.
    @Test(arguments: [
        ("milk", 4), ("買い物リスト", 12), ("café", 4), ("cafe\u{301}", 4), ("한국어", 6),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("👩‍👩‍👧", 2), ("🇩🇪", 2), ("👍🏽", 2), ("❤️", 2), ("❤", 1),
        ("1️⃣", 2), ("ｆｕｌｌ", 8), ("ﾊﾝｶｸ", 4), ("שלום", 4), ("عَرَبِي", 4), ("", 0), ("a\u{200B}b", 2),
        ("…—‘’", 4), ("\u{20000}", 2), ("नमस्ते", 4),
    ])
    func textTakesItsCells(_ text: String, _ cells: Int) {
        #expect(text.cells == cells)
    }

    @Test(arguments: [
        ("Pay rent", 8, "Pay rent"), ("Pay rent", 7, "Pay re…"), ("Pay rent", 1, "…"),
        ("買い物リスト", 12, "買い物リスト"), ("買い物リスト", 11, "買い物リス…"), ("買い物", 4, "買…"),
        ("cafe\u{301}s", 5, "cafe\u{301}s"), ("cafe\u{301}s", 4, "caf…"), ("x", 0, ""),
    ])
    func textIsCutAtWholeCharacters(_ text: String, _ limit: Int, _ expected: String) {
        let cut = text.cut(toCells: limit)
        #expect(cut == expected)
        #expect(cut.cells <= limit)
    }

    @Test func wideRangesAreSortedAndApart() {
        #expect(WideRanges.bounds.count % 2 == 0)
        for (left, right) in zip(WideRanges.bounds, WideRanges.bounds.dropFirst()) {
            #expect(left <= right)
        }
    }

    @Test(arguments: [
        ("a\nb\tc", "a b c"), ("\u{1B}[31mred", "\u{FFFD}[31mred"),
        ("a\u{7F}\u{9B}", "a\u{FFFD}\u{FFFD}"),
        ("x\u{202E}y\u{2066}", "xy"), ("a\u{2028}b\u{85}c", "a b c"), ("Grüße", "Grüße"),
    ])
    func controlCharactersNeverReachTheTerminal(_ text: String, _ safe: String) {
        #expect(text.singleLine == safe)
    }

    @Test func textFromRightToLeftIsIsolated() {
        #expect("שלום".isolated == "\u{2068}שלום\u{2069}")
        #expect("shalom".isolated == "shalom")
    }
}

@Suite struct MomentTests {
    @Test(arguments: [
        ("2026-03-02T09:00:00+01:00", "today 09:00"),
        ("2026-03-02T09:00:30+01:00", "today 09:00:30"),
        ("2026-03-01T23:59:00+01:00", "yesterday 23:59"),
        ("2026-02-28T09:00:00+01:00", "Sat 28 Feb 2026, 09:00"),
        ("2026-03-03T00:00:00+01:00", "tomorrow 00:00"),
        ("2026-03-04T09:00:00+01:00", "Wed 09:00"),
        ("2026-03-08T23:59:00+01:00", "Sun 23:59"),
        ("2026-03-09T00:00:00+01:00", "Mon 9 Mar 2026, 00:00"),
        ("2030-05-01T09:00:00+02:00", "Wed 1 May 2030, 09:00"),
        // In Auckland it is 22:00 already, and the day begins two hours from now.
        ("2026-03-03T00:30:00+13:00", "tomorrow 00:30"),
        ("2026-03-02", "today"), ("2026-03-03", "tomorrow"), ("2026-03-06", "Fri"),
        ("2026-02-01", "Sun 1 Feb 2026"),
    ])
    func nearDaysAreWords(_ text: String, _ words: String) throws {
        let moment = try #require(Moment(text, dateOffset: 3600))
        #expect(moment.words(now: testNow) == words)
    }

    @Test(arguments: [
        ("FREQ=DAILY", "every day"), ("FREQ=WEEKLY;INTERVAL=2", "every 2 weeks"),
        ("RRULE:FREQ=HOURLY;INTERVAL=6", "every 6 hours"),
        ("FREQ=WEEKLY;BYDAY=MO,WE", "every Mon and Wed"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
        ("FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;WKST=SU", "every 2 weeks on Mon"),
        ("FREQ=MONTHLY", "every month"), ("FREQ=MONTHLY;BYMONTHDAY=1", "every month on the 1st"),
        ("FREQ=MONTHLY;BYMONTHDAY=12", "every month on the 12th"),
        ("FREQ=MONTHLY;BYMONTHDAY=-1", "every month on the last day"),
        ("FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "every month on the 31st"),
        ("FREQ=MONTHLY;BYDAY=2TU", "every month on the 2nd Tue"),
        ("FREQ=MONTHLY;BYDAY=-1FR", "every month on the last Fri"),
        ("FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=3", "every month on the 3rd workday"),
        ("FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=1", "every year on the 1st of May"),
        (
            "FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1",
            "every 4 years on the 29th of Feb"
        ),
        ("FREQ=WEEKLY;BYDAY=MO,WE,FR", "every Mon, Wed and Fri"),
        ("FREQ=MONTHLY;BYMONTHDAY=1,15", "every month on the 1st and 15th"),
        ("FREQ=MONTHLY;BYMONTHDAY=15,-1", "every month on the 15th and last day"),
        ("FREQ=MONTHLY;BYDAY=2TU,4TU", "every month on the 2nd and 4th Tue"),
        ("FREQ=DAILY;INTERVAL=3;X-BASIS=COMPLETION", "3 days after completion"),
        ("FREQ=WEEKLY;X-BASIS=COMPLETION", "1 week after completion"),
        ("FREQ=DAILY;COUNT=5", "every day, 5 times"),
        ("FREQ=DAILY;UNTIL=20300501T090000", "every day, until 1 May 2030"),
    ])
    func simpleRulesAreWords(_ rule: String, _ words: String) {
        #expect(RuleWords.words(for: rule) == words)
    }

    /// Half a rule would be a wrong one.
    @Test(arguments: [
        "FREQ=WEEKLY;BYDAY=1MO", "FREQ=DAILY;BYHOUR=9,17", "FREQ=MONTHLY;BYMONTHDAY=1,-2",
        "FREQ=MONTHLY;BYDAY=2TU,4WE", "FREQ=WEEKLY;BYDAY=MO;X-BASIS=COMPLETION",
        "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR", "FREQ=YEARLY;BYMONTH=13;BYMONTHDAY=1",
        "FREQ=YEARLY;BYWEEKNO=20", "FREQ=DAILY;UNTIL=20300501T220000Z", "FREQ=DAILY;UNTIL=2030",
        "FREQ=DAILY;FREQ=DAILY", "FREQ=DAILY;COUNT", "FREQ=MONTHLY;BYMONTHDAY=-2", "INTERVAL=2",
    ])
    func otherRulesStayAsTheyAre(_ rule: String) {
        #expect(RuleWords.words(for: rule) == rule)
    }

    @Test(arguments: [
        ("nonsense\u{7}", "nonsense\u{FFFD}")
    ])
    func rulesAreShort(_ rule: String, _ words: String) {
        #expect(RuleWords.words(for: rule) == words)
    }

    @Test(arguments: [
        ("PT15M", "15 minutes"), ("P1DT2H", "1 day 2 hours"), ("PT0S", "0 seconds"), ("x", "x"),
    ])
    func durationsAreWords(_ text: String, _ words: String) {
        #expect(DurationWords.words(for: text) == words)
    }
}
