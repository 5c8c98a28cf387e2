/// Dates in forms that are not taken, refused with the day that they are: `2024 05 10`, `10. 5. 2024`,
/// `10 / 5 / 2024`, `2024-may-10`, `May-10-2024`.
extension PhraseParser {
    /// The refusal of such a date that begins here or just before.
    func spacedDate() -> PhraseError? {
        for start in [index - 1, index] where start >= 0 {
            guard let (parts, sign, end) = dateParts(from: start) else { continue }
            let place = tokens[start].range.lowerBound..<tokens[end].range.upperBound
            let dates = dates(parts, sign)
            guard !dates.isEmpty else { continue }
            return refuse(
                "‘\(typed(place))’ is not how a date is written here.", at: place, instead: dates)
        }
        return nil
    }

    private enum DatePart { case number(Int, digits: Int), month(Int) }

    /// Three numbers, or two and a month, with at most one and the same sign between them.
    private func dateParts(from start: Int) -> ([DatePart], Unicode.Scalar?, end: Int)? {
        var (parts, signs): ([DatePart], Set<Unicode.Scalar>) = ([], [])
        var place = start
        while place < tokens.count {
            switch tokens[place].kind {
            case .number(let value, let digits): parts.append(.number(value, digits: digits))
            case .word(.month(let month)): parts.append(.month(month))
            default: return nil
            }
            if parts.count == 3 { return signs.count > 1 ? nil : (parts, signs.first, place) }
            place += 1
            guard place < tokens.count else { return nil }
            if case .sign(let sign) = tokens[place].kind, "./-".unicodeScalars.contains(sign) {
                signs.insert(sign)
                place += 1
            }
        }
        return nil
    }

    private func dates(_ parts: [DatePart], _ sign: Unicode.Scalar?) -> [String] {
        switch (parts[0], parts[1], parts[2]) {
        case (.number(let year, 4), .number(let month, 1...2), .number(let day, 1...2)),
            (.number(let year, 4), .month(let month), .number(let day, 1...2)),
            (.month(let month), .number(let day, 1...2), .number(let year, 4)):
            return CivilDate(year: year, month: month, day: day).map { [$0.iso8601] } ?? []
        case (.number(let first, 1...2), .number(let second, 1...2), .number(let year, 4)):
            // With dots the day comes first.
            return Array(readings(first, second, year).prefix(sign == "." ? 1 : 2))
        default: return []
        }
    }
}
