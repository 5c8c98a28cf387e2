import Foundation
import Testing

/// What `make fuzz` has found worth keeping is tried again with every test run.
@Suite("Corpora of the fuzzers")
struct CorpusTests {
    @Test("Each input is taken without a finding", arguments: Fuzzer.all.map(\.name))
    func replay(name: String) throws {
        let fuzzer = try #require(Fuzzer.named(name))
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent(name)
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        #expect(files.count >= 10)
        for file in files.sorted(by: { $0.path < $1.path }) {
            let bytes = Array(try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try fuzzer.run(bytes) }
        }
    }
}
