import RemindAPI
import VarlinkWire

extension VarlinkError {
    /// An error of the interface on its way to the client.
    init(_ error: APIError) {
        self.init(
            name: RemindersInterface.qualified(error.kind.rawValue),
            rawParameters: error.parameters)
    }
}
