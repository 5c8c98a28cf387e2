import Testing

@testable import RemindCLI

@Suite("Lines on a narrow terminal")
struct WrappingTests {
    @Test("A line breaks between words, and what follows is further in")
    func breaks() {
        let lines = "  It will ring tomorrow at nine".wrapped(toCells: 16)
        #expect(lines == ["  It will ring", "    tomorrow at", "    nine"])
    }

    @Test("What fits, and what goes to no terminal, stays as it is")
    func stays() {
        #expect("It will  ring".wrapped(toCells: 13) == ["It will  ring"])
        #expect("It will  ring".wrapped(toCells: nil) == ["It will  ring"])
    }

    @Test("A word that is too wide stands alone")
    func wideWord() {
        #expect("a /very/long/path b".wrapped(toCells: 8) == ["a", "  /very/long/path", "  b"])
    }

    @Test("Words of other programs lead to the option that is meant")
    func synonyms() throws {
        for (word, option) in [("--due", "--at"), ("--on", "--at"), ("--repeat", "--every")] {
            let failure = #expect(throws: Failure.self) {
                _ = try ArgumentParser.parse(["add", "Tea", word, "friday"])
            }
            #expect(failure?.hint == "Say \(option); see remindctl help add")
        }
        let failure = #expect(throws: Failure.self) {
            _ = try ArgumentParser.parse(["list", "--today"])
        }
        #expect(failure?.hint?.hasPrefix("remindctl list --upcoming") == true)
    }
}
