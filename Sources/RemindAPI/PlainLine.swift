import RemindCore
import VarlinkWire

/// Reads a `Line` as our daemon writes it: its fields in their order, without blanks, and no string
/// with an escape in it. A tenth of the work of reading any JSON; what is not so is not read.
struct PlainLine {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// Where the next byte is.
    private(set) var place: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) {
        (self.bytes, self.place) = (bytes, place)
    }

    /// - Returns: `nil` when it is not so.
    mutating func read() -> ListedReminder? {
        var row = ListedReminder()
        guard skip("{\"number\":"), let number = number(), skip(",\"title\":\""),
            let title = string()
        else { return nil }
        (row.number, row.title) = (number, title)
        if skip(",\"note\":\"") {
            guard let note = string() else { return nil }
            row.note = note
        }
        guard skip(",\"tags\":["), let tags = tags(), readWords(&row) else { return nil }
        row.tags = tags
        if skip(",\"offset\":") {
            guard let offset = self.number() else { return nil }
            row.lineOffset = offset
        }
        return skip("}") ? row : nil
    }

    private mutating func readWords(_ row: inout ListedReminder) -> Bool {
        guard skip(",\"priority\":\"") else { return false }
        if skip("normal\"") {
        } else if skip("high\"") {
            row.priority = .high
        } else if skip("low\"") {
            row.priority = .low
        } else {
            return false
        }
        if !skip(",\"state\":\"open\"") {
            guard skip(",\"state\":\"done\"") else { return false }
            row.state = .done
        }
        return readTimes(&row)
    }

    private mutating func readTimes(_ row: inout ListedReminder) -> Bool {
        if skip(",\"due\":\"") {
            guard let due = string() else { return false }
            row.due = due
        }
        if skip(",\"timeZone\":\"") {
            guard let zone = string() else { return false }
            row.timeZone = zone
        }
        if skip(",\"rule\":\"") {
            guard let rule = string() else { return false }
            row.rule = rule
        }
        guard skip(",\"alarm\":\"") else { return false }
        if skip("pending\"") {
            row.alarm = .pending
        } else if skip("none\"") {
            row.alarm = .none
        } else if skip("ringing\"") {
            row.alarm = .ringing
        } else if skip("snoozed\"") {
            row.alarm = .snoozed
        } else {
            return false
        }
        return true
    }

    /// The array behind its bracket.
    private mutating func tags() -> UnsafeBufferPointer<UInt8>? {
        let start = place - 1
        if !skip("]") {
            repeat {
                guard skip("\""), string() != nil else { return nil }
            } while skip(",")
            guard skip("]") else { return nil }
        }
        return UnsafeBufferPointer(rebasing: bytes[start..<place])
    }

    /// The string behind its first quotation mark, with both.
    private mutating func string() -> UnsafeBufferPointer<UInt8>? {
        let start = place - 1
        let end = bytes.endOfPlainText(from: place, upTo: bytes.count)
        guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return nil }
        place = end + 1
        return UnsafeBufferPointer(rebasing: bytes[start..<place])
    }

    private mutating func number() -> Int64? {
        let isNegative = skip("-")
        let start = place
        var value: Int64 = 0
        while place < bytes.count, case let digit = bytes[place] &- 0x30, digit < 10 {
            value = value &* 10 &+ Int64(digit)
            place += 1
        }
        guard (1...18).contains(place - start) else { return nil }
        return isNegative ? -value : value
    }

    /// Steps over these very bytes; false, and nothing read, when there are others.
    @inline(__always)
    private mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard count <= bytes.count - place, let base = bytes.baseAddress else { return false }
        let (mine, theirs) = (UnsafeRawPointer(text.utf8Start), UnsafeRawPointer(base + place))
        var at = 0
        while at + 8 <= count {
            guard
                mine.loadUnaligned(fromByteOffset: at, as: UInt64.self)
                    == theirs.loadUnaligned(fromByteOffset: at, as: UInt64.self)
            else { return false }
            at += 8
        }
        while at < count {
            guard
                mine.load(fromByteOffset: at, as: UInt8.self)
                    == theirs.load(fromByteOffset: at, as: UInt8.self)
            else { return false }
            at += 1
        }
        place += count
        return true
    }
}
