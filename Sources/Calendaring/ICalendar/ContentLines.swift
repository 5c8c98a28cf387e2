/// Cuts a stream of bytes into unfolded content lines (RFC 5545 section 3.1).
///
/// Works on octets, so that a fold inside a UTF-8 sequence is undone before anything is decoded.
/// Takes CRLF, LF, CR and CR CR LF as line ends, leaves out a byte order mark, NULs and empty lines. Memory
/// is bounded by `ICalendarLimits.lineBytes`: what is longer is cut off and marked.
///
/// Written here and not left to libical: its line reader loses the file at a byte order mark, cuts
/// a text at a NUL and reads everything before it gives anything.
struct ContentLines {
    struct Line: Equatable {
        /// Where it begins in the file, counted from 1.
        var number: Int
        var bytes: [UInt8]
        /// True when it was longer than the limit; `bytes` holds its beginning.
        var isCut = false
    }

    private let limit: Int
    private var line: Line
    /// The line in `line` is complete but for folds that may follow.
    private var ended = false
    private var lastWasReturn = false
    /// A second CR has come: an empty line, unless an LF follows.
    private var isDoubled = false
    private var number = 1
    /// Bytes of a byte order mark seen at the very beginning; `nil` when that is past.
    private var mark: Int? = 0

    init(limit: Int) {
        self.limit = limit
        line = Line(number: 1, bytes: [])
    }

    /// Takes the next bytes and hands on each line that is complete.
    mutating func feed(_ bytes: [UInt8], _ body: (Line) -> Void) {
        bytes.withUnsafeBufferPointer { all in
            var place = 0
            while place < all.count {
                // No fold and no line end: the line before is complete.
                if ended, !isDoubled, all[place] > UInt8(ascii: " ") { emit(body) }
                let run = isInside ? Self.run(all, from: place) : 0
                if run > 0 {
                    append(UnsafeBufferPointer(rebasing: all[place..<place + run]))
                    place += run
                } else {
                    feed(all[place], body)
                    place += 1
                }
            }
        }
    }

    /// Within a line only its end, and a NUL, are anything special.
    private var isInside: Bool { !ended && mark == nil }

    private static func run(_ all: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var end = start
        while end < all.count, all[end] > 13 || !isSpecial(all[end]) { end += 1 }
        return end - start
    }

    private static func isSpecial(_ byte: UInt8) -> Bool { byte == 0 || byte == 10 || byte == 13 }

    private mutating func append(_ run: UnsafeBufferPointer<UInt8>) {
        lastWasReturn = false
        if line.bytes.isEmpty { line.number = number }
        let room = limit - line.bytes.count
        if run.count > room { line.isCut = true }
        line.bytes.append(contentsOf: UnsafeBufferPointer(rebasing: run.prefix(room)))
    }

    /// The end of the stream: the last line needs no line end.
    mutating func finish(_ body: (Line) -> Void) { emit(body) }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private mutating func feed(_ byte: UInt8, _ body: (Line) -> Void) {
        if let seen = mark {
            if byte == Self.byteOrderMark[seen] {
                mark = seen == 2 ? nil : seen + 1
                return
            }
            mark = nil
            line.bytes += Self.byteOrderMark[..<seen]
        }
        if isDoubled {
            isDoubled = false
            if byte != UInt8(ascii: "\n") { endLine(byReturn: true, body) }
        }
        switch byte {
        case UInt8(ascii: "\n") where lastWasReturn: lastWasReturn = false
        case UInt8(ascii: "\r") where lastWasReturn && ended: isDoubled = true
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
            endLine(byReturn: byte == UInt8(ascii: "\r"), body)
        case UInt8(ascii: " ") where ended, UInt8(ascii: "\t") where ended:
            (ended, lastWasReturn) = (false, false)
        default:
            lastWasReturn = false
            if ended { emit(body) }
            if byte != 0 { append(byte) }
        }
    }

    private mutating func endLine(byReturn: Bool, _ body: (Line) -> Void) {
        // An empty line ends what stands before it: no fold goes across.
        if ended { emit(body) }
        ended = true
        if OldEncodings.goesOn(line.bytes) {
            line.bytes.removeLast()
            ended = false
        }
        number += 1
        lastWasReturn = byReturn
    }

    private mutating func append(_ byte: UInt8) {
        if line.bytes.isEmpty { line.number = number }
        if line.bytes.count < limit { line.bytes.append(byte) } else { line.isCut = true }
    }

    private mutating func emit(_ body: (Line) -> Void) {
        ended = false
        if !line.bytes.isEmpty {
            if !line.isCut, let modern = OldEncodings.modern(line.bytes) { line.bytes = modern }
            body(line)
        }
        line = Line(number: number, bytes: [])
    }
}
