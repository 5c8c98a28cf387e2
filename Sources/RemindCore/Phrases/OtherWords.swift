/// What people say that no phrase takes, because it means different times to different people or
/// no time of its own; each with what to say instead. Only hints are made of it, and only those
/// that are understood are shown.
enum OtherWords {
    /// Phrases in which such words are replaced, those with the longest words first, and what stands
    /// for the words alone.
    static func suggestions(for phrase: String) -> (replaced: [String], alone: [String]) {
        let folded = Array(phrase.lowercased().utf8)
        // Folding that changes the length would shift the places.
        let utf8 = Array(phrase.utf8)
        guard folded.count == utf8.count, folded.count <= 200 else { return ([], []) }
        var (replaced, alone) = ([String](), [String]())
        for entry in table {
            guard let place = place(of: entry.words, in: folded) else { continue }
            let before = String(decoding: utf8[..<place.lowerBound], as: UTF8.self)
            let after = String(decoding: utf8[place.upperBound...], as: UTF8.self)
            replaced += entry.instead.map { before + $0 + after }
            alone += entry.instead
        }
        return (replaced, alone)
    }

    /// Where the words stand as whole words.
    private static func place(of words: [UInt8], in text: [UInt8]) -> Range<Int>? {
        guard words.count <= text.count else { return nil }
        for start in 0...(text.count - words.count) {
            let end = start + words.count
            guard text[start..<end].elementsEqual(words),
                start == 0 || !isLetter(text[start - 1]), end == text.count || !isLetter(text[end])
            else { continue }
            return start..<end
        }
        return nil
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte >= 0x80
    }

    private static let table: [(words: [UInt8], instead: [String])] = {
        var rows: [(words: [UInt8], instead: [String])] = []
        for line in lines.split(separator: "\n") {
            let sides = line.split(separator: "=", omittingEmptySubsequences: false)
            guard sides.count == 2 else { continue }
            let instead = sides[1].split(separator: "|", omittingEmptySubsequences: false)
            for words in sides[0].split(separator: "|") {
                rows.append((Array(words.utf8), instead.map(String.init)))
            }
        }
        return rows.sorted { $0.words.count > $1.words.count }
    }()

    private static let lines = """
        tmrw|tmr|tmw|tom|2moro|2morrow|2mrw|tomo=tomorrow
        eod|cob|eob|close of business|end of business|end of the day=17:00|18:00
        eom|month end|end of months=end of month
        eow|week end=friday|sunday
        eoy|year end=end of year
        soon|later|in a bit|in a while|in a moment=in 1 hour|tonight
        later today=in 1 hour|tonight
        asap|immediately|right now|right away=now|in 1 minute
        a bit|a moment|a sec=15 minutes|1 hour
        a while=1 hour|1 day
        a couple of|couple of|a couple|a pair of=2
        a few|few|several=3
        breakfast|breakfast time=8:00
        lunch|lunchtime|lunch time=12:00|13:00
        after lunch=13:00|14:00
        dinner|dinnertime|supper|teatime=18:00|19:00
        dawn|sunrise|daybreak=6:00
        sunset|dusk|sundown=20:00|evening
        bedtime|bed time=22:00
        first thing in the=in the
        first thing=morning
        christmas eve|xmas eve=24 dec
        christmas|xmas|christmas day=25 dec
        new year's eve|new years eve|new year\u{2019}s eve|nye=31 dec
        new year's day|new years day|new year's|new years|new year=1 jan
        valentine's day|valentines day=14 feb
        halloween=31 oct
        leap day=29 feb
        middle of|mid of|mid=15
        nightly=every day at 22:00|every evening
        biweekly|bi-weekly=every 2 weeks|every monday and thursday
        bimonthly|bi-monthly=every 2 months|every 1st and 15th
        semiannually|semi-annually|biannually|half-yearly|half yearly|every half year=every 6 months
        every end of month|every end of the month|every month end|every month's end=every last day of the month
        1 quarter|one quarter=3 months
        2 quarters|two quarters=6 months
        one hundred|a hundred=100
        single=
        biennially|biannual=every 2 years|every 6 months
        twice a day|twice daily|two times a day|2 times a day=every day at 9:00 and 18:00
        three times a day|3 times a day|thrice daily=every day at 8:00, 13:00 and 18:00
        twice a week|twice weekly|two times a week=every monday and thursday
        twice a month|twice monthly=every 1st and 15th
        twice a year|twice yearly=every 6 months
        once a day|once daily|per day=every day
        once a week|once weekly|per week=every week
        once a month|once monthly|per month=every month
        once a year|once yearly|per year=every year
        once an hour|per hour=every hour
        business day|working day|work day|school day=workday|day
        business days|working days|work days|school days=workdays|days
        fortnight=in a fortnight|every fortnight
        upcoming=coming
        uhr|h=
        o clock=o'clock
        half a day=12 hours
        half a week=3 days
        half a month=15 days
        half a year=6 months
        three quarters of an hour|three quarters of a hour|3/4 hour=45 minutes
        around|about|approximately|roughly|circa|sharp|exactly|please=
        and every=and
        each and every=every
        once every=every
        alternate=other
        alternate days=every other day
        second to last|second-to-last|2nd to last|2nd last|penultimate|next to last=last
        m/w/f|mwf=mon,wed,fri
        overmorrow=day after tomorrow
        minutes' time|minutes\u{2019} time|mins time|min time=minutes
        hour's time|hour\u{2019}s time=hour
        hours' time|hours\u{2019} time|hours time=hours
        days' time|days\u{2019} time|days time=days
        week's time|week\u{2019}s time=week
        weeks' time|weeks\u{2019} time|weeks time=weeks
        month's time|month\u{2019}s time=month
        months' time|months\u{2019} time|months time=months
        year's time|year\u{2019}s time=year
        years' time|years\u{2019} time|years time=years
        every night=every day at 22:00|every evening
        every afternoon=every day at 15:00
        """
}
