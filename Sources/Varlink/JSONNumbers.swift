/// Numbers, exactly: what would be rounded is refused.
extension JSONDocument {
    /// The whole number at this place, also where it is written with a fraction of zeros or an
    /// exponent.
    /// - Throws: `malformed` when it is no number by RFC 8259 section 6, is none of these integers,
    ///   or is not whole.
    func integer<Number: FixedWidthInteger>(_ place: Int) throws(Fault) -> Number {
        let digits = text(place)
        guard JSONNumber.isNumber(digits) else { throw .malformed }
        let text = String(decoding: digits, as: UTF8.self)
        if let value = Number(text) { return value }
        guard let double = Double(text), let near = Number(exactly: double) else {
            throw .malformed
        }
        // Above, not every whole number has a Double of its own.
        if double.magnitude < 0x1p53 { return near }
        guard let whole = JSONNumber.whole(digits), let value = Number(whole) else {
            throw .malformed
        }
        return value
    }

    /// The nearest floating-point number.
    /// - Throws: `malformed` when it is no number, or larger or smaller than there are any.
    func floatingPoint<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ place: Int
    ) throws(Fault) -> Number {
        let digits = text(place)
        guard JSONNumber.isNumber(digits),
            let value = Number(String(decoding: digits, as: UTF8.self)), value.isFinite
        else { throw .malformed }
        let mantissa = digits.prefix { $0 | 0x20 != UInt8(ascii: "e") }
        let isZero = !mantissa.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        guard value != 0 || isZero else { throw .malformed }
        return value
    }
}

enum JSONNumber {
    static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// RFC 8259 section 6: `-? (0 | [1-9][0-9]*) (.[0-9]+)? ([eE][+-]?[0-9]+)?`.
    static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let isZero = rest.first == UInt8(ascii: "0")
        let whole = takeDigits(&rest)
        guard whole > 0, whole == 1 || !isZero else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard takeDigits(&rest) > 0 else { return false }
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") {
                rest.removeFirst()
            }
            guard takeDigits(&rest) > 0 else { return false }
        }
        return rest.isEmpty
    }

    private static func takeDigits(_ rest: inout ArraySlice<UInt8>) -> Int {
        let digits = rest.prefix(while: isDigit)
        rest = rest.dropFirst(digits.count)
        return digits.count
    }

    /// The digits of no integer are more.
    private static let mostDigits = 40

    /// A number that is whole, as digits without a point or an exponent; `nil` for another.
    static func whole(_ number: ArraySlice<UInt8>) -> String? {
        let parts = number.split(maxSplits: 1) { $0 | 0x20 == UInt8(ascii: "e") }
        let exponent = parts.count > 1 ? Int(String(decoding: parts[1], as: UTF8.self)) : 0
        guard let mantissa = parts.first, var exponent else { return nil }
        let pieces = mantissa.split(separator: UInt8(ascii: "."), maxSplits: 1)
        let fraction = pieces.count > 1 ? pieces[1] : []
        guard exponent.magnitude <= UInt.max / 4 else { return nil }
        exponent -= fraction.count
        var digits = Array(pieces[0] + fraction)
        while digits.last == UInt8(ascii: "0"), digits.count > 1 {
            digits.removeLast()
            exponent += 1
        }
        guard (0...mostDigits).contains(exponent) else { return nil }
        digits += [UInt8](repeating: UInt8(ascii: "0"), count: exponent)
        return String(decoding: digits, as: UTF8.self)
    }
}
