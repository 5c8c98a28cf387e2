/// What both programs say they are.
package enum Product {
    /// The version of this build, as `--version` and `org.varlink.service.GetInfo` give it.
    package static let version = "0.1.0"
}
