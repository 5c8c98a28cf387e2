import Glibc

/// The whole of a small file; `nil` when it cannot be read.
func readText(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
}

extension String {
    /// With every line `#Key=value` as the key it would be without its mark.
    func replacingKeysUncommented() -> String {
        split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let key = line.dropFirst().prefix { $0.isLetter }
            let isKey =
                line.first == "#" && !key.isEmpty && line.dropFirst(1 + key.count).first == "="
            return isKey ? line.dropFirst() : line
        }.joined(separator: "\n")
    }
}
