import CLinux
import Glibc

/// What the process holds in memory and does not need while it waits.
enum ProcessMemory {
    /// Lets go of the pages of code that were mapped so far: most were for the start alone. What is
    /// called later is mapped again from the page cache, as it was.
    static func forgetCode() {
        guard let file = fopen("/proc/self/maps", "re") else { return }
        defer { fclose(file) }
        var (line, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        while getline(&line, &size, file) > 0, let line {
            guard let code = codeOfFile(String(cString: line)) else { continue }
            // Never written to, so that nothing is lost (madvise(2)).
            madvise(UnsafeMutableRawPointer(bitPattern: code.lowerBound), code.count, MADV_DONTNEED)
        }
    }

    /// Gives memory back to the system that was allocated for work which is over.
    static func forgetFreed() { clinux_trim() }

    /// The addresses of a mapping of a file's code: `55e0a000-55e0f000 r-xp … /usr/bin/remindd`
    /// (proc_pid_maps(5)).
    static func codeOfFile(_ line: String) -> Range<UInt>? {
        let fields = line.split(separator: " ", omittingEmptySubsequences: true)
        guard fields.count >= 6, fields[1] == "r-xp", fields[5].hasPrefix("/") else { return nil }
        let ends = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { return nil }
        return ends[0]..<ends[1]
    }
}
