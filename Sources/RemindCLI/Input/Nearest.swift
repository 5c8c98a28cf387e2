/// The word that was probably meant.
enum Nearest {
    /// The candidate that is nearest to `word`: it begins with it, or a few slips of the finger
    /// away from it; `nil` when none is near.
    static func match(_ word: String, among candidates: some Sequence<String>) -> String? {
        let word = word.lowercased()
        let allowed = word.utf8.count <= 4 ? 1 : 2
        var best: (distance: Int, candidate: String)?
        for candidate in candidates {
            let distance =
                word.utf8.count >= 2 && candidate.hasPrefix(word)
                ? 0 : Self.distance(Array(word.utf8), Array(candidate.utf8))
            guard distance <= allowed, distance < candidate.utf8.count else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
        }
        return best?.candidate
    }

    /// Insertions, deletions, replacements and swaps of neighbours that make one the other
    /// (optimal string alignment). O(left × right).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (older, previous) = ([Int](), Array(0...right.count))
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let cost = left[row] == right[column] ? 0 : 1
                var least = min(
                    previous[column + 1] + 1, current[column] + 1, previous[column] + cost)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    least = min(least, older[column - 1] + 1)
                }
                current.append(least)
            }
            (older, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
