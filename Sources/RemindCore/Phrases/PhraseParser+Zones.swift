/// Zones: `Z`, `UTC`, `+02:00`, `UTC+2`, an IANA name.
extension PhraseParser {
    /// Reads a zone; call it only where a time has just been read.
    mutating func zone() throws(PhraseError) -> ZoneSyntax? {
        switch current.kind {
        case .sign("+"): return try offset()
        case .sign("-"):
            guard isBehindTimestamp else { throw refusedRange() }
            return try offset()
        case .word(.utc): return try utc()
        case .unknown, .word(.pt): return isExceptionAhead ? nil : try namedZone()
        case .word where isNameRun: return try namedZone()
        default: return nil
        }
    }

    /// The time before the sign stands in a timestamp: behind a `T`, or with its seconds behind a
    /// date (RFC 3339 section 5.6). Elsewhere `9:00-10:00` is a range, not a time with an offset.
    private var isBehindTimestamp: Bool {
        guard current.isGlued else { return false }
        var colons = 0
        for place in stride(from: index - 1, through: 0, by: -1) {
            switch tokens[place].kind {
            case .word(.t): return true
            case .sign(":"): colons += 1
            case .number, .sign("."): break
            default: return false
            }
            guard !tokens[place].isGlued else { continue }
            guard colons == 2, place > 1, case .number = tokens[place - 1].kind else {
                return false
            }
            return tokens[place - 2].kind == .sign("-")
        }
        return false
    }

    private func refusedRange() -> PhraseError {
        if let refusal = spacedDate() { return refusal }
        let place = runRange(from: index)
        return refuse(
            "‘\(typed(place))’ is not clear behind a time: a reminder has one time, and an offset "
                + "stands behind ‘UTC’.",
            at: place, instead: ["", " UTC" + typed(place)])
    }

    /// A known word can begin a name: `Mar/…` is not a month.
    private var isNameRun: Bool { isSign("/", at: 1) && gluedNumber(at: 2) == nil }

    private mutating func utc() throws(PhraseError) -> ZoneSyntax? {
        if isNameRun { return try namedZone() }
        advance()
        guard current.isGlued, isSign("+") || isSign("-") else { return .offset(0) }
        return try offset(allowsOneDigit: true)
    }

    /// `+02:00`, `+0200`, `+02`; the hours of `UTC+2` may have one digit.
    private mutating func offset(allowsOneDigit: Bool = false) throws(PhraseError) -> ZoneSyntax {
        let start = index
        let sign = current.kind == .sign("-") ? -1 : 1
        advance()
        guard case .number(let value, let digits) = current.kind, current.isGlued else {
            throw badOffset(from: start)
        }
        advance()
        var (hours, minutes) = digits == 4 ? (value / 100, value % 100) : (value, 0)
        if digits <= 2, isSign(":") {
            guard let (value, digits) = gluedNumber(at: 1), digits == 2 else {
                throw badOffset(from: start)
            }
            minutes = value
            advance(2)
        }
        guard digits == 2 || digits == 4 || digits == 1 && allowsOneDigit, hours <= 15,
            minutes < 60, !isGluedToMore
        else { throw badOffset(from: start) }
        hours *= 60
        return .offset(sign * (hours + minutes) * 60)
    }

    /// `+02:00:00`, `+02h`: something that is no offset goes on.
    private var isGluedToMore: Bool {
        guard current.isGlued else { return false }
        switch current.kind {
        case .end, .sign(","), .sign("@"), .word(.t): return false
        default: return true
        }
    }

    private func badOffset(from start: Int) -> PhraseError {
        let place = runRange(from: start)
        return refuse(
            "‘\(typed(place))’ is not an offset from UTC: say hours and minutes.", at: place,
            instead: typed(place).hasPrefix("-") ? ["", "-05:00"] : ["+02:00", " +02:00"])
    }

    private mutating func namedZone() throws(PhraseError) -> ZoneSyntax? {
        let place = runRange(from: index)
        let name = typed(place)
        if let zones = ZoneAbbreviations.meanings(of: name) {
            throw refuse(ZoneAbbreviations.reason(name), at: place, instead: zones)
        }
        while !isAtEnd, current.range.lowerBound < place.upperBound { advance() }
        return .named(name, range: place)
    }
}

