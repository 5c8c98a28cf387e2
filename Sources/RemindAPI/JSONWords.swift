/// Names and words compared where they stand: no text is made of them.
extension JSONReader {
    /// A string as its bytes; one with escapes in it equals nothing.
    struct Word {
        fileprivate let bytes: [UInt8]
        fileprivate let range: Range<Int>

        static func ~= (text: StaticString, word: Word) -> Bool {
            guard text.utf8CodeUnitCount == word.range.count else { return false }
            return word.bytes.withUnsafeBufferPointer { bytes in
                for index in 0..<word.range.count
                where text.utf8Start[index] != bytes[word.range.lowerBound + index] {
                    return false
                }
                return true
            }
        }
    }

    mutating func word() throws(Fault) -> Word {
        skipBlanks()
        let start = place
        try skipString()
        return Word(bytes: bytes, range: start + 1..<place - 1)
    }

    /// As `object`, with the names as words.
    /// - Throws: `Fault`.
    mutating func fields(_ body: (Word, inout JSONReader) throws(Fault) -> Void) throws(Fault) {
        try list(from: "{", to: "}") { reader throws(Fault) in
            let name = try reader.word()
            try reader.take(":")
            reader.skipBlanks()
            let before = reader.place
            try body(name, &reader)
            if reader.place == before { try reader.skipValue(depth: 0) }
        }
    }
}
