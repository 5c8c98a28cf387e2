import Foundation
import Testing
import Varlink
import VarlinkWire

@testable import RemindAPI

/// Calls that `make fuzz` has found worth keeping, decoded as Foundation decodes them.
@Suite("Parameters are decoded as Foundation does") struct DecodingTests {
    private static let folders = ["calls", "wire", "api"]

    /// The messages of the corpora.
    private static func messages(_ name: String) throws -> [[UInt8]] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fuzz/\(name)")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return try files.flatMap { try Data(contentsOf: $0).split(separator: 0).map(Array.init) }
    }

    /// What the decoders make of it as parameters of `type`: the value again, or the wrong field.
    private func expectSame<Value: Codable>(_ type: Value.Type, _ bytes: [UInt8]) {
        let ours = outcome { try JSON.decode(type, from: bytes) }
        let theirs = outcome { try JSONDecoder().decode(type, from: Data(bytes)) }
        #expect(ours == theirs, "\(type): \(String(decoding: bytes, as: UTF8.self))")
    }

    private func outcome<Value: Encodable>(_ decode: () throws -> Value) -> String {
        do {
            return String(decoding: try JSON.encode(decode()), as: UTF8.self)
        } catch {
            return "wrong: " + JSON.path(of: error)
        }
    }

    private func expectSame(_ bytes: [UInt8]) {
        expectSame(Add.Parameters.self, bytes)
        expectSame(Edit.Parameters.self, bytes)
        expectSame(List.Parameters.self, bytes)
        expectSame(Import.Parameters.self, bytes)
        expectSame(Export.Parameters.self, bytes)
        expectSame(When.Parameters.self, bytes)
        expectSame(Done.Parameters.self, bytes)
        expectSame(Snooze.Parameters.self, bytes)
    }

    @Test("Those of the corpora", arguments: folders)
    func corpora(name: String) throws {
        var calls = 0
        for message in try Self.messages(name) {
            guard String(validating: message, as: UTF8.self) != nil else { continue }
            // As a whole, too: that is malformed in more ways.
            let isDeep = (try? JSONScan.members(of: message)) == nil
            if !isDeep { expectSame(message) }
            guard let call = try? Call(message: message) else { continue }
            calls += 1
            expectSame(call.rawParameters)
        }
        #expect(calls > 0 || name == "api")
    }
}
