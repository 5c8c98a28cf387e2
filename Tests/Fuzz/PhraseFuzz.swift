// A libFuzzer harness for everything that reads a phrase: `make fuzz`.
//
// A trap is a finding: any bytes must be understood or refused, with suggestions that work.

/// A database of one zone: what is fuzzed is the parser, not tzdata.
private struct OneZone: ZoneDatabase {
    let local = FixedZone(identifier: "Europe/Berlin", seconds: 3600)

    func zone(named name: String) throws(UnknownZone) -> FixedZone {
        guard name == local.identifier else { throw UnknownZone(name: name, suggestions: []) }
        return local
    }
}

private let context = PhraseContext(now: Instant(seconds: 1_714_552_200), zones: OneZone())

@_cdecl("LLVMFuzzerTestOneInput")
func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let phrase = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    understand(phrase)
    check { () throws(PhraseError) in _ = try RuleText.parse(phrase) }
    check { () throws(PhraseError) in _ = try DurationPhrase.parse(phrase, allowsNegative: true) }
    return 0
}

private func understand(_ phrase: String) {
    do throws(PhraseError) {
        let understanding = try context.understand(phrase)
        let text = PhrasePrinter(zone: context.zone).text(understanding.deadline)
        precondition((try? context.understand(text)) != nil, "‘\(phrase)’ printed as ‘\(text)’")
    } catch {
        precondition(error.range.upperBound <= phrase.utf8.count && !error.suggestions.isEmpty)
        _ = error.caret
        for suggestion in error.suggestions {
            precondition((try? context.understand(suggestion.phrase)) != nil, suggestion.phrase)
        }
    }
}

private func check(_ parse: () throws(PhraseError) -> Void) {
    do throws(PhraseError) { try parse() } catch { precondition(!error.suggestions.isEmpty) }
}
