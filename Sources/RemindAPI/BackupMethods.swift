/// The methods about copies of the store.
package enum Backup: RemindersMethod {
    package static let name = "Backup"
    package typealias Parameters = PathParameters

    package struct Reply: Decodable, Sendable {
        package var path: String
        package var tasks: Int
        package var open: Int
        package var bytes: Int
    }
}

package enum Restore: RemindersMethod {
    package static let name = "Restore"
    package typealias Parameters = PathParameters

    package struct Reply: Decodable, Sendable {
        package var path: String
        package var tasks: Int
        package var open: Int
        package var keptAs: String
    }
}

/// The parameters of the methods that take nothing but a file.
package struct PathParameters: Codable, Sendable {
    package var path: String

    package init(path: String) { self.path = path }

    package enum CodingKeys: String, CodingKey, CaseIterable { case path }
}
