import Glibc
import RemindAPI
import RemindCore

/// What `-` reads.
enum StandardInput {
    /// No note is longer than this many bytes: four for each character that the daemon allows.
    static let byteLimit = Limits.note * 4
    /// A hundred thousand UUIDs, one a line.
    static let referencesLimit = 4 << 20

    /// Everything up to the end, without the line ends behind it. A byte order mark goes, and the
    /// line ends of other systems are ours.
    /// - Throws: exit 65 when it is too long or no UTF-8, 74 when it cannot be read.
    static func text(
        from fd: Int32, limit: Int = byteLimit, named place: String = "on stdin"
    ) throws(Failure) -> String {
        let bytes = try read(fd, limit: limit)
        guard bytes.count <= limit else {
            throw .input(
                "The text \(place) is longer than \(limit) bytes.", hint: "Give a shorter one.")
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw .input("The text \(place) is not UTF-8.", hint: "iconv -t UTF-8 converts text.")
        }
        while text.last?.isNewline ?? false { text.removeLast() }
        if text.unicodeScalars.first == "\u{FEFF}" { text.unicodeScalars.removeFirst() }
        return String(text.map { $0 == "\r\n" ? "\n" : $0 })
    }

    /// One line without its end, read(2) byte by byte: what follows is left for the next question.
    /// - Returns: `nil` at the end.
    static func line(from fd: Int32) -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = Glibc.read(fd, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            // No answer is longer; the rest of the line is passed over.
            if line.count < 256 { line.append(byte) }
        }
    }

    /// References, one a line; blank lines are passed over.
    static func references(from fd: Int32) throws(Failure) -> [String] {
        try text(from: fd, limit: referencesLimit).split(whereSeparator: \.isNewline)
            .map { line in line.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
            .filter { !$0.isEmpty }
    }

    private static func read(_ fd: Int32, limit: Int) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count <= limit {
            let count = Glibc.read(fd, &piece, piece.count)
            if count == 0 { break }
            if count > 0 {
                bytes += piece[..<count]
            } else if errno != EINTR {
                throw Failure(
                    "ReadFailed", "stdin cannot be read: \(String(cString: strerror(errno))).",
                    hint: nil, exit: .inputOutput)
            }
        }
        return bytes
    }
}
