/// How the program ends: the codes of sysexits.h that the contract names.
package enum ExitCode: Int32, Sendable {
    case done = 0
    /// Of several references some failed and some did not.
    case someFailed = 1
    /// The command line is wrong (EX_USAGE).
    case usage = 64
    /// A phrase, a rule or a text was not understood or is not acceptable (EX_DATAERR).
    case input = 65
    /// No such reminder, or several (EX_NOINPUT).
    case reference = 66
    /// The daemon cannot be reached, or does not know what was asked (EX_UNAVAILABLE).
    case unavailable = 69
    /// A defect (EX_SOFTWARE).
    case software = 70
    /// Reading or writing failed (EX_IOERR).
    case io = 74
    /// Try again (EX_TEMPFAIL).
    case busy = 75
    /// The surroundings are not set up (EX_CONFIG).
    case configuration = 78
}

extension ExitCode {
    /// The code of an error that the service replied; the one place where names become codes.
    /// - Parameter error: as on the wire, `org.remindd.Reminders.NoSuchReminder`.
    init(error: String) {
        switch error.split(separator: ".").last {
        case "InvalidPhrase", "InThePast", "InvalidArgument", "WrongState", "MessageTooLong":
            self = .input
        case "NoSuchReminder", "AmbiguousReference": self = .reference
        case "StoreFailed": self = .io
        case "Busy", "TooMany", "TooManyConnections", "TooManyStreams": self = .busy
        case "InterfaceNotFound", "MethodNotFound", "MethodNotImplemented", "PermissionDenied":
            self = .unavailable
        default: self = .software
        }
    }
}
