import Foundation
import RemindCore
import Testing

@testable import Calendaring

@Suite("Zones: every clock change of the system's tzdata")
struct ZoneTransitionTests {
    /// What Python's zoneinfo says; fold=0 is RFC 5545's reading in gaps and overlaps alike.
    private func compare(years: String...) throws -> (records: Int, wrong: [String]) {
        let output = FileManager.default.temporaryDirectory
            .appendingPathComponent("remindd-zones-\(UUID().uuidString)").path
        defer {
            for suffix in [".index", ".data"] {
                try? FileManager.default.removeItem(atPath: output + suffix)
            }
        }
        try run("Generators/zone_transitions.py", [output] + years)
        let index = try String(contentsOfFile: output + ".index", encoding: .utf8)
        let data = try Data(contentsOf: URL(fileURLWithPath: output + ".data"))
        let values = data.withUnsafeBytes { Array($0.bindMemory(to: Int64.self)) }
        let zones = SystemZones(environment: [:])
        var (position, wrong) = (0, [String]())
        for line in index.split(separator: "\n") {
            let words = line.split(separator: " ")
            let zone = try zones.zone(named: String(words[0]))
            for _ in 0..<(try #require(Int(words[1]))) {
                let kind: ResolvedTime.Kind = [.unique, .gap, .overlap][Int(values[position + 2])]
                let expected = ResolvedTime(
                    instant: Instant(seconds: values[position + 1]), kind: kind)
                let civil = CivilDateTime(secondsSinceEpoch: values[position])
                let found = zone.resolve(civil)
                if found != expected { wrong.append("\(words[0]) \(civil): \(found) \(expected)") }
                position += 3
            }
        }
        return (position / 3, wrong)
    }

    private func run(_ script: String, _ arguments: [String]) throws {
        let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", here.appendingPathComponent(script).path] + arguments
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    @Test("gap and overlap from 1970 to 2040 agree with Python's zoneinfo")
    func everyTransition() throws {
        let (records, wrong) = try compare(years: "1970", "2040")
        #expect(records > 50_000)
        #expect(wrong.count == 0, "such as \(wrong.prefix(3))")
    }
}
