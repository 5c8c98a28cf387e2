/// What both programs say they are.
package enum Product {
    /// The version of this build, as `--version` and `org.varlink.service.GetInfo` give it.
    package static let version = "0.1.0"

    /// What `--version` prints: `remindctl 0.1.0 (abc1234)`.
    /// - Parameter commit: empty when it is not known.
    package static func line(program: String, commit: String) -> String {
        "\(program) \(version)" + (commit.isEmpty ? "\n" : " (\(commit))\n")
    }
}
