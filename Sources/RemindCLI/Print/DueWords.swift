import RemindAPI
import RemindCore

/// When the tasks of a list are due. Neighbours in it are often due on the same day, and of these
/// only the time is read and written.
struct DueWords {
    /// What a row says of it.
    struct Due {
        var cell = TextCell.empty
        /// Of an open task.
        var group = ListGroup.undated
        var isToday = false
        /// When the words or the group of an open task change.
        var change = Instant.latest
    }

    private let now: Instant
    private let texts: ListTexts
    private var day: Day?

    init(now: Instant, texts: ListTexts) { (self.now, self.texts) = (now, texts) }

    mutating func read(_ fields: ListedReminder) -> Due {
        if fields.due.isEmpty { return Due() }
        let text = fields.due.unquoted
        if let day, let time = day.time(text), fields.timeZone.isPlainJSON {
            return due(time, on: day, fields)
        }
        guard let moment = Moment(fields.due.string, dateOffset: fields.offset) else {
            return Due(cell: texts.add(json: fields.due))
        }
        day = Day(text, moment, now: now) ?? day
        let words = moment.words(now: now)
        let zone = fields.timeZone.isEmpty ? "" : " " + fields.timeZone.string.singleLine
        return Due(
            cell: texts.add(words + zone), group: ListGroup(.open, moment, now: now),
            isToday: moment.days(from: now) == 0, change: moment.change(after: now))
    }

    private func due(_ time: Day.Time, on day: Day, _ fields: ListedReminder) -> Due {
        let isPast = time.instant < now
        let cell = day.words.withUnsafeBufferPointer { words in
            fields.timeZone.isEmpty
                ? texts.add(plain: words, time.clock)
                : texts.add(plain: words, time.clock, blank: fields.timeZone.unquoted)
        }
        // It is past only after its own millisecond.
        let passes = Instant(milliseconds: time.instant.milliseconds + 1)
        return Due(
            cell: cell, group: isPast ? .overdue : ListGroup(days: day.daysFromNow),
            isToday: day.daysFromNow == 0, change: isPast ? day.change : min(day.change, passes))
    }
}

/// A day somewhere on the earth, as the daemon writes it.
private struct Day {
    /// Its RFC 3339 text without the time: `2030-05-01T`, of which the eight bytes in the middle stand
    /// twice, and `+02:00`.
    private let key: Key
    /// When it began, told by its offset.
    private let midnight: Int64
    /// What stands before the time: `Wed 1 May 2030, `.
    let words: [UInt8]
    let daysFromNow: Int
    /// When the words change.
    let change: Instant

    private struct Key: Equatable {
        let date: UInt64
        let day: UInt64
        let offset: UInt64

        /// `nil` when it is no date and time to the second, with an offset in digits.
        @inline(__always)
        init?(_ text: UnsafeBufferPointer<UInt8>) {
            guard text.count == 25 else { return nil }
            let bytes = UnsafeRawBufferPointer(text)
            date = bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)
            day = bytes.loadUnaligned(fromByteOffset: 3, as: UInt64.self)
            // Without the digits of the seconds.
            offset = bytes.loadUnaligned(fromByteOffset: 17, as: UInt64.self).bigEndian << 16
        }
    }

    struct Time {
        let instant: Instant
        /// `09:00`, with seconds only when there are any.
        let clock: UnsafeBufferPointer<UInt8>
    }

    init?(_ text: UnsafeBufferPointer<UInt8>, _ moment: Moment, now: Instant) {
        guard let key = Key(text), let time = moment.time, let instant = moment.instant else {
            return nil
        }
        self.key = key
        let seconds = time.hour * 3600 + time.minute * 60 + time.second
        midnight = instant.seconds - Int64(seconds)
        words = Array(moment.words(now: now).utf8.dropLast(time.second == 0 ? 5 : 8))
        daysFromNow = moment.days(from: now)
        change = moment.midnight(after: now)
    }

    /// `nil` when the text is no time of this day.
    @inline(__always)
    func time(_ text: UnsafeBufferPointer<UInt8>) -> Time? {
        guard Key(text) == key, let hour = Self.number(text, 11, below: 24),
            text[13] == UInt8(ascii: ":"), let minute = Self.number(text, 14, below: 60),
            text[16] == UInt8(ascii: ":"), let second = Self.number(text, 17, below: 60)
        else { return nil }
        let seconds = midnight + hour * 3600 + minute * 60 + second
        return Time(
            instant: Instant(seconds: seconds),
            clock: UnsafeBufferPointer(rebasing: text[11..<(second == 0 ? 16 : 19)]))
    }

    @inline(__always)
    private static func number(
        _ text: UnsafeBufferPointer<UInt8>, _ place: Int, below limit: Int64
    ) -> Int64? {
        let (tens, ones) = (text[place] &- 0x30, text[place + 1] &- 0x30)
        guard tens < 10, ones < 10, case let number = Int64(tens) * 10 + Int64(ones),
            number < limit
        else { return nil }
        return number
    }
}
