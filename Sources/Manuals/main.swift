import Glibc

/// Writes the manual pages and the completions into a folder: `Manuals FOLDER`.
guard CommandLine.arguments.count == 2 else {
    Files.complain("usage: Manuals FOLDER")
    exit(64)
}
do {
    try Files.write(into: CommandLine.arguments[1])
} catch {
    Files.complain("Manuals: \(error.reason)")
    exit(73)
}