/// Abbreviations of zones, which are not unique and name only half of a year, with the IANA zones
/// that each could mean.
package enum ZoneAbbreviations {
    package static func meanings(of name: String) -> [String]? { table[name.uppercased()] }

    package static func reason(_ name: String) -> String {
        "‘\(name)’ is not clear: it is short for several zones, or for half of the year."
    }

    private static let table: [String: [String]] = [
        "AFT": ["Asia/Kabul"], "AMT": ["America/Manaus", "Asia/Yerevan"], "AZT": ["Asia/Baku"],
        "BDT": ["Asia/Dhaka"], "BRST": ["America/Sao_Paulo"], "CHST": ["Pacific/Guam"],
        "CLST": ["America/Santiago"], "CLT": ["America/Santiago"], "HDT": ["America/Adak"],
        "ICT": ["Asia/Bangkok"], "IRST": ["Asia/Tehran"], "MYT": ["Asia/Kuala_Lumpur"],
        "NPT": ["Asia/Kathmandu"], "SST": ["Pacific/Pago_Pago"], "VET": ["America/Caracas"],
        "VLAT": ["Asia/Vladivostok"], "WIT": ["Asia/Jayapura"], "WITA": ["Asia/Makassar"],
        "YEKT": ["Asia/Yekaterinburg"],
        "ACDT": ["Australia/Adelaide"], "ACST": ["Australia/Adelaide", "Australia/Darwin"],
        "ADT": ["America/Halifax"], "AEDT": ["Australia/Sydney", "Australia/Melbourne"],
        "AEST": ["Australia/Sydney", "Australia/Brisbane"], "AKDT": ["America/Anchorage"],
        "AKST": ["America/Anchorage"], "ART": ["America/Argentina/Buenos_Aires"],
        "AST": ["America/Halifax", "Asia/Riyadh"], "AWST": ["Australia/Perth"],
        "BRT": ["America/Sao_Paulo"], "BST": ["Europe/London", "Asia/Dhaka"],
        "CAT": ["Africa/Maputo"], "CDT": ["America/Chicago", "America/Havana"],
        "CEST": ["Europe/Berlin", "Europe/Paris", "Europe/Rome"],
        "CET": ["Europe/Berlin", "Europe/Paris", "Europe/Rome"],
        "CST": ["America/Chicago", "Asia/Shanghai", "America/Havana"],
        "CT": ["America/Chicago"], "EAT": ["Africa/Nairobi"],
        "EDT": ["America/New_York", "America/Toronto"],
        "EEST": ["Europe/Athens", "Europe/Helsinki"],
        "EET": ["Europe/Athens", "Europe/Helsinki", "Africa/Cairo"],
        "EST": ["America/New_York", "America/Toronto", "America/Panama"],
        "ET": ["America/New_York"], "GST": ["Asia/Dubai"], "HKT": ["Asia/Hong_Kong"],
        "HST": ["Pacific/Honolulu"], "IDT": ["Asia/Jerusalem"],
        "IST": ["Asia/Kolkata", "Europe/Dublin", "Asia/Jerusalem"], "JST": ["Asia/Tokyo"],
        "KST": ["Asia/Seoul"], "MDT": ["America/Denver"], "MET": ["Europe/Berlin"],
        "MEST": ["Europe/Berlin"], "MESZ": ["Europe/Berlin"], "MEZ": ["Europe/Berlin"],
        "MSK": ["Europe/Moscow"], "MST": ["America/Denver", "America/Phoenix"],
        "MT": ["America/Denver"], "NDT": ["America/St_Johns"], "NST": ["America/St_Johns"],
        "NZDT": ["Pacific/Auckland"], "NZST": ["Pacific/Auckland"],
        "PDT": ["America/Los_Angeles", "America/Vancouver"], "PHT": ["Asia/Manila"],
        "PKT": ["Asia/Karachi"],
        "PST": ["America/Los_Angeles", "America/Vancouver", "Asia/Manila"],
        "PT": ["America/Los_Angeles"], "SAST": ["Africa/Johannesburg"],
        "SGT": ["Asia/Singapore"], "TRT": ["Europe/Istanbul"], "WAT": ["Africa/Lagos"],
        "WEST": ["Europe/Lisbon"], "WET": ["Europe/Lisbon"], "WIB": ["Asia/Jakarta"],
    ]
}
