import Testing

@testable import Varlink
import VarlinkWire

@Suite struct MessageTests {
    @Test(arguments: [
        (#"{"method":"a.b.C"}"#, "a.b", "C", "{}", [false, false, false]),
        (#" { "more" : true , "method" : "a.C" } "#, "a", "C", "{}", [true, false, false]),
        (
            #"{"method":"a.C","parameters":null,"oneway":true}"#, "a", "C", "{}",
            [false, true, false]
        ),
        (
            #"{"parameters":{"a":"}\"]","b":[1,{}]},"method":"a.C","upgrade":true,"more":null}"#,
            "a", "C",
            #"{"a":"}\"]","b":[1,{}]}"#, [false, false, true]
        ),
        (#"{"\u006dethod":"a.C"}"#, "a", "C", "{}", [false, false, false]),
    ])
    func callIsDecoded(
        text: String, interface: String, member: String, parameters: String, flags: [Bool]
    ) throws {
        let call = try Call(message: Array(text.utf8))
        #expect(call.interface == interface && call.member == member)
        #expect(String(decoding: call.rawParameters, as: UTF8.self) == parameters)
        #expect([call.more, call.oneway, call.upgrade] == flags)
    }

    @Test(arguments: [
        #"{"method":"a.C","method":"a.D"}"#, #"{"method":"a.C","parameters":{},"parameters":{}}"#,
        #"{"method":"a.C","Parameters":{}}"#, #"{"method":null}"#,
    ])
    func repeatedUnknownOrMissingFieldIsRefused(text: String) {
        #expect(throws: CallFault.self) { try Call(message: Array(text.utf8)) }
    }

    @Test(arguments: [
        ("{}", "number"), (#"{"number":"1"}"#, "number"), (#"{"number":true}"#, "number"),
        (#"{"number":1.5}"#, "parameters"),
        (#"{"number":1,"list":[{"a":1},{}]}"#, "list[1].a"),
        (#"{"number":1,"list":[{"a":1},{"a":null}]}"#, "list[1].a"),
    ])
    func wrongParameterIsNamedByItsPath(parameters: String, path: String) throws {
        struct Item: Decodable { let a: Int }
        struct Wanted: Decodable {
            let number: Int
            let list: [Item]?
        }
        let message = Array(#"{"method":"a.C","parameters":\#(parameters)}"#.utf8)
        let call = try Call(message: message)
        #expect(throws: VarlinkError.invalidParameter(path)) {
            _ = try call.parameters(as: Wanted.self)
        }
    }

    @Test(arguments: [
        (JSONScan.depthLimit - 1, true), (JSONScan.depthLimit, true),
        (JSONScan.depthLimit + 1, false),
    ])
    func nestingHasALimit(depth: Int, fits: Bool) {
        let value =
            String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
        let message = Array(#"{"method":"a.C","parameters":\#(value)}"#.utf8)
        let call = try? Call(message: message)
        #expect((call != nil) == fits)
    }

    @Test func anyBytesAreACallOrAFault() {
        var random = SystemRandomNumberGenerator()
        let seed = Array(
            #"{"method":"org.a.B","parameters":{"a":[1,2,{"b":"\u00e9\n"}],"c":null},"more":true}"#
                .utf8)
        var calls = 0
        for _ in 0..<20_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: at)
                default: bytes.insert(bytes.randomElement(using: &random) ?? 0, at: at)
                }
            }
            guard let call = try? Call(message: bytes) else { continue }
            calls += 1
            _ = try? call.parameters(as: [String: [Int]].self)
            _ = try? Reply(message: bytes)
        }
        #expect(calls > 0)
    }

    @Test func replyIsReadAsItIsWritten() throws {
        let parameters = Array(#"{"a":[1]}"#.utf8)
        let replies = [
            Reply(rawParameters: parameters), Reply(rawParameters: parameters, continues: true),
            Reply(VarlinkError.invalidParameter("a")), Reply(VarlinkError.permissionDenied),
        ]
        for reply in replies {
            #expect(try Reply(message: reply.message.dropLast()) == reply)
            #expect(reply.message.last == 0)
        }
        #expect(try Reply(message: Array("{}".utf8)) == Reply(rawParameters: Array("{}".utf8)))
        for text in ["", "1", "[]", #"{"error":1}"#, #"{"continues":"yes"}"#] {
            #expect(throws: (any Error).self) { try Reply(message: Array(text.utf8)) }
        }
    }

    @Test(arguments: [
        ("interface a.b\nmethod A() -> (", InterfaceText.Fault.syntax(line: 2, found: "")),
        ("interface a.b\n\nmethod A() (b: int)", .syntax(line: 3, found: "(")),
        ("interface a.b\nmethod A() -> ()\nerror A()", .repeated("A")),
        ("interface a.b\nmethod A(b: Foo) -> ()", .unknownType("Foo")),
        ("interface a.b\nmethod A(b: int, b: int) -> ()", .repeated("b")),
        ("interface a.b\nmethod Z() -> ()", .undescribed(method: "A")),
        ("nothing", .syntax(line: 1, found: "nothing")),
    ])
    func wrongInterfaceTextIsRefused(text: String, fault: InterfaceText.Fault) {
        #expect(throws: fault) {
            _ = try Interface(
                description: text,
                methods: ["A": { _, responder in responder.reply([String: Int]()) }])
        }
    }
}
