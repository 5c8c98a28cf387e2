import Testing

@testable import RemindDaemon

@Suite("Memory of the process")
struct ProcessMemoryTests {
    @Test("Only code of files is let go of")
    func mappings() {
        #expect(
            ProcessMemory.codeOfFile(
                "55e0a000-55e0f000 r-xp 00002000 08:01 123   /usr/bin/remindd\n")
                == 0x55e0_a000..<0x55e0_f000)
        for line in [
            "55e0a000-55e0f000 r--p 00002000 08:01 123   /usr/bin/remindd",
            "55e0a000-55e0f000 rw-p 00002000 08:01 123   /usr/bin/remindd",
            "7ffd0000-7ffd2000 r-xp 00000000 00:00 0     [vdso]",
            "7f000000-7f001000 r-xp 00000000 00:00 0",
            "no mapping",
        ] {
            #expect(ProcessMemory.codeOfFile(line) == nil, "\(line)")
        }
    }

    @Test("What was let go of is there again when it is called")
    func forgetting() {
        for _ in 0..<3 { ProcessMemory.forgetCode() }
        ProcessMemory.forgetFreed()
        #expect((1...10).reduce(0, +) == 55)
    }
}
