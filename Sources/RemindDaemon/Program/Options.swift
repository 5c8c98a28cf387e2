import RemindAPI

/// What the program is, for those who ask.
struct ProgramFacts: Sendable {
    static let version = Product.version

    let processID: Int32
    /// The path of the store.
    let database: String
    let configuration: ConfigurationSource?

    init(processID: Int32, database: String, configuration: ConfigurationSource? = nil) {
        (self.processID, self.database) = (processID, database)
        self.configuration = configuration
    }
}

/// The command line of `remindd`.
struct Options: Hashable {
    var database: String?
    var socket: String?
    var configuration: String?
    var checksConfiguration = false
    /// A backup to be put in the place of the store.
    var restores: String?
    var wantsVersion = false
    var wantsHelp = false

    /// A command line that makes no sense.
    struct Misuse: Error, Hashable {
        let message: String
    }

    static let help = """
        remindd [--database PATH] [--socket PATH] [--config PATH] [--check-config] [--restore FILE]

        The reminder daemon: runs in the foreground and logs to standard error.

          --database PATH  the store (default: $XDG_DATA_HOME/remindd/reminders.db)
          --socket PATH    where remindctl finds it (default: $XDG_RUNTIME_DIR/remindd.sock)
          --config PATH    its settings (default: $XDG_CONFIG_HOME/remindd/remindd.conf, if any)
          --check-config   tells what is wrong with the settings, and ends
          --restore FILE   puts a backup in the store's place while no daemon runs, and ends
          --version, --help

        """

    /// - Parameter arguments: without the program's name. `--name value` and `--name=value`.
    init(_ arguments: some Sequence<String>) throws(Misuse) {
        var rest = Array(arguments)[...]
        while let argument = rest.popFirst() {
            let parts = argument.split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let inline = parts.count == 2 ? String(parts[1]) : nil
            switch (String(parts[0]), inline) {
            case ("--version", nil): wantsVersion = true
            case ("--help", nil), ("-h", nil): wantsHelp = true
            case ("--database", _): database = try Self.value(of: argument, inline, &rest)
            case ("--check-config", nil): checksConfiguration = true
            case ("--config", _): configuration = try Self.value(of: argument, inline, &rest)
            case ("--restore", _): restores = try Self.value(of: argument, inline, &rest)
            case ("--socket", _): socket = try Self.value(of: argument, inline, &rest)
            default:
                throw Misuse(message: "unknown argument ‘\(argument)’; see remindd --help")
            }
        }
    }

    private static func value(
        of option: String, _ inline: String?, _ rest: inout ArraySlice<String>
    ) throws(Misuse) -> String {
        guard let value = inline ?? rest.popFirst(), !value.isEmpty else {
            throw Misuse(message: "‘\(option)’ needs a path")
        }
        return value
    }

    /// Where the store is (XDG Base Directory Specification; relative values are ignored).
    /// - Throws: `Misuse` when neither the option nor the environment says so.
    func databasePath(_ environment: (String) -> String?) throws(Misuse) -> String {
        if let database { return database }
        if let data = environment("XDG_DATA_HOME"), data.hasPrefix("/") {
            return data + "/remindd/reminders.db"
        }
        guard let home = environment("HOME"), home.hasPrefix("/") else {
            throw Misuse(message: "neither XDG_DATA_HOME nor HOME is set; give --database PATH")
        }
        return home + "/.local/share/remindd/reminders.db"
    }

    /// Where the configuration is, and whether it may be missing.
    /// - Throws: `Misuse` when neither the option nor the environment says so.
    func configurationPath(
        _ environment: (String) -> String?
    ) throws(Misuse) -> (path: String, isOptional: Bool) {
        if let configuration { return (configuration, false) }
        if let folder = environment("XDG_CONFIG_HOME"), folder.hasPrefix("/") {
            return (folder + "/remindd/remindd.conf", true)
        }
        guard let home = environment("HOME"), home.hasPrefix("/") else {
            throw Misuse(message: "neither XDG_CONFIG_HOME nor HOME is set; give --config PATH")
        }
        return (home + "/.config/remindd/remindd.conf", true)
    }
}
