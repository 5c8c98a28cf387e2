import Varlink
import VarlinkWire

/// Calls with typed parameters.
extension VarlinkClient {
    /// Calls a method and waits for its reply.
    /// - Parameter method: qualified, `org.remindd.Reminders.Add`.
    /// - Throws: `VarlinkError` when the service replies one, `ClientError`.
    func call<R: Decodable>(
        _ method: String, _ parameters: some Encodable, as type: R.Type = R.self
    ) throws -> R {
        try decode(type, call(method, rawParameters: JSON.encode(parameters)))
    }

    /// Calls a method with `more` and hands on each reply until the final one, or until `each`
    /// returns false; the connection cannot be used again after that.
    /// - Throws: `VarlinkError` when the service replies one, `ClientError`, and what `each` throws.
    func callMore<R: Decodable>(
        _ method: String, _ parameters: some Encodable, as type: R.Type = R.self,
        each: (R) throws -> Bool
    ) throws {
        try callMore(method, rawParameters: JSON.encode(parameters)) { try each(decode(type, $0)) }
    }

    /// Calls a method without waiting: there is no reply.
    /// - Throws: `ClientError`.
    func callOneway(_ method: String, _ parameters: some Encodable) throws {
        try callOneway(method, rawParameters: JSON.encode(parameters))
    }

    private func decode<R: Decodable>(_ type: R.Type, _ bytes: [UInt8]) throws(ClientError) -> R {
        do {
            return try JSON.decode(type, from: bytes)
        } catch {
            throw .malformedReply(
                "its field ‘\(JSON.path(of: error))’ is missing or of another type")
        }
    }
}

extension VarlinkError {
    /// The parameters as a type of the caller's.
    func parameters<P: Decodable>(as type: P.Type = P.self) throws -> P {
        try JSON.decode(type, from: rawParameters)
    }
}
