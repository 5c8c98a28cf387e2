import Glibc
import RemindCore
import Store

private let tasks = 100_000

private let words = [
    "pay", "rent", "call", "mum", "water", "plants", "buy", "milk", "bread", "meeting", "team",
    "budget", "review", "doctor", "appointment", "日本語の勉強", "猫に餌をやる", "東京", "Café", "Straße",
]

/// Searches in a store of 100,000 tasks, and what one more costs.
func searchMeasurements() -> [Measurement] {
    var template = Array("/tmp/remindd-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return [] }
    let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    defer {
        for suffix in ["", "-wal", "-shm", ".lock"] { unlink(folder + "/bench.db" + suffix) }
        rmdir(folder)
    }
    guard let store = try? Store(path: folder + "/bench.db") else { return [] }
    let found = (try? measure(store)) ?? []
    try? store.close()
    return found
}

private func measure(_ store: Store) throws -> [Measurement] {
    var random = SystemRandomNumberGenerator()
    try store.transaction {
        for index in 0..<tasks { try store.insert(task(index, &random), due: nil) }
    }
    var rows = searches.map { name, text, limit in
        let filter = ListFilter(.all, search: text)
        return Measurement("search of \(tasks): \(name)", operations: 1) {
            use(try? store.list(filter, sort: .match, limit: limit))
        }
    }
    let now = Instant(seconds: 1_714_552_200)
    rows.append(
        Measurement("one more, that undo can take back", operations: 50) {
            for index in 0..<50 {
                _ = try? store.transaction(UserChange(.add, at: now)) {
                    try store.insert(task(index, &random), due: nil)
                }
            }
        })
    rows.append(
        Measurement("taking it back", operations: 50) {
            for _ in 0..<50 {
                guard let step = try? store.undoSteps(limit: 1).first else { return }
                use(try? store.transaction { try store.undo(step) })
            }
        })
    return rows
}

private let searches: [(String, String, Int?)] = [
    ("a word that is in 20 (‘zebra’)", "zebra", nil),
    ("three words that are in 20", "ebra zeb inbox", nil),
    ("two characters of 20 (‘紅茶’)", "紅茶", nil), ("one character of 20", "紅", nil),
    ("a word that is in 20,000, the first 20", "rent", 20),
    ("a letter that is in most, the first 20", "e", 20),
    ("a word that is in none", "xylophone", nil), ("two letters that are in none", "qx", nil),
]

private func task(_ index: Int, _ random: inout SystemRandomNumberGenerator) -> Reminder {
    var title = words.shuffled(using: &random).prefix(4).joined(separator: " ")
    if index % 5000 == 7 { title += " zebra 紅茶" }
    let now = Instant(milliseconds: 1_714_552_200_000 + Int64(index))
    return Reminder(id: UUIDv7(created: now, using: &random), title: title, created: now)
}
