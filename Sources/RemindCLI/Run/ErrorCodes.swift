import RemindAPI

extension ExitStatus {
    /// The code of an error that the service replied; the one place where names become codes.
    /// - Parameter error: as on the wire, `org.remindd.Reminders.NoSuchReminder`.
    init(error: String) {
        switch error.split(separator: ".").last {
        case "InvalidPhrase", "InThePast", "InvalidArgument", "WrongState", "MessageTooLong":
            self = .data
        case "NoSuchReminder", "AmbiguousReference", "NothingToUndo": self = .noInput
        case "StoreFailed": self = .inputOutput
        case "Busy", "TooManyConnections", "TooManyStreams": self = .temporary
        case "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "PermissionDenied":
            self = .unavailable
        default: self = .software
        }
    }
}
