/// Finds the words that a misspelt one was probably meant to be.
package enum Spelling {
    /// The name that is nearest to `typed`, whatever the case of the letters: at most two slips
    /// away (one for short names); `nil` when none is near.
    package static func nearest(to typed: String, among names: [String]) -> String? {
        let letters = Array(typed.lowercased().utf8)
        guard letters.count <= 40 else { return nil }
        let limit = letters.count < 5 ? 1 : 2
        let near = names.map { (name: $0, slips: slips(letters, Array($0.lowercased().utf8))) }
        return near.filter { $0.slips <= limit }.min { $0.slips < $1.slips }?.name
    }

    /// Words of the vocabulary at most two slips away (one for short words), the nearest first.
    static func near(_ word: String) -> [String] {
        let typed = Array(word.lowercased().utf8)
        guard (3...16).contains(typed.count), Vocabulary.meaning(of: word.lowercased()) == nil
        else { return [] }
        let limit = typed.count < 5 ? 1 : 2
        var found: [(word: String, slips: Int)] = []
        for (word, letters) in candidates where abs(letters.count - typed.count) <= limit {
            let slips = slips(typed, letters)
            if slips <= limit { found.append((word, slips)) }
        }
        return found.sorted { ($0.slips, $0.word) < ($1.slips, $1.word) }.prefix(3).map(\.word)
    }

    private static let candidates = Vocabulary.all.filter { $0.utf8.count > 2 }
        .map { (word: $0, letters: Array($0.utf8)) }

    /// Letters added, left out, replaced or swapped with their neighbour.
    private static func slips(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (twoBack, previous) = ([Int](), Array(0...right.count))
        for i in left.indices {
            var row = [i + 1]
            row.reserveCapacity(right.count + 1)
            for j in right.indices {
                var best = min(row[j] + 1, previous[j + 1] + 1)
                best = min(best, previous[j] + (left[i] == right[j] ? 0 : 1))
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    best = min(best, twoBack[j - 1] + 1)
                }
                row.append(best)
            }
            (twoBack, previous) = (previous, row)
        }
        return previous[right.count]
    }
}
