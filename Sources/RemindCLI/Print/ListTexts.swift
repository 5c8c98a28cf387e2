import RemindAPI

/// A text of a list, fit for a terminal and measured once: where it stands in the list's texts.
struct TextCell: BitwiseCopyable {
    fileprivate let start: Int
    fileprivate let bytes: UInt32
    private let width: UInt32

    var cells: Int { Int(width) }
    /// Nothing but printable ASCII: no other text has as many cells as bytes.
    var isPlain: Bool { width == bytes }

    static let empty = TextCell(start: 0, bytes: 0, cells: 0)

    fileprivate init(start: Int, bytes: Int, cells: Int) {
        self.start = start
        (self.bytes, width) = (UInt32(clamping: bytes), UInt32(clamping: cells))
    }
}

/// The texts of a list, one behind the other: ten thousand rows are a few pieces of memory.
final class ListTexts {
    private let buffer = GrowingBuffer<UInt8>()
    private let style: Style

    init(style: Style) { self.style = style }

    func bytes(_ cell: TextCell) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            rebasing: buffer.elements[cell.start..<cell.start + Int(cell.bytes)])
    }

    func text(_ cell: TextCell) -> String { String(decoding: bytes(cell), as: UTF8.self) }

    /// Adds a text as it will be written.
    func add(_ text: String) -> TextCell {
        let written = style.written(text)
        return TextCell(start: append(written), bytes: written.utf8.count, cells: written.cells)
    }

    /// Adds a text as it will be written, cut when it is longer.
    func add(_ text: String, cutToCells limit: Int) -> TextCell {
        let written = style.written(text)
        return written.cells <= limit
            ? add(written) : add(written.cut(toCells: limit, ascii: style.isASCII))
    }

    /// Adds printable ASCII.
    func add(plain text: UnsafeBufferPointer<UInt8>) -> TextCell {
        let start = buffer.count
        buffer.append(text)
        return TextCell(start: start, bytes: text.count, cells: text.count)
    }

    /// Adds two such texts as one, and behind a blank a third one.
    func add(
        plain first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>,
        blank third: UnsafeBufferPointer<UInt8>? = nil
    ) -> TextCell {
        let start = buffer.count
        buffer.append(first)
        buffer.append(second)
        if let third {
            buffer.append(" ", times: 1)
            buffer.append(third)
        }
        let count = buffer.count - start
        return TextCell(start: start, bytes: count, cells: count)
    }

    /// Adds a text of users, on one line.
    /// - Parameter json: a JSON string.
    func add(json: UnsafeBufferPointer<UInt8>) -> TextCell {
        let text = json.unquoted
        return text.isPlainJSON ? add(plain: text) : add(json.string.singleLine)
    }

    /// Adds the beginning of printable ASCII that is longer than `limit` cells, and an ellipsis.
    func add(plain text: UnsafeBufferPointer<UInt8>, cutToCells limit: Int) -> TextCell {
        let ellipsis = style.ellipsis
        let kept = limit - (style.isASCII ? 3 : 1)
        let start = buffer.count
        buffer.append(UnsafeBufferPointer(rebasing: text[..<kept]))
        buffer.append(
            UnsafeBufferPointer(start: ellipsis.utf8Start, count: ellipsis.utf8CodeUnitCount))
        return TextCell(start: start, bytes: buffer.count - start, cells: limit)
    }

    private func append(_ text: String) -> Int {
        defer { buffer.append(text) }
        return buffer.count
    }
}

extension Style {
    /// Behind what is cut: as many cells as characters.
    var ellipsis: StaticString { isASCII ? "..." : "…" }
}

extension UnsafeBufferPointer<UInt8> {
    /// Nothing but printable ASCII without backslashes: JSON that stands for itself. Eight bytes at
    /// a time.
    var isPlainJSON: Bool {
        let bytes = UnsafeRawBufferPointer(self)
        let (ones, highs): (UInt64, UInt64) = (0x0101_0101_0101_0101, 0x8080_8080_8080_8080)
        var place = 0
        // A zero byte is found by the borrow that subtracting one takes from it, DEL by adding one.
        while place + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let backslash = word ^ (ones &* 0x5C)
            let found =
                (backslash &- ones) & ~backslash | (word &- (ones &* 0x20)) & ~word
                | (word &+ ones) | word
            if found & highs != 0 { return false }
            place += 8
        }
        while place < bytes.count {
            let byte = bytes[place]
            if byte &- 0x20 >= 0x5F || byte == UInt8(ascii: "\\") { return false }
            place += 1
        }
        return true
    }
}
