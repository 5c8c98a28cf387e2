import Foundation
import Testing

@testable import RemindCore

@Suite("docs/phrases.md")
struct PhrasesDocumentTests {
    /// What stands between backticks in lines for which a condition holds.
    private func quoted(where isMeant: (Substring) -> Bool) throws -> [String] {
        let url = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../../docs/phrases.md")
        let text = try String(contentsOf: url.standardized, encoding: .utf8)
        return text.split(separator: "\n").filter(isMeant).flatMap { line in
            line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
    }

    @Test("Every phrase of its tables is understood")
    func tables() throws {
        // Named in the text about zones, as what a time has behind it, and as what is refused.
        let others = ["UTC", "9:00-10:00"]
        let phrases = try quoted { $0.hasPrefix("| ") }.filter { !others.contains($0) }
        #expect(phrases.count > 60)
        for phrase in phrases {
            #expect(throws: Never.self, "\(phrase)") { try context().understand(phrase) }
        }
    }

    @Test("What it says is refused is refused, with something to say instead")
    func refusals() throws {
        let phrases = try quoted { $0.hasPrefix("What means different") || $0.hasPrefix("`twice") }
        #expect(phrases.count >= 5)
        for phrase in phrases {
            let error = #expect(throws: PhraseError.self, "\(phrase)") {
                try context().understand(phrase)
            }
            #expect(error?.suggestions.first?.phrase.hasPrefix("tomorrow 9:00") == false)
        }
    }
}
