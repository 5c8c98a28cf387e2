/// remindd(8).
enum DaemonManual {
    static var text: String {
        var page = Roff(
            "remindd", section: 8, volume: "System Management Commands",
            summary: "reminder daemon for the desktop")
        page.section("Synopsis")
        page.synopsis([
            Roff.bold("remindd"), option("--database", "PATH"), option("--socket", "PATH"),
            option("--config", "PATH"), "[\(Roff.bold("--check-config"))]",
            option("--restore", "FILE"), "[\(Roff.bold("--version"))]",
            "[\(Roff.bold("--help"))]",
        ])
        description(&page)
        options(&page)
        signals(&page)
        files(&page)
        page.seeAlso([
            ("remindctl", 1), ("remindd.conf", 5), ("org.remindd.Reminders", 7), ("systemd", 1),
        ])
        return page.text
    }

    private static func option(_ name: String, _ value: String) -> String {
        "[\(Roff.bold(name)) \(Roff.italic(value))]"
    }

    private static func description(_ page: inout Roff) {
        page.section("Description")
        page.prose(
            "remindd keeps tasks with deadlines and, when one is due, shows a pop-up. It rings until it "
                + "is answered: a pop-up that is lost comes back. The daemon runs in the foreground, as "
                + "the user whose tasks they are, and logs to the journal or to standard error. "
                + "remindctl(1) is its command line.")
        page.paragraph(
            "Whatever changes is on the disk before it is shown or answered: what rings stays so "
                + "over crashes and restarts. What came due while the machine was off or asleep "
                + "rings late, and says how late.")
        page.paragraph("It is installed as a user service, which its socket starts:")
        page.indented {
            $0.example(["systemctl --user enable --now remindd.socket remindd.service"])
        }
    }

    private static func options(_ page: inout Roff) {
        page.section("Options")
        func item(_ name: String, _ value: String?, _ meaning: String) {
            let value = value.map { " \(Roff.italic($0))" } ?? ""
            page.item(Roff.bold(name) + value, [meaning])
        }
        item("--database", "PATH", "The store, in place of the one below Files.")
        item("--socket", "PATH", "Where it listens, unless systemd hands over a socket.")
        item("--config", "PATH", "Its settings, see remindd.conf(5); the file must be there.")
        item(
            "--check-config", nil,
            "Tells what is wrong with the settings, one line each with its place, and ends: 0 when "
                + "nothing is, 78 otherwise.")
        item(
            "--restore", "FILE",
            "Puts a backup in the place of a store that no daemon can open, and ends; the old file is "
                + "kept beside it.")
        item("--version", nil, "Shows version and commit.")
        item("--help", nil, "Shows the options.")
    }

    private static func signals(_ page: inout Roff) {
        page.section("Signals")
        page.item(
            Roff.bold("SIGHUP"),
            ["The settings are read again; where they have faults, they stay as they were."])
        page.item(Roff.bold("SIGTERM, SIGINT"), ["It ends; nothing is lost."])
        page.section("Exit status")
        page.prose(
            "0 when it was asked to end, else as sysexits.h has it: 64 for a command line that makes "
                + "no sense, 73 when a file cannot be made or another daemon listens on the socket, 74 "
                + "for reading and writing, 75 when another program or daemon has the store, 78 for "
                + "a store, settings and surroundings that are not right.")
    }

    private static func files(_ page: inout Roff) {
        page.section("Files")
        let files = [
            (
                "$XDG_DATA_HOME/remindd/reminders.db",
                "The store, an SQLite database; XDG_DATA_HOME is ~/.local/share when not set."
            ),
            ("$XDG_RUNTIME_DIR/remindd.sock", "The socket, for the user alone."),
            (
                "$XDG_CONFIG_HOME/remindd/remindd.conf",
                "The settings, if any; XDG_CONFIG_HOME is ~/.config when not set."
            ),
        ]
        for (path, meaning) in files { page.item(Roff.italic(path), [meaning]) }
    }
}
