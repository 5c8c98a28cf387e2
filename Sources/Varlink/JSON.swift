import FoundationEssentials

/// JSON as bytes. Keys come sorted, so that the same value always has the same text.
package enum JSON {
    package static func encode(_ value: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(value))
    }

    /// - Throws: `DecodingError`.
    package static func decode<V: Decodable>(_ type: V.Type, from bytes: [UInt8]) throws -> V {
        let document: JSONDocument
        do {
            document = try JSONDocument(bytes)
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: [], debugDescription: "It is not JSON."))
        }
        return try JSONDecoding.value(type, from: document, at: 0)
    }

    /// The field that a decoding error is about, as `filter.tags[2]`; empty for the whole value.
    package static func path(of error: any Error) -> String {
        switch error as? DecodingError {
        case .keyNotFound(let key, let context): path(context.codingPath + [key])
        case .typeMismatch(_, let context), .valueNotFound(_, let context): path(context.codingPath)
        case .dataCorrupted(let context): path(context.codingPath)
        default: ""
        }
    }

    private static func path(_ keys: [any CodingKey]) -> String {
        var text = ""
        for key in keys {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return text
    }
}
