import VarlinkWire

/// A JSON text that has been looked through once: which values it has, where they stand, and which
/// is within which. What they say is read when it is asked for, from the bytes.
///
/// Brackets, commas, words and the ends of strings are checked at once; what an escape or a number
/// says where it is read (`string`, `integer`). A comma behind the last element is noted, for those
/// who must not take it.
final class JSONDocument: Sendable {
    enum Fault: Error, Equatable {
        case notUTF8
        /// Objects and arrays within the outermost value are nested more than
        /// `JSONScan.depthLimit` deep.
        case tooDeep
        case malformed
    }

    enum Kind: UInt8, Sendable {
        case object, array, string, number, `true`, `false`, null
    }

    /// A value, or the name of a member. Those of a container follow it: of an object, name and value
    /// in turn.
    struct Value: Sendable {
        let kind: Kind
        /// Of a string: there is nothing in it but its text. Of a container: its last element has no
        /// comma behind it.
        var isPlain: Bool
        /// Its first byte, and the one after its last.
        let start: UInt32
        var end: UInt32
        /// Where the next value is that is not within this one.
        var next: UInt32
    }

    /// The place of a member's name; that of its value is the next one.
    struct Members: Sequence, IteratorProtocol {
        fileprivate let values: [Value]
        fileprivate var place: Int
        fileprivate let end: Int

        mutating func next() -> (name: Int, value: Int)? {
            guard place < end else { return nil }
            defer { place = Int(values[place + 1].next) }
            return (place, place + 1)
        }
    }

    /// The places of an array's elements.
    struct Elements: Sequence, IteratorProtocol {
        fileprivate let values: [Value]
        fileprivate var place: Int
        fileprivate let end: Int

        mutating func next() -> Int? {
            guard place < end else { return nil }
            defer { place = Int(values[place].next) }
            return place
        }
    }

    let bytes: [UInt8]
    private let values: [Value]

    /// The whole text is the value at the place 0. O(bytes).
    init(_ bytes: [UInt8]) throws(Fault) {
        guard Self.isUTF8(bytes), bytes.count < Int(UInt32.max) else { throw .notUTF8 }
        self.bytes = bytes
        values = try bytes.withUnsafeBufferPointer { text throws(Fault) in
            try JSONStructure.values(of: text)
        }
    }

    private init(emptyObject bytes: [UInt8]) {
        self.bytes = bytes
        let end = UInt32(bytes.count)
        values = [Value(kind: .object, isPlain: true, start: 0, end: end, next: 1)]
    }

    static let emptyObject = JSONDocument(emptyObject: Array("{}".utf8))

    private static func isUTF8(_ bytes: [UInt8]) -> Bool {
        var all: UInt8 = 0
        for byte in bytes { all |= byte }
        return all < 0x80 || String(validating: bytes, as: UTF8.self) != nil
    }

    subscript(place: Int) -> Value { values[place] }

    func kind(_ place: Int) -> Kind { values[place].kind }

    /// The bytes of a value.
    func text(_ place: Int) -> ArraySlice<UInt8> { bytes[range(place)] }

    func members(of place: Int) -> Members {
        Members(values: values, place: place + 1, end: Int(values[place].next))
    }

    func elements(of place: Int) -> Elements {
        Elements(values: values, place: place + 1, end: Int(values[place].next))
    }

    private func range(_ place: Int) -> Range<Int> {
        Int(values[place].start)..<Int(values[place].end)
    }
}

/// What values say.
extension JSONDocument {
    /// The text of the string or name at this place.
    /// - Throws: `malformed` for what is none: an unknown escape, a lone surrogate, a control
    ///   character that is not escaped.
    func string(_ place: Int) throws(Fault) -> String {
        if values[place].isPlain { return plainText(place) }
        guard !text(place).contains(where: { $0 < 0x20 }) else { throw .malformed }
        return try unchecked(place)
    }

    /// The name of a member, whose control characters are nobody's affair: it must be a known one.
    func name(_ place: Int) throws(Fault) -> String {
        values[place].isPlain ? plainText(place) : try unchecked(place)
    }

    /// Whether the name at this place is `name`.
    func isName(_ place: Int, _ name: String) -> Bool {
        guard values[place].isPlain else { return (try? string(place)) == name }
        let start = Int(values[place].start) + 1
        let count = Int(values[place].end) - 1 - start
        var name = name
        return name.withUTF8 { name in
            guard name.count == count else { return false }
            for index in 0..<count where name[index] != bytes[start + index] { return false }
            return true
        }
    }

    private func plainText(_ place: Int) -> String {
        String(decoding: text(place).dropFirst().dropLast(), as: UTF8.self)
    }

    private func unchecked(_ place: Int) throws(Fault) -> String {
        do {
            return try JSONScan.string(of: bytes, at: range(place))
        } catch {
            throw .malformed
        }
    }
}
