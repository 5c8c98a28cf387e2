import Testing
import VarlinkWire

@Suite struct JSONStringTests {
    @Test(arguments: [
        (#""""#, ""), (#""plain""#, "plain"), (#""a\"b\\c\/d""#, "a\"b\\c/d"),
        (#""\n\t\r\b\f""#, "\n\t\r\u{8}\u{C}"), (#""caf\u00e9 \ud83d\ude00""#, "café 😀"),
    ])
    func stringsAreRead(_ json: String, _ text: String) throws {
        let bytes = Array(json.utf8)
        #expect(try JSONScan.string(of: bytes, at: bytes.indices) == text)
    }

    @Test(arguments: [
        "", "\"", "x", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "\"\\ud83d\"", "\"\\ud83d\\u0041\"",
        "\"\\ude00\"", "7",
    ])
    func whatIsNoStringIsRefused(_ json: String) {
        let bytes = Array(json.utf8)
        #expect(throws: JSONScan.Fault.malformed) {
            try JSONScan.string(of: bytes, at: bytes.indices)
        }
    }

    @Test func callIsWrittenInOrder() {
        let message = VarlinkClient.message(
            method: "org.example.Do", rawParameters: Array("{\"a\":1}".utf8), more: true)
        #expect(
            String(decoding: message, as: UTF8.self)
                == #"{"method":"org.example.Do","parameters":{"a":1},"more":true}"# + "\0")
        let bare = VarlinkClient.message(method: "a.B", rawParameters: nil, oneway: true)
        #expect(String(decoding: bare, as: UTF8.self) == #"{"method":"a.B","oneway":true}"# + "\0")
    }

    @Test(arguments: [
        (#"{"error":"a.B","parameters":{}}"#, "a.B", false),
        (#"{"error":null,"continues":true,"x":1}"#, nil, true),
        (#"{"continues":null,"parameters":null}"#, nil, false),
    ])
    func headerOfAReplyIsRead(_ json: String, _ error: String?, _ continues: Bool) throws {
        let reply = try Reply(message: Array(json.utf8))
        #expect(reply.error == error)
        #expect(reply.continues == continues)
        #expect(reply.rawParameters == Array("{}".utf8))
    }

    @Test(arguments: [#"{"error":7}"#, #"{"continues":"yes"}"#, #"{"continues":1}"#])
    func headerOfAnotherTypeIsRefused(_ json: String) {
        #expect(throws: JSONScan.Fault.self) { try Reply(message: Array(json.utf8)) }
    }
}
