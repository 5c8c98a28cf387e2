import Glibc
import RemindAPI

/// The user's editor: `$VISUAL`, `$EDITOR`, or what most systems have. It is started without a
/// shell, so that nothing in a variable or a path is anything but a word.
struct EditorProgram {
    let words: [String]

    /// Tried in this order when neither variable is set; each is looked for on `PATH`.
    static let usual = ["sensible-editor", "nano", "vi"]

    /// - Throws: `NoEditor` (exit 78).
    init(in surroundings: Surroundings) throws(Failure) {
        let given = ["VISUAL", "EDITOR"].compactMap { surroundings.variable($0) }.map(Self.words)
        if let first = given.first(where: { !$0.isEmpty }) {
            words = first
            return
        }
        let folders = (surroundings.variable("PATH") ?? "/usr/bin:/bin").split(separator: ":")
        let found = Self.usual.first { name in
            folders.contains { access("\($0)/\(name)", X_OK) == 0 }
        }
        guard let found else {
            throw Failure(
                "NoEditor",
                "There is no editor: EDITOR is not set, and none of "
                    + Self.usual.joined(separator: ", ") + " is on PATH.",
                hint: "EDITOR=nano remindctl edit 7", exit: .configuration)
        }
        words = [found]
    }

    /// The words of a variable: `code --wait`, `'/opt/my editor/run' -n`. Quotation marks and
    /// backslashes keep blanks, as in a shell; nothing else means anything.
    static func words(_ text: String) -> [String] {
        var (words, word, quote, isEscaped) = ([String](), String?.none, Character?.none, false)
        for character in text {
            if isEscaped {
                (word, isEscaped) = ((word ?? "") + String(character), false)
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "'" || character == "\"" {
                (quote, word) = (character, word ?? "")
            } else if character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }

    /// Opens the file and waits until the editor ends.
    /// - Throws: `EditorFailed` when it cannot be started, or did not end well.
    func edit(_ path: String) throws(Failure) {
        // As in system(3): Ctrl-C is the editor's.
        let before = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
        defer {
            signal(SIGINT, before.0)
            signal(SIGQUIT, before.1)
        }
        let process = try start(path)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw failed("is out of sight") }
        }
        let (killer, code) = (status & 0x7F, status >> 8 & 0xFF)
        if killer != 0 { throw failed("was ended by signal \(killer)") }
        if code != 0 { throw failed("ended with code \(code)") }
    }

    /// posix_spawnp(3), with no signal ignored.
    private func start(_ path: String) throws(Failure) -> pid_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for name in [SIGINT, SIGQUIT, SIGPIPE] { sigaddset(&signals, name) }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        let arguments = (words + [path]).map { strdup($0) } + [nil]
        defer { arguments.forEach { free($0) } }
        var process: pid_t = 0
        let code = posix_spawnp(&process, words[0], nil, &attributes, arguments, environ)
        guard code == 0 else {
            throw Failure(
                "EditorFailed",
                "The editor ‘\(words[0])’ cannot be started: \(String(cString: strerror(code))).",
                hint: "EDITOR=nano remindctl edit 7", exit: .configuration)
        }
        return process
    }

    private func failed(_ what: String) -> Failure {
        Failure("EditorFailed", "The editor ‘\(words[0])’ \(what).", exit: .inputOutput)
    }
}
