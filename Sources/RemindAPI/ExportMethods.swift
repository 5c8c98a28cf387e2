/// Tasks as iCalendar.
package enum Export: RemindersMethod {
    package static let name = "Export"

    package struct Parameters: Codable, Sendable {
        package var list: String?
        package var all: Bool?
        package var after: Int64?
        package var zones: [String]?
        package var folder: String?
        package var kept: [Int64]?

        package init() {}

        package enum CodingKeys: String, CodingKey, CaseIterable {
            case list, all, after, zones, folder, kept
        }
    }

    package struct Reply: Decodable, Sendable {
        package var text: String
        package var items: [Item]
        package var count: Int
        package var components: Int?
        package var after: Int64?
        package var zones: [String]
    }

    /// A task as a file of a vdir folder.
    package struct Item: Decodable, Hashable, Sendable {
        package var number: Int64
        package var uid: String
        package var file: String
        package var text: String
        package var known: Int64?
        package var settled: Bool?
    }
}
