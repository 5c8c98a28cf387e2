import Foundation
import Testing

@testable import RemindCore

/// One line of Cases/phrases.jsonl.
struct PhraseCase: Decodable, Sendable, CustomTestStringConvertible {
    let phrase: String
    let due: String?
    let dateOnly: Bool?
    let error: Bool?
    let past: Bool?
    let suggests: String?
    let occurrences: [String]?
    let note: String?

    var testDescription: String { "‘\(phrase)’" }

    static let all: [PhraseCase] = {
        let url = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../Cases/phrases.jsonl")
        guard let text = try? String(contentsOf: url.standardized, encoding: .utf8) else {
            return []
        }
        // The first line says how to read the others.
        return text.split(separator: "\n").dropFirst().compactMap {
            try? JSONDecoder().decode(PhraseCase.self, from: Data($0.utf8))
        }
    }()
}

@Suite("The table of phrases, on Wednesday 2024-05-01 at 10:30 in Berlin")
struct PhraseTableTests {
    @Test("The table is read whole")
    func whole() { #expect(PhraseCase.all.count == 157) }

    @Test(
        "A phrase means what the table says",
        arguments: PhraseCase.all.filter { $0.due != nil })
    func meaning(of row: PhraseCase) throws {
        let context = try context()
        let understanding = try context.understand(row.phrase)
        #expect(understanding.deadline.isDateOnly == row.dateOnly)
        if row.dateOnly == true {
            #expect(understanding.deadline.short == row.due)
        } else {
            #expect(understanding.instant == row.due.flatMap { Instant(rfc3339: $0) })
        }
        if row.note?.contains("answered with a note") == true {
            #expect(!understanding.notes.isEmpty)
        }
        #expect(understanding.recurrence == nil)
    }

    /// The further occurrences are the business of whoever expands the RRULE.
    @Test(
        "A rule starts with the first occurrence of the table",
        arguments: PhraseCase.all.filter { $0.occurrences != nil })
    func start(of row: PhraseCase) throws {
        let understanding = try context().understand(row.phrase)
        let first = try #require(row.occurrences?.first)
        #expect(understanding.deadline.isDateOnly == row.dateOnly)
        if row.dateOnly == true {
            #expect(understanding.deadline.short == first)
        } else {
            #expect(understanding.instant == Instant(rfc3339: first))
        }
        let recurrence = try #require(understanding.recurrence)
        #expect(recurrence.start == understanding.deadline)
        let isEnded =
            recurrence.rule.rrule.contains("COUNT=")
            || recurrence.rule.rrule.contains("UNTIL=")
        #expect(isEnded == row.phrase.contains("until") || row.phrase.contains("times"))
    }

    @Test(
        "A phrase is refused where the table says so",
        arguments: PhraseCase.all.filter { $0.error == true })
    func refusal(of row: PhraseCase) throws {
        let context = try context()
        let error = try #require(throws: PhraseError.self) { try context.understand(row.phrase) }
        #expect(error.isPast == (row.past ?? false))
        if let suggests = row.suggests {
            #expect(try #require(error.hint).contains(suggests))
        }
        #expect(!error.suggestions.isEmpty)
        for suggestion in error.suggestions {
            #expect(suggestion.meaning != nil)
            #expect(throws: Never.self) { try context.understand(suggestion.phrase) }
        }
    }
}
