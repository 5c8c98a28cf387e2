/// Turns a stream of bytes into UTF-8: UTF-16 by its byte order mark, or by the NUL that its first
/// letter has beside it. Everything else goes through as it is.
struct InputEncoding {
    private enum Form {
        case unknown
        case plain
        case wide(isBig: Bool)
    }

    private var form = Form.unknown
    /// Bytes that wait for those behind them: one, or the two of a high surrogate.
    private var waiting: [UInt8] = []

    /// The text of the next bytes.
    mutating func decoded(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var all = waiting
        all.append(contentsOf: bytes)
        waiting = []
        if case .unknown = form {
            guard all.count > 1 else {
                waiting = all
                return []
            }
            form = Self.form(all[0], all[1])
        }
        guard case .wide(let isBig) = form else { return all }
        return decoded(wide: all, isBig)
    }

    /// What still waits at the end of the stream.
    mutating func rest() -> [UInt8] {
        defer { waiting = [] }
        switch form {
        case .wide: return waiting.isEmpty ? [] : Array("\u{FFFD}".utf8)
        case .unknown, .plain: return waiting
        }
    }

    private static func form(_ first: UInt8, _ second: UInt8) -> Form {
        switch (first, second) {
        case (0xFE, 0xFF): .wide(isBig: true)
        case (0xFF, 0xFE): .wide(isBig: false)
        case (0, 1...): .wide(isBig: true)
        case (1..., 0): .wide(isBig: false)
        default: .plain
        }
    }

    private mutating func decoded(wide bytes: [UInt8], _ isBig: Bool) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            units.append(isBig ? first << 8 | second : second << 8 | first)
        }
        var left = bytes.count % 2
        if let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
            left += 2
        }
        waiting = Array(bytes.suffix(left))
        if units.first == 0xFEFF { units.removeFirst() }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
