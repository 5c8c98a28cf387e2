/// Values of vCalendar 1.0 (1996, sections 2.1.3 and 2.1.5), which some programs write still:
/// `SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Caf=E9`.
enum OldEncodings {
    /// What the parameters of a line say; most lines have none of them.
    private struct Form {
        var isQuoted = false
        /// Upper case; `nil`: UTF-8.
        var charset: String?
    }

    /// Whether the line goes on behind the line end: a soft line break (RFC 2045 section 6.7).
    static func goesOn(_ line: [UInt8]) -> Bool {
        line.last == UInt8(ascii: "=") && head(of: line)?.form.isQuoted == true
    }

    /// The line as iCalendar has it; `nil` when it is that already.
    static func modern(_ line: [UInt8]) -> [UInt8]? {
        guard let head = head(of: line) else { return nil }
        let raw = line[(head.colon + 1)...]
        let bytes = head.form.isQuoted ? unquoted(raw) : Array(raw)
        let value = decoded(bytes, head.form.charset)
        // A line end in it is one of the text; escapes are as in iCalendar.
        let text = value.replacingLineEnds
        return Array((head.kept.joined(separator: ";") + ":" + text).utf8)
    }

    /// What stands before the value: where it ends, what iCalendar knows of it, and the rest.
    ///
    /// - Returns: `nil` when iCalendar knows all of it.
    private static func head(
        of line: [UInt8]
    ) -> (colon: Int, kept: [Substring], form: Form)? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let semicolon = line.firstIndex(of: UInt8(ascii: ";")), semicolon < colon
        else { return nil }
        guard mayBeOld(line[..<colon]) else { return nil }
        var (kept, form) = ([Substring](), Form())
        for part in String(decoding: line[..<colon], as: UTF8.self).split(separator: ";") {
            if !take(part.uppercased(), &form) { kept.append(part) }
        }
        return form.isQuoted || form.charset != nil ? (colon, kept, form) : nil
    }

    /// Quick, as every line with a parameter comes by.
    private static func mayBeOld(_ head: ArraySlice<UInt8>) -> Bool {
        contains(head, "QUOTED-PRINTABLE") || contains(head, "CHARSET=")
    }

    /// - Parameter word: upper case.
    private static func contains(_ head: ArraySlice<UInt8>, _ word: StaticString) -> Bool {
        let word = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
        guard head.count >= word.count else { return false }
        return head.withUnsafeBufferPointer { head in
            (0...(head.count - word.count)).contains { start in
                word.indices.allSatisfy { place in
                    let byte = head[start + place]
                    return byte == word[place] || byte & 0xDF == word[place] && byte >= 0x61
                }
            }
        }
    }

    private static func take(_ part: String, _ form: inout Form) -> Bool {
        switch part {
        case "QUOTED-PRINTABLE", "ENCODING=QUOTED-PRINTABLE": form.isQuoted = true
        case _ where part.hasPrefix("CHARSET="): form.charset = String(part.dropFirst(8))
        default: return false
        }
        return true
    }

    private static func unquoted(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        func digit(_ place: Int) -> UInt8? {
            guard place < bytes.endIndex else { return nil }
            return UInt8(String(UnicodeScalar(bytes[place])), radix: 16)
        }
        var (result, place) = ([UInt8](), bytes.startIndex)
        while place < bytes.endIndex {
            if bytes[place] == UInt8(ascii: "="), let high = digit(place + 1),
                let low = digit(place + 2)
            {
                result.append(high << 4 | low)
                place += 3
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }

    private static func decoded(_ bytes: [UInt8], _ charset: String?) -> String {
        switch charset {
        case "ISO-8859-1", "LATIN1", "ISO-8859-15", "WINDOWS-1252", "CP1252":
            var scalars = String.UnicodeScalarView()
            for byte in bytes { scalars.append(western(byte, charset)) }
            return String(scalars)
        default: return String(decoding: bytes, as: UTF8.self)
        }
    }

    private static func western(_ byte: UInt8, _ charset: String?) -> UnicodeScalar {
        if charset == "ISO-8859-15", byte == 0xA4 { return "€" }
        guard (0x80..<0xA0).contains(byte), charset?.hasSuffix("1252") == true else {
            return UnicodeScalar(byte)
        }
        return windows[Int(byte) - 0x80]
    }

    /// 0x80 to 0x9F of Windows-1252 (<https://encoding.spec.whatwg.org/#windows-1252>).
    private static let windows: [UnicodeScalar] = [
        "€", "\u{81}", "‚", "ƒ", "„", "…", "†", "‡", "ˆ", "‰", "Š", "‹", "Œ", "\u{8D}", "Ž",
        "\u{8F}",
        "\u{90}", "‘", "’", "“", "”", "•", "–", "—", "˜", "™", "š", "›", "œ", "\u{9D}", "ž", "Ÿ",
    ]
}

extension String {
    /// CRLF, CR and LF as `\n` of iCalendar.
    fileprivate var replacingLineEnds: String {
        var (result, last) = (String.UnicodeScalarView(), UnicodeScalar(0))
        for scalar in unicodeScalars {
            switch scalar {
            case "\n" where last == "\r": break
            case "\n", "\r": result.append(contentsOf: ["\\", "n"])
            default: result.append(scalar)
            }
            last = scalar
        }
        return String(result)
    }
}
