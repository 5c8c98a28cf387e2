/// Makes values of the types that a method takes from the JSON of its call.
///
/// The paths of its errors are found when there is one: decoding what is right makes no paths.
struct JSONDecoding: Decoder {
    let document: JSONDocument
    /// Where paths begin.
    let root: Int
    /// What is decoded.
    let place: Int

    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var codingPath: [any CodingKey] { path(to: place) }

    /// - Throws: `DecodingError`.
    static func value<Value: Decodable>(
        _ type: Value.Type, from document: JSONDocument, at root: Int
    ) throws -> Value {
        do {
            return try Value(from: JSONDecoding(document: document, root: root, place: root))
        } catch is JSONDocument.Fault {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "It is not valid JSON."))
        }
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard document.kind(place) == .object else { throw wrong([String: Any].self, at: place) }
        for (name, _) in document.members(of: place) where !document[name].isPlain {
            _ = try document.string(name)
        }
        return KeyedDecodingContainer(JSONKeyed<Key>(decoding: self))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard document.kind(place) == .array else { throw wrong([Any].self, at: place) }
        return JSONUnkeyed(decoding: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { JSONSingle(decoding: self) }

    func within(_ place: Int) -> JSONDecoding {
        JSONDecoding(document: document, root: root, place: place)
    }
}

extension JSONDecoding {
    func bool(_ place: Int) throws -> Bool {
        switch document.kind(place) {
        case .true: return true
        case .false: return false
        default: throw wrong(Bool.self, at: place)
        }
    }

    func string(_ place: Int) throws -> String {
        guard document.kind(place) == .string else { throw wrong(String.self, at: place) }
        return try document.string(place)
    }

    func integer<Number: FixedWidthInteger>(_ place: Int) throws -> Number {
        guard document.kind(place) == .number else { throw wrong(Number.self, at: place) }
        return try document.integer(place)
    }

    func floatingPoint<Number: BinaryFloatingPoint & LosslessStringConvertible>(
        _ place: Int
    ) throws -> Number {
        guard document.kind(place) == .number else { throw wrong(Number.self, at: place) }
        return try document.floatingPoint(place)
    }

    /// It is `null`, or of another kind.
    func wrong(_ type: Any.Type, at place: Int) -> DecodingError {
        let context = DecodingError.Context(
            codingPath: path(to: place), debugDescription: "It is \(document.kind(place)).")
        return document.kind(place) == .null
            ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    func path(to place: Int) -> [any CodingKey] {
        var (path, within) = ([any CodingKey](), root)
        while within != place {
            let inner: (key: any CodingKey, place: Int)? =
                document.kind(within) == .object
                ? member(of: within, with: place) : element(of: within, with: place)
            guard let inner else { return path }
            path.append(inner.key)
            within = inner.place
        }
        return path
    }

    private func member(of object: Int, with place: Int) -> (key: any CodingKey, place: Int)? {
        for (name, value) in document.members(of: object) where place < document[value].next {
            return (JSONKey(stringValue: (try? document.name(name)) ?? ""), value)
        }
        return nil
    }

    private func element(of array: Int, with place: Int) -> (key: any CodingKey, place: Int)? {
        for (index, value) in document.elements(of: array).enumerated()
        where place < document[value].next {
            return (JSONKey(intValue: index), value)
        }
        return nil
    }
}

/// A step of a path.
struct JSONKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }

    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}
