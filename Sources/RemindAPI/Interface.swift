/// The agreement between the two programs.
package enum RemindersInterface {
    /// The Varlink interface's name.
    package static let name = "org.remindd.Reminders"

    /// Its text, as `org.varlink.service.GetInterfaceDescription` hands it out.
    package static let description = String(
        decoding: PackageResources.org_remindd_Reminders_varlink, as: UTF8.self)

    /// The full name of a method or an error of the interface.
    package static func qualified(_ member: String) -> String { name + "." + member }
}

/// A method with its two types. The wire names are the Swift names.
package protocol RemindersMethod {
    associatedtype Parameters: Codable & Sendable
    associatedtype Reply: Decodable & Sendable
    /// Its name within the interface.
    static var name: String { get }
}

extension RemindersMethod {
    /// The name with its interface, as it stands in a call.
    package static var qualifiedName: String { RemindersInterface.qualified(name) }
}
