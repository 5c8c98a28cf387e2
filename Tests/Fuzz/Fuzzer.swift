/// What a fuzzer has found: something that must not be, with the values that show it.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws a `Finding` unless it is so.
func require(_ isSo: Bool, _ otherwise: @autoclosure () -> String) throws {
    if !isSo { throw Finding(otherwise()) }
}

/// Something that is fed any bytes. Each has a corpus in the folder of its name: `make fuzz` grows
/// it with libFuzzer, `CorpusTests` replay it.
struct Fuzzer: Sendable {
    let name: String
    /// Longer inputs are not tried.
    let longest: Int
    /// Traps, or throws a `Finding`, where something must not be.
    let run: @Sendable ([UInt8]) throws -> Void

    static let all = [
        Fuzzer(name: "phrases", longest: 1100) { try PhraseFuzz.run($0) },
        Fuzzer(name: "wire", longest: 4096) { try WireFuzz.run($0) },
        Fuzzer(name: "ics", longest: 8192) { try ICalendarFuzz.run($0) },
        Fuzzer(name: "imports", longest: 8192) { try ImportFuzz.run($0) },
        Fuzzer(name: "calls", longest: 4096) { try CallFuzz.run($0) },
        Fuzzer(name: "api", longest: 1024) { try ActionFuzz.run($0) },
    ]

    static func named(_ name: String) -> Fuzzer? { all.first { $0.name == name } }
}

/// Bytes that steer: what is asked for beyond their end is zero.
struct Steering {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isOver: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    /// One of several.
    mutating func choice<Value>(_ values: [Value]) -> Value {
        values[Int(byte()) % values.count]
    }

    /// One of several, or none.
    mutating func maybe<Value>(_ values: [Value]) -> Value? {
        let index = Int(byte()) % (values.count * 2)
        return index < values.count ? values[index] : nil
    }

    mutating func integer() -> Int64 {
        (0..<8).reduce(Int64(0)) { number, _ in number << 8 | Int64(byte()) }
    }

    /// Up to `limit` bytes as text.
    mutating func text(_ limit: Int) -> String {
        let length = Int(byte()) % (limit + 1)
        defer { rest = rest.dropFirst(length) }
        return String(decoding: rest.prefix(length), as: UTF8.self)
    }

    /// All that is left.
    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }
}
