import Glibc

/// What the kernel counts of a process.
struct Counters {
    /// Proportional set size, in KiB (`/proc/PID/smaps_rollup`).
    let memory: Int
    /// Voluntary and other context switches of all threads.
    let switches: Int
    /// User and system time, in clock ticks.
    let ticks: Int

    init(of pid: pid_t) {
        let process = "/proc/\(pid)"
        memory = Self.number("Pss:", in: process + "/smaps_rollup")
        let threads = Self.entries(process + "/task").map { process + "/task/\($0)/status" }
        switches = threads.reduce(0) {
            $0 + Self.number("voluntary_ctxt_switches:", in: $1)
                + Self.number("nonvoluntary_ctxt_switches:", in: $1)
        }
        // utime and stime: the 12th and 13th field behind the name (proc_pid_stat(5)).
        let behind = Self.text(process + "/stat").split(separator: ")").last ?? ""
        ticks = behind.split(separator: " ").dropFirst(11).prefix(2)
            .reduce(0) { $0 + (Int($1) ?? 0) }
    }

    private static func number(_ name: String, in path: String) -> Int {
        for line in text(path).split(separator: "\n") where line.hasPrefix(name) {
            return Int(line.dropFirst(name.count).filter(\.isNumber)) ?? 0
        }
        return 0
    }

    private static func text(_ path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func entries(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }
}
