import Glibc
import RemindAPI

/// A command line, taken apart and checked against the table.
struct Arguments: Sendable {
    struct Given: Sendable {
        let option: Option
        /// Empty for an option that takes none.
        let value: String
    }

    let command: Command
    var given: [Given] = []
    var operands: [String] = []

    func has(_ name: String) -> Bool { given.contains { $0.option.name == name } }

    func value(_ name: String) -> String? { given.first { $0.option.name == name }?.value }
}

/// The options as the fields of a call.
extension Arguments {
    /// Writes each field that an option sets; the table says which and how.
    /// - Throws: when `-` is given and stdin cannot be read.
    func writeOptions(to json: inout JSONWriter, input: Int32) throws(Failure) {
        for (place, entry) in given.enumerated() {
            // One that is given again is written with the first.
            guard let field = entry.option.field,
                !given[..<place].contains(where: { $0.option.name == entry.option.name })
            else { continue }
            switch entry.option.kind {
            case .flag: json.field(field, true)
            case .constant(let text): json.field(field, text)
            case .value(.note) where entry.value == "-":
                json.field(field, try StandardInput.text(from: input))
            case .value, .choice: json.field(field, entry.value)
            case .values: json.field(field, values(of: entry.option))
            case .number: json.field(field, Int64(entry.value))
            }
        }
    }

    private func values(of option: Option) -> [String] {
        given.filter { $0.option.name == option.name }.flatMap { entry in
            entry.value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
    }
}
