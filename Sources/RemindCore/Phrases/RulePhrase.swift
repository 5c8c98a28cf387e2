package struct RulePhrase: Hashable, Sendable {
}
extension PhraseParser {
    mutating func rule(impliesEvery: Bool) throws(PhraseError) -> RulePhrase {
        throw notUnderstood()
    }
}
extension Resolver {
    func understanding(of rule: RulePhrase, from: Deadline?) throws(PhraseError) -> Understanding {
        throw beyondCalendar()
    }
}
