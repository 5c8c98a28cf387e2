import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("References")
struct ReferenceTests {
    @Test("A number, the identifier and a unique part of it find the reminder")
    func found() throws {
        let world = try World()
        let tea = try world.add("Tea")
        let text = tea.id.text
        for reference in [
            "1", "#1", text, text.uppercased(), String(text.suffix(4)), String(text.prefix(13)),
        ] {
            #expect(try world.isolated { try $0.find(reference) } == [tea], "\(reference)")
        }
    }

    @Test("An identifier is found as other programs write it: without dashes, in braces, as a URN")
    func foreignForms() throws {
        let world = try World()
        let tea = try world.add("Tea")
        let text = tea.id.text
        let bare = text.filter { $0 != "-" }
        for reference in [
            bare, bare.uppercased(), "{\(text)}", "{\(bare.uppercased())}", "urn:uuid:\(text)",
            "URN:UUID:\(text.uppercased())",
        ] {
            #expect(try world.isolated { try $0.find(reference) } == [tea], "\(reference)")
        }
    }

    @Test(
        "What finds nothing is refused by its name",
        arguments: [
            "2", "abc", "zzzz", "", "-1", "last", "all", "00ff00ff", "{}", "urn:uuid:", "{1}",
            "+0123456789abcdef+0123456789abcd", "0190f0c200007000800000000000000g",
        ])
    func notFound(reference: String) throws {
        let world = try World()
        try world.add("Tea")
        let error = #expect(throws: APIError.self) { try world.isolated { try $0.find(reference) } }
        #expect(error?.kind == .noSuchReminder)
        #expect(error?.message.contains("‘\(reference)’") == true)
    }

    @Test("A beginning that several share is ambiguous")
    func ambiguous() throws {
        let world = try World()
        let first = try world.add("Tea")
        try world.add("Milk")
        let error = #expect(throws: APIError.self) {
            try world.isolated { try $0.find(String(first.id.text.prefix(8))) }
        }
        #expect(error?.kind == .ambiguousReference)
    }

    @Test("The last that rang, and all that ring")
    func lastAndAll() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        try world.add("Milk", at: "11:01")
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        try world.advance(to: "2024-05-01T11:01:00+02:00")
        #expect(try world.isolated { try $0.find("last") }.map(\.title) == ["Milk"])
        #expect(try world.isolated { try $0.find("all") }.count == 2)
    }
}
