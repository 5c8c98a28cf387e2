import Foundation
import RemindCore
import Testing

@testable import Calendaring

@Suite("Rules: agreement with python-dateutil")
struct RandomRuleTests {
    /// One line of `Fixtures/random_rules.txt`; its generator describes the form.
    private struct Line {
        let rule: String
        let start: CivilDateTime
        let more: Bool
        let expected: [Int64]

        init(_ text: Substring) throws {
            let words = text.split(separator: " ")
            rule = String(words[0])
            start = try civil(String(words[1]))
            more = words[2] == "+"
            var position = start.secondsSinceEpoch
            var found: [Int64] = []
            for word in words.dropFirst(3) {
                let pair = word.split(separator: "*")
                let step = try #require(Int64(pair[0], radix: 36))
                for _ in 0..<(pair.count > 1 ? Int(pair[1]) ?? 0 : 1) {
                    position += step
                    found.append(position)
                }
            }
            expected = found
        }
    }

    @Test("the first 50 occurrences of 1,000 random rules are the same")
    func firstOccurrences() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/random_rules.txt")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 1000)
        let schedule = try schedule("UTC")
        var wrong: [String] = []
        for text in lines {
            let line = try Line(text)
            let series = try schedule.series(
                of: Recurrence(
                    rule: RecurrenceRule(rrule: line.rule), start: .floating(line.start)))
            var found: [Int64] = []
            var position = line.start.secondsSinceEpoch
            while found.count < line.expected.count + (line.more ? 0 : 1),
                let next = series.first(from: position)
            {
                found.append(next)
                position = next + 1
            }
            if found != line.expected { wrong.append(String(text.prefix(150))) }
        }
        #expect(wrong.count == 0, "such as \(wrong.prefix(5).joined(separator: "\n"))")
    }
}
