import Glibc

enum Fuzzing {
    nonisolated(unsafe) private static var fuzzer = Fuzzer.all[0]

    static func begin() -> Never {
        let path = CommandLine.arguments.first ?? ""
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        guard let found = Fuzzer.named(name) else {
            say("‘\(name)’ is no fuzzer: call me by the name of one\n")
            exit(64)
        }
        fuzzer = found
        signal(SIGPIPE, SIG_IGN)
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(
            runDriver(&count, &arguments) { bytes, count in
                Fuzzing.take(Array(UnsafeBufferPointer(start: bytes, count: count)))
                return 0
            })
    }

    private static func say(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }

    private static func take(_ bytes: [UInt8]) {
        do { try fuzzer.run(bytes) } catch {
            say("\(fuzzer.name): \(error)\n")
            abort()
        }
    }
}
