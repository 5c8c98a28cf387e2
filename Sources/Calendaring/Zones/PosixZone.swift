/// POSIX `TZ` texts (POSIX.1-2017 section 8.3): `CET-1CEST,M3.5.0,M10.5.0/3`. GLib reads them;
/// here is decided which texts are handed to it.
enum PosixZone {
    /// True for a text with both rules, and for one without clock changes whose name is in angle
    /// brackets: nothing else looks like them, so they may stand for a name.
    static func isComplete(_ text: String) -> Bool {
        if text.first == "<", !text.contains(",") {
            var rest = text[...]
            return text.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "<>+-:".contains($0))
            }
                && takeZone(&rest)?.west != nil && rest.isEmpty
        }
        return text.utf8.lazy.filter { $0 == UInt8(ascii: ",") }.count == 2 && isPlausible(text)
    }

    /// The text with what GLib needs: a zone with summer time but without rules gets those that
    /// the C library assumes (the United States').
    static func completed(_ text: String) -> String? {
        guard isPlausible(text) else { return nil }
        let names = text.split { !$0.isLetter }.filter { $0.utf8.count >= 3 }
        return names.count == 2 && !text.contains(",") ? text + ",M3.2.0,M11.1.0" : text
    }

    /// `UTC+2`, `GMT-5` and the like mean the opposite to POSIX and to people; the names that
    /// tzdata has for whole hours are offered instead.
    static func fixedOffsetName(_ text: String) -> String? {
        let upper = text.uppercased()
        var rest = Substring(upper)
        for name in ["UTC", "GMT"] where rest.hasPrefix(name) { rest = rest.dropFirst(3) }
        guard let sign = rest.first, sign == "+" || sign == "-" else { return nil }
        let digits = rest.dropFirst().split(separator: ":").first ?? ""
        guard let hours = Int(digits.prefix(2)), (1...12).contains(hours) else { return nil }
        return "Etc/GMT" + (sign == "+" ? "-" : "+") + String(hours)
    }

    /// The same zone told the other way round when its “daylight” time is behind its standard time
    /// (`IST-1GMT0,M10.5.0,M3.5.0/1` = `GMT0IST-1,M3.5.0/1,M10.5.0`): GLib misreads the former.
    /// `nil` for every other text.
    static func swapped(_ text: String) -> String? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var rest = parts[0]
        let (standard, daylight) = (takeZone(&rest), takeZone(&rest))
        guard let standard, let daylight, rest.isEmpty, let own = daylight.west,
            let usual = standard.west, own > usual
        else { return nil }
        return daylight.text + standard.text + "," + parts[2] + "," + parts[1]
    }

    /// A name with the offset after it: its text, and seconds west of Greenwich if it gives any.
    private static func takeZone(_ rest: inout Substring) -> (text: String, west: Int?)? {
        let start = rest
        if rest.first == "<" {
            guard let end = rest.firstIndex(of: ">") else { return nil }
            rest = rest[rest.index(after: end)...]
        } else {
            rest = rest.drop { $0.isLetter }
        }
        let offset = rest.prefix { "+-:0123456789".contains($0) }
        rest = rest[offset.endIndex...]
        let numbers = offset.split { !$0.isNumber }.compactMap { Int($0) }
        let seconds = zip(numbers, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        let west = offset.isEmpty ? nil : offset.hasPrefix("-") ? -seconds : seconds
        return (String(start[..<rest.startIndex]), west)
    }

    private static func isPlausible(_ text: String) -> Bool {
        guard let first = text.unicodeScalars.first,
            first == "<" || first.isASCII && first.properties.isAlphabetic
        else { return false }
        return text.utf8.contains { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
