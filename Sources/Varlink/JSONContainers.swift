/// The members of an object. Of several with one name the first counts.
struct JSONKeyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoding: JSONDecoding

    var codingPath: [any CodingKey] { decoding.codingPath }

    var allKeys: [Key] {
        decoding.document.members(of: decoding.place).compactMap { name, _ in
            (try? decoding.document.string(name)).flatMap(Key.init(stringValue:))
        }
    }

    func contains(_ key: Key) -> Bool { place(key) != nil }

    func decodeNil(forKey key: Key) throws -> Bool {
        decoding.document.kind(try needed(key)) == .null
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try Value(from: decoding.within(needed(key)))
    }

    func decode(_ type: String.Type, forKey key: Key) throws -> String {
        try decoding.string(needed(key))
    }

    func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
        try decoding.bool(needed(key))
    }

    func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
        try decoding.integer(needed(key))
    }

    func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value? {
        try present(key).map { try Value(from: decoding.within($0)) }
    }

    func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
        try present(key).map(decoding.string)
    }

    func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
        try present(key).map(decoding.bool)
    }

    func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
        try present(key).map { try decoding.integer($0) }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try decoding.within(needed(key)).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try decoding.within(needed(key)).unkeyedContainer()
    }

    func superDecoder() throws -> any Decoder { decoding }

    func superDecoder(forKey key: Key) throws -> any Decoder { decoding.within(try needed(key)) }

    private func place(_ key: Key) -> Int? {
        let name = key.stringValue
        for member in decoding.document.members(of: decoding.place)
        where decoding.document.isName(member.name, name) {
            return member.value
        }
        return nil
    }

    private func needed(_ key: Key) throws -> Int {
        if let place = place(key) { return place }
        throw DecodingError.keyNotFound(
            key, DecodingError.Context(codingPath: codingPath, debugDescription: "It is missing."))
    }

    /// `nil` also where it is `null`.
    private func present(_ key: Key) -> Int? {
        place(key).flatMap { decoding.document.kind($0) == .null ? nil : $0 }
    }
}

/// The elements of an array.
struct JSONUnkeyed: UnkeyedDecodingContainer {
    let decoding: JSONDecoding
    private(set) var currentIndex = 0
    private var rest: JSONDocument.Elements
    private var upcoming: Int?

    init(decoding: JSONDecoding) {
        self.decoding = decoding
        rest = decoding.document.elements(of: decoding.place)
        upcoming = rest.next()
    }

    var codingPath: [any CodingKey] { decoding.codingPath }
    var count: Int? { nil }
    var isAtEnd: Bool { upcoming == nil }

    mutating func decodeNil() throws -> Bool {
        guard decoding.document.kind(try current(Never.self)) == .null else { return false }
        goOn()
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try Value(from: decoding.within(current(type)))
        goOn()
        return value
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
        let container = try decoding.within(current(type)).container(keyedBy: type)
        goOn()
        return container
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        let container = try decoding.within(current([Any].self)).unkeyedContainer()
        goOn()
        return container
    }

    mutating func superDecoder() throws -> any Decoder {
        let inner = decoding.within(try current((any Decoder).self))
        goOn()
        return inner
    }

    private func current(_ type: Any.Type) throws -> Int {
        if let upcoming { return upcoming }
        let path = codingPath + [JSONKey(intValue: currentIndex)]
        throw DecodingError.valueNotFound(
            type, DecodingError.Context(codingPath: path, debugDescription: "The array ends."))
    }

    private mutating func goOn() {
        upcoming = rest.next()
        currentIndex += 1
    }
}

/// One value.
struct JSONSingle: SingleValueDecodingContainer {
    let decoding: JSONDecoding

    var codingPath: [any CodingKey] { decoding.codingPath }

    func decodeNil() -> Bool { decoding.document.kind(decoding.place) == .null }

    func decode(_ type: Bool.Type) throws -> Bool { try decoding.bool(decoding.place) }
    func decode(_ type: String.Type) throws -> String { try decoding.string(decoding.place) }
    func decode(_ type: Double.Type) throws -> Double {
        try decoding.floatingPoint(decoding.place)
    }
    func decode(_ type: Float.Type) throws -> Float { try decoding.floatingPoint(decoding.place) }
    func decode(_ type: Int.Type) throws -> Int { try decoding.integer(decoding.place) }
    func decode(_ type: Int8.Type) throws -> Int8 { try decoding.integer(decoding.place) }
    func decode(_ type: Int16.Type) throws -> Int16 { try decoding.integer(decoding.place) }
    func decode(_ type: Int32.Type) throws -> Int32 { try decoding.integer(decoding.place) }
    func decode(_ type: Int64.Type) throws -> Int64 { try decoding.integer(decoding.place) }
    func decode(_ type: UInt.Type) throws -> UInt { try decoding.integer(decoding.place) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try decoding.integer(decoding.place) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try decoding.integer(decoding.place) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try decoding.integer(decoding.place) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try decoding.integer(decoding.place) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try Value(from: decoding)
    }
}
