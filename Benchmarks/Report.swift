import Glibc

/// The document that the figures are written into: each section of it between two comments.
struct Report {
    let path: String

    /// Puts `text` in the place of the section's former text.
    /// - Throws: `BenchmarkFailure` when the document has no such section, or cannot be written.
    func replace(section: String, by text: String) throws {
        let (begin, end) = ("<!-- measured: \(section) -->\n", "<!-- end: \(section) -->\n")
        let document = try read()
        guard let from = document.firstRange(of: begin)?.upperBound,
            let to = document[from...].firstRange(of: end)?.lowerBound
        else { throw BenchmarkFailure(description: "\(path) has no section ‘\(section)’") }
        try write(document[..<from] + text + document[to...], to: path)
    }

    /// Writes a file beside the document.
    func write(_ text: String, beside name: String) throws {
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
        try write(text, to: folder + name)
    }

    private func read() throws -> String {
        guard let file = fopen(path, "r") else {
            throw BenchmarkFailure(description: "\(path): \(errno)")
        }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private func write(_ text: some StringProtocol, to path: String) throws {
        guard let file = fopen(path, "w") else {
            throw BenchmarkFailure(description: "\(path): \(errno)")
        }
        let isWritten = fputs(String(text), file) >= 0
        guard fclose(file) == 0, isWritten else {
            throw BenchmarkFailure(description: "\(path): \(errno)")
        }
    }
}
