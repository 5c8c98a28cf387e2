import Glibc
import RemindCore
import Testing

@testable import Store

/// A folder of its own for one test, with a database path in it; gone when the test is.
final class TemporaryFolder {
    let path: String
    var database: String { path + "/reminders.db" }

    init() throws {
        let template = strdup("/tmp/remindd-store-XXXXXX")
        defer { free(template) }
        path = String(cString: try #require(template.flatMap { mkdtemp($0) }))
    }

    deinit { removeTree(path) }
}

func removeTree(_ path: String) {
    for name in entries(of: path) { removeTree(path + "/" + name) }
    remove(path)
}

/// The names in a folder; none for what is not one.
func entries(of path: String) -> [String] {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
        let folder = opendir(path)
    else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

/// The bytes of a file; `nil` when there is none.
func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
        result += buffer[..<count]
    }
    return result
}

func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = try #require(fopen(path, "w"))
    let all = Array(bytes)
    try #require(fwrite(all, 1, all.count, file) == all.count)
    try #require(fclose(file) == 0)
}

/// The permission bits.
func mode(of path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
}

/// Another program's connection to a database, without any of the store's care.
func stranger(_ path: String) throws -> Connection {
    // SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    try Connection(path: path, flags: 0x2 | 0x4)
}

/// The category with which opening `path` fails; `nil` when it succeeds.
func refusal(_ path: String, busyTimeout: Int32 = 50) -> StoreError.Category? {
    do throws(StoreError) {
        try Store(path: path, busyTimeout: busyTimeout).close()
        return nil
    } catch {
        return error.category
    }
}

/// The error of the store that `body` throws.
func storeError(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch {
        return error as? StoreError
    }
}

let epoch = Instant(seconds: 1_714_550_400)

/// The `index`th identifier, in the order of time.
func identifier(_ index: Int) -> UUIDv7 {
    UUIDv7(
        high: UInt64(epoch.milliseconds + Int64(index)) << 16 | 0x7000,
        low: 1 << 63 | UInt64(index) &* 0x9E37_79B9_7F4A_7C15 >> 2)
}

func sample(_ index: Int = 0, _ title: String = "Pay rent") -> Reminder {
    Reminder(id: identifier(index), title: title, created: epoch)
}
