/// The exit codes of both programs (sysexits.h).
package enum ExitStatus: Int32, Error, Sendable {
    case done = 0
    /// Some of several failed.
    case partly = 1
    case usage = 64
    /// Input that was not understood: phrase, rule, text.
    case data = 65
    /// No such reminder, or several match.
    case noInput = 66
    /// The daemon cannot be reached.
    case unavailable = 69
    /// A bug.
    case software = 70
    case cannotCreate = 73
    case inputOutput = 74
    /// Busy: try again.
    case temporary = 75
    case configuration = 78
}
