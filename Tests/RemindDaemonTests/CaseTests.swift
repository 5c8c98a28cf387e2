import Foundation
import RemindAPI
import RemindCore
import Testing
import Varlink

@testable import RemindDaemon

/// What users of other tools stumbled over, as phrases with the right answer (`Tests/Cases`).
@Suite("Phrases through the service")
struct CaseTests {
    struct Row: Decodable, Sendable, CustomTestStringConvertible {
        var phrase: String
        var due: String?
        var dateOnly: Bool?
        var error: Bool?
        var past: Bool?
        var suggests: String?
        var occurrences: [String]?
        var ends: Bool?

        var testDescription: String { phrase }
    }

    static let rows: [Row] = lines("phrases").dropFirst().map {
        (try? JSONDecoder().decode(Row.self, from: $0)) ?? Row(phrase: "unreadable row")
    }

    static func lines(_ name: String) -> [Data] {
        let file = URL(fileURLWithPath: #filePath).appendingPathComponent(
            "../../Cases/\(name).jsonl")
        let data = (try? Data(contentsOf: file.standardized)) ?? Data()
        return data.split(separator: UInt8(ascii: "\n")).map { Data($0) }
    }

    /// One engine for all rows of the table: explaining stores nothing.
    private static let berlin = try? World()

    @Test("The table is there")
    func table() { #expect(Self.rows.count > 150) }

    private func explained(
        _ phrase: String, now: String, zone: String, count: Int
    ) throws -> When.Reply {
        let world =
            try Self.berlin.flatMap { $0.stands(at: now, zone) ? $0 : nil }
            ?? World(now: now, zone: zone)
        var parameters = When.Parameters()
        (parameters.phrase, parameters.count) = (phrase, count)
        let bytes = try world.isolated { [parameters] in
            var json = JSONWriter()
            try $0.explain(parameters, to: &json)
            return json.bytes
        }
        return try JSON.decode(When.Reply.self, from: bytes)
    }

    /// Times compare as instants, dates as they are written.
    private func same(_ left: String, _ right: String) -> Bool {
        guard let first = Instant(rfc3339: left), let second = Instant(rfc3339: right) else {
            return left == right
        }
        return first == second
    }

    @Test("phrases.jsonl", arguments: rows)
    func phrase(row: Row) throws {
        let count = (row.occurrences?.count ?? 1) + (row.ends == true ? 1 : 0)
        let explain = {
            try explained(
                row.phrase, now: "2024-05-01T10:30:00+02:00", zone: "Europe/Berlin", count: count)
        }
        if row.error == true {
            let error = #expect(throws: APIError.self) { try explain() }
            #expect((error?.kind == .inThePast) == (row.past ?? false))
            if let suggests = row.suggests {
                #expect(error?.hint?.contains(suggests) == true)
            }
            return
        }
        let meaning = try explain()
        #expect(meaning.dateOnly == row.dateOnly)
        if let due = row.due { #expect(same(meaning.due, due), "\(meaning.due)") }
        if let expected = row.occurrences {
            #expect(meaning.occurrences.count == expected.count)
            for (found, wanted) in zip(meaning.occurrences, expected) {
                #expect(same(found, wanted), "\(found), not \(wanted)")
            }
        }
    }

    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        struct Input: Decodable, Sendable { var expressions: [String]? }
        struct Clock: Decodable, Sendable {
            var now: String
            var tz: String
        }
        struct Due: Decodable, Sendable { var utc: String }
        struct Result: Decodable, Sendable {
            var expr: String
            var due: Due?
            var error: Bool?
        }
        struct Outcome: Decodable, Sendable {
            var due: Due?
            var error: Bool?
        }
        struct Expect: Decodable, Sendable {
            var results: [Result]?
            var one_of: [Outcome]?
            var next_5: [Due]?
        }
        var id: String
        var input: Input
        var clock: Clock
        var expect: Expect

        var testDescription: String { id }
    }

    struct Kind: Decodable { var kind: String }

    static let cases: [Case] = lines("handout")
        .filter { (try? JSONDecoder().decode(Kind.self, from: $0))?.kind == "date-expr" }
        .compactMap { try? JSONDecoder().decode(Case.self, from: $0) }

    @Test("All nine cases of phrases are there")
    func caseCount() { #expect(Self.cases.map(\.id).count == 9) }

    @Test("date-expr", arguments: cases)
    func dateExpression(item: Case) throws {
        let explain = { (phrase: String) in
            try explained(phrase, now: item.clock.now, zone: item.clock.tz, count: 5)
        }
        for result in item.expect.results ?? [] {
            if let due = result.due {
                #expect(same(try explain(result.expr).due, due.utc), "\(result.expr)")
            } else {
                #expect(throws: APIError.self, "\(result.expr)") { try explain(result.expr) }
            }
        }
        let expression = try #require(item.input.expressions?.first)
        if let outcomes = item.expect.one_of {
            let found = try? explain(expression)
            #expect(
                outcomes.contains { outcome in
                    guard let found else { return outcome.error == true }
                    return outcome.due.map { same(found.due, $0.utc) } ?? false
                })
        }
        if let next = item.expect.next_5 {
            let found = try explain(expression).occurrences
            #expect(
                found.compactMap { Instant(rfc3339: $0) }
                    == next.compactMap { Instant(rfc3339: $0.utc) })
        }
    }
}
