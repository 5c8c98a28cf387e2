import Foundation
import Testing

@testable import Varlink
import VarlinkWire

/// What our decoder makes of a text, beside what Foundation's makes of it.
@Suite struct JSONDecodingTests {
    private enum Order: String, Codable { case up, down }

    private struct Inner: Codable {
        var name: String
        var count: Int?
    }

    private struct Everything: Codable {
        var text: String?
        var flag: Bool?
        var count: Int?
        var small: UInt8?
        var large: UInt64?
        var number: Double?
        var short: Float?
        var order: Order?
        var texts: [String]?
        var counts: [Int?]?
        var inner: Inner?
        var inners: [Inner]?
        var named: [String: Int]?
        var deep: [[Bool]]?
    }

    /// The value as text, or the path of the error.
    private enum Outcome: Equatable {
        case value(String)
        case wrong(String)

        init(_ decode: () throws -> Everything) {
            do {
                self = .value(String(decoding: try JSON.encode(decode()), as: UTF8.self))
            } catch {
                self = .wrong(JSON.path(of: error))
            }
        }
    }

    private func expectSame(_ text: String) {
        let bytes = Array(text.utf8)
        let ours = Outcome { try JSON.decode(Everything.self, from: bytes) }
        let theirs = Outcome { try JSONDecoder().decode(Everything.self, from: Data(bytes)) }
        #expect(ours == theirs, "\(text)")
    }

    /// Each as the value of each field.
    private static let values = [
        "null", "true", "false", "tru", "nul", "nullx", "\"\"", "\"a\"", "\"up\"", "\"sideways\"",
        #""\u00e9\n\t\/\"\\\b\f\r""#, #""\ud83d\ude00""#, #""\ud83d""#, #""\ud83dx""#,
        #""\ud83d\u0041""#, #""\ude00""#, #""\u12""#, #""\u12g4""#, #""\x""#, #""\"#, #""open"#,
        "\"a\u{1}b\"", "\"a\nb\"", "\"\u{7F}\"", #""\u0000""#, "\"é日本\u{1F600}\"", "\"e\u{301}\"",
        "0", "-0", "1", "-1", "01", "-01", "00", "-", "+1", "1.", ".5", "1.0", "-1.50", "1.5",
        "1e3", "1E+3", "1e-3", "10e-1", "1e", "1e+", "1.e3", "e3", "1.0e0", "1.2.3", "1-2", "0x10",
        "255", "256", "-129", "9007199254740991", "9007199254740993", "9007199254740993.0",
        "9007199254740993e0", "9223372036854775807", "9223372036854775807.0",
        "9223372036854775808", "-9223372036854775808",
        "-9223372036854775809", "18446744073709551615", "18446744073709551615.0",
        "18446744073709551616", "1e18", "1e19", "1e20", "1e400", "-1e400", "1e-400", "0e-400",
        "1.0000000000000001", "123456789012345678e1", "1234567890123456789012e-4", "NaN",
        "Infinity", "[]", "[ ]", "[1]", "[1,]", "[,]", "[1 2]", "[1,,2]", "[\"a\"]",
        "[\"a\",null]", "[null]", "[\"a\",1]", "[1,\"a\"]", "[1,2.5]", "[[true],[]]", "[[true,1]]",
        "[", "[1", "]", "{}", "{ }", #"{"name":"n"}"#, #"{"name":"n","count":1}"#,
        #"{"name":"n","count":1.5}"#, #"{"name":1}"#, #"{"name":null}"#, #"{"count":1}"#,
        #"{"name":"a","name":"b"}"#, #"{"na\u006de":"n"}"#, #"{"na\me":"n"}"#, #"{"name":"n",}"#,
        #"{"name":}"#, #"{"name"}"#, #"{name:1}"#, #"{"name":"n" "count":1}"#, #"[{"name":"n"}]"#,
        #"[{"name":"n"},{}]"#, #"[{"name":"n"},{"name":"m","count":"x"}]"#, #"{"a":1,"b":2}"#,
        #"{"a":1,"b":null}"#, #"{"a":1,"b":2.5}"#, #"{"a":1,"b":[2]}"#, "{", #"{"a":1"#, "}", "",
        "1 2", "1}", "/**/1", "\u{FEFF}1", "\u{A0}1",
    ]

    @Test(arguments: [
        "text", "flag", "count", "small", "large", "number", "short", "order", "texts", "counts",
        "inner", "inners", "named", "deep", "unknown",
    ])
    func fieldIsDecodedAsFoundationDoes(field: String) {
        // Which of two wrong members Foundation's dictionaries meet first is left to chance.
        let twoAreWrong = #"{"name":"n","count":1.5}"#
        for value in Self.values where field != "named" || value != twoAreWrong {
            expectSame("{\"\(field)\":\(value)}")
            expectSame("{\"inner\":{\"name\":\"x\",\"\(field)\":\(value)},\"\(field)\":\(value)}")
        }
    }

    @Test(arguments: [
        ("-9223372036854775808.0", Int.min), ("9223372036854775807e0", nil),
        ("900719925474099300e-2", 9_007_199_254_740_993), ("0.000e99", 0), ("12e0", 12),
    ])
    func wholeNumberIsExactHoweverItIsWritten(text: String, value: Int?) {
        let number = try? JSON.decode(Everything.self, from: Array(#"{"count":\#(text)}"#.utf8))
            .count
        #expect(number == value)
    }

    @Test func wholeTextIsDecodedAsFoundationDoes() {
        for value in Self.values { expectSame(value) }
        for text in [
            " { } ", "\r\n\t{}\n", "{}{}", "{} x", "{},", "{\u{C}}", #"{"text":"a","text":"b"}"#,
            #"{"count":1,"count":"x"}"#, #"{"count":"x","count":1}"#, #"{"text":"a","Text":1}"#,
            "{\"te\u{1}xt\":1}", #"{"te\u0078t":"a"}"#, #"{"t\u{65}xt":"a"}"#, #"{"":1}"#,
            #"{"text" : "a" , "flag" : true}"#, #"{"text":"a","flag":true,}"#, #"{,"text":"a"}"#,
            #"{"text":'a'}"#, #"{'text':"a"}"#,
        ] {
            expectSame(text)
        }
    }

    @Test func changedTextIsDecodedAsFoundationDoes() {
        var random = SystemRandomNumberGenerator()
        let seed =
            Array(
                #"{"text":"a\u00e9\n","flag":true,"count":12,"number":-1.5e2,"order":"up","texts":["b"],"#
                    .utf8)
            + Array(#""inner":{"name":"n","count":null},"named":{"a":1},"counts":[1,null]}"#.utf8)
        for _ in 0..<5_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 1...127, using: &random)
                case 1: bytes.remove(at: at)
                default: bytes.insert(bytes.randomElement(using: &random) ?? 1, at: at)
                }
            }
            expectSame(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test(
        arguments: [
            [0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]])
    func whatIsNotUTF8IsRefusedWhereverItStands(bytes: [UInt8]) {
        for text in [#"{"text":"ABC"}"#, #"{"unknown":"ABC"}"#, #"{"ABC":1}"#] {
            let parts = text.split(separator: "ABC", omittingEmptySubsequences: false)
            let wrong = Array(parts[0].utf8) + bytes + Array(parts[1].utf8)
            #expect(throws: DecodingError.self) { try JSON.decode(Everything.self, from: wrong) }
        }
    }
}
