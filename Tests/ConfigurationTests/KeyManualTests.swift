import RemindCore
import Testing

@testable import Configuration

@Suite("What the manual says of each key")
struct KeyManualTests {
    @Test(
        "The default is what is taken without the key", arguments: ConfigurationKey.all.map(\.name))
    func defaults(name: String) throws {
        let key = try #require(ConfigurationKey.all.first { $0.name == name })
        let outcome = ConfigurationFile.read(
            Array("[\(key.group)]\n\(name)=\(key.manual.default)\n".utf8))
        #expect(outcome.faults.isEmpty)
        #expect(outcome.settings == Settings())
    }

    @Test("All examples together are a valid file, and each changes something")
    func examples() {
        var (text, settings) = ("", Set<String>())
        for group in ConfigurationKey.groups {
            text += "[\(group)]\n"
            for key in ConfigurationKey.all where key.group == group {
                text += "\(key.name)=\(key.manual.example)\n"
                #expect(key.manual.example != key.manual.default)
                #expect(key.manual.text.hasSuffix("."))
                settings.insert(key.name)
            }
        }
        let outcome = ConfigurationFile.read(Array(text.utf8))
        #expect(outcome.faults.isEmpty)
        #expect(settings.count == ConfigurationKey.all.count)
    }
}
