import Foundation
import RemindCore
import Testing

@testable import Calendaring

@Suite("Calendar files: agreement with other libraries, and any bytes")
struct ICalendarAgreementTests {
    @Test("200 random series ring when recurring-ical-events says that they begin")
    func agreement() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/random_items.txt")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        #expect(rows.count == 200)
        for row in rows {
            let columns = row.split(separator: "\t")
            let text = columns[0].split(separator: "|").joined(separator: "\r\n")
            let expected = columns[1].split(separator: " ").map(String.init)
            let read = try ReadCalendar(text.utf8)
            let rings = try read.rings(now: "2020-01-01T00:00:00Z", limit: expected.count)
            #expect(rings == expected, "\(columns[0])")
        }
    }

    /// Steps through the same numbers each time (SplitMix64).
    private struct Steps: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }

    @Test(
        "files with bytes changed, lost, doubled and cut off are read to their end",
        arguments: ["A-rec-07", "A-val-03", "A-gap-02", "A-ics-01", "A-ics-08", "A-fold-02"])
    func mutations(id: String) throws {
        let original = try Cases.bytes(id)
        var random = Steps(state: 5545)
        for _ in 0..<40 {
            var bytes = original
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(bytes[place], at: place)
                case 3: bytes[place] = UInt8.random(in: 48...57, using: &random)
                default: bytes.removeLast(min(bytes.count / 8, bytes.count - 1))
                }
            }
            let read = try ReadCalendar(bytes, chunk: 33)
            #expect(read.items.count <= 4)
            _ = try? read.rings(now: "2024-01-01T00:00:00Z", limit: 3)
        }
    }
}
