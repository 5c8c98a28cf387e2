/// An error of the interface: its name, an English sentence, what to do, and the value at fault.
package struct APIError: Error, Hashable, Sendable {
    /// The errors that the interface declares.
    package enum Kind: String, CaseIterable, Sendable {
        case invalidPhrase = "InvalidPhrase"
        case inThePast = "InThePast"
        case invalidArgument = "InvalidArgument"
        case noSuchReminder = "NoSuchReminder"
        case ambiguousReference = "AmbiguousReference"
        case wrongState = "WrongState"
        case nothingToUndo = "NothingToUndo"
        case storeFailed = "StoreFailed"
        case busy = "Busy"
    }

    /// What an error names besides its message and its hint.
    package enum Value: Hashable, Sendable {
        case text(String)
        case number(Int64)
        case numbers([Int64])
    }

    package var kind: Kind
    package var message: String
    package var hint: String?
    /// The parameters that the interface declares for this error, in their order.
    package var values: [(name: StaticString, value: Value)] {
        switch detail {
        case .phrase(let parameter, let phrase, let position, let length):
            [
                ("parameter", .text(parameter)), ("phrase", .text(phrase)),
                ("position", .number(Int64(position))), ("length", .number(Int64(length))),
            ]
        case .argument(let parameter, let value):
            [("parameter", .text(parameter)), ("value", .text(value))]
        case .reference(let reference): [("reference", .text(reference))]
        case .matches(let reference, let numbers):
            [("reference", .text(reference)), ("matches", .numbers(numbers))]
        case .code(let code): [("code", .text(code))]
        case .nothing: []
        }
    }

    private enum Detail: Hashable, Sendable {
        case phrase(parameter: String, phrase: String, position: Int, length: Int)
        case argument(parameter: String, value: String)
        case reference(String)
        case matches(String, [Int64])
        case code(String)
        case nothing
    }

    private var detail: Detail

    private init(_ kind: Kind, _ message: String, hint: String?, _ detail: Detail) {
        (self.kind, self.message, self.hint, self.detail) = (kind, message, hint, detail)
    }

    /// The error's parameters as a JSON object.
    package var parameters: [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.object { json in
            json.field("message", message)
            json.field("hint", hint)
            for (name, value) in values {
                switch value {
                case .text(let text): json.field(name, text)
                case .number(let number): json.field(name, number)
                case .numbers(let numbers):
                    json.key(name)
                    json.array { json in for number in numbers { json.raw(String(number).utf8) } }
                }
            }
        }
        return json.bytes
    }
}

extension APIError {
    /// - Parameters:
    ///   - parameter: the parameter of the call that held the phrase.
    ///   - range: the place at fault, in UTF-8 bytes of the phrase.
    package static func phrase(
        _ phrase: String, at range: Range<Int>, parameter: String, message: String, hint: String?,
        isPast: Bool = false
    ) -> APIError {
        APIError(
            isPast ? .inThePast : .invalidPhrase, message, hint: hint,
            .phrase(
                parameter: parameter, phrase: phrase, position: range.lowerBound,
                length: range.count))
    }

    package static func invalidArgument(
        _ parameter: String, value: String, _ message: String, hint: String? = nil
    ) -> APIError {
        APIError(
            .invalidArgument, message, hint: hint, .argument(parameter: parameter, value: value))
    }

    package static func noSuchReminder(_ reference: String, hint: String?) -> APIError {
        APIError(
            .noSuchReminder, "There is no reminder ‘\(reference)’.", hint: hint,
            .reference(reference))
    }

    package static func ambiguous(_ reference: String, matches: [Int64]) -> APIError {
        let named =
            matches.prefix(5).map { "#\($0)" }.joined(separator: ", ")
            + (matches.count > 5 ? " and others" : "")
        return APIError(
            .ambiguousReference, "‘\(reference)’ means several reminders: \(named).",
            hint: "Give the number, or more of the identifier.", .matches(reference, matches))
    }

    package static func wrongState(_ reference: String, _ message: String, hint: String?)
        -> APIError
    {
        APIError(.wrongState, message, hint: hint, .reference(reference))
    }

    package static let nothingToUndo = APIError(
        .nothingToUndo, "There is nothing to undo.", hint: "remindctl log", .nothing)

    package static func storeFailed(_ message: String, code: String, hint: String?) -> APIError {
        APIError(.storeFailed, message, hint: hint, .code(code))
    }

    package static func busy(_ message: String, hint: String?) -> APIError {
        APIError(.busy, message, hint: hint, .nothing)
    }
}
