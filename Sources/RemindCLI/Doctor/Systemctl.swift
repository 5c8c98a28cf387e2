import Glibc

/// One question to systemctl(1).
enum Systemctl {
    /// Bytes of the answer that are read.
    private static let limit = 4096

    /// - Returns: the first word that it prints, whatever its exit status; `nil` when it cannot be
    ///   run. posix_spawnp(3).
    static func ask(_ arguments: [String]) -> String? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        let pid = spawn(["systemctl"] + arguments, output: ends)
        close(ends[1])
        guard let pid else { return nil }
        let text = readAll(ends[0])
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return text.split(whereSeparator: \.isWhitespace).first.map(String.init)
    }

    private static func spawn(_ words: [String], output ends: [Int32]) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
        defer { arguments.forEach { free($0) } }
        arguments.append(nil)
        var pid: pid_t = 0
        let code = posix_spawnp(&pid, words[0], &actions, nil, arguments, environ)
        return code == 0 ? pid : nil
    }

    private static func readAll(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 256)
        while bytes.count < limit {
            let count = read(descriptor, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
