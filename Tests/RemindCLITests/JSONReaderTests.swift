import RemindAPI
import Testing

@Suite struct JSONReaderTests {
    @Test(arguments: [
        (#""""#, ""), (#" "plain" "#, "plain"), (#""a\"b\\c\/d""#, "a\"b\\c/d"),
        (#""\n\t\r\b\f""#, "\n\t\r\u{8}\u{C}"), (#""caf\u00e9""#, "café"),
        (#""\ud83d\ude00!""#, "😀!"), (#""買い物""#, "買い物"),
    ])
    func stringsAreRead(_ json: String, _ text: String) throws {
        var reader = JSONReader(Array(json.utf8))
        #expect(try reader.string() == text)
    }

    @Test(arguments: [
        "", "x", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud83d\"", "\"\\ud83d\\u0041\"",
        "\"\\ude00\"",
    ])
    func brokenStringsAreFaults(_ json: String) {
        #expect(throws: JSONReader.Fault.self) {
            var reader = JSONReader(Array(json.utf8))
            _ = try reader.string()
        }
    }

    @Test func valuesThatAreNotReadArePassedOver() throws {
        var reader = JSONReader(
            Array(#"{"a":{"b":[1,{"c":"]}"}]},"n":-12,"t":true,"z":null,"s":"x"} "#.utf8))
        var (seen, number, flag, isNull) = ([String](), Int64(0), false, false)
        try reader.object { name, json throws(JSONReader.Fault) in
            seen.append(name)
            if name == "n" { number = try json.integer() }
            if name == "t" { flag = try json.bool() }
            if name == "z" { isNull = json.null() }
        }
        #expect(seen == ["a", "n", "t", "z", "s"])
        #expect(number == -12)
        #expect(flag && isNull)
    }

    @Test(arguments: [
        "[", "[1", "[1,", "[1,]", "{", "{\"a\"}", "{\"a\":}", "{\"a\":1", "[1 2]", "{\"a\":1,}",
    ])
    func brokenContainersAreFaults(_ json: String) {
        #expect(throws: JSONReader.Fault.self) {
            var reader = JSONReader(Array(json.utf8))
            _ = try reader.raw()
        }
    }

    @Test func nestingIsLimited() throws {
        for (depth, isTaken) in [(JSONReader.depthLimit, true), (JSONReader.depthLimit + 1, false)]
        {
            let json = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
            var reader = JSONReader(Array(json.utf8))
            let taken = try? reader.raw()
            #expect((taken != nil) == isTaken, "\(depth)")
        }
    }

    @Test func rawValuesAreTheirBytes() throws {
        var reader = JSONReader(Array(#"[ {"a": 1} , "x,y" ,-1.5e3 ]"#.utf8))
        var values: [String] = []
        try reader.array { json throws(JSONReader.Fault) in
            values.append(String(decoding: try json.raw(), as: UTF8.self))
        }
        #expect(values == [#"{"a": 1}"#, #""x,y""#, "-1.5e3"])
    }
}
