/// The command that checks every link of the chain.
extension CommandTable {
    static let doctor = Command(
        name: "doctor", otherWords: ["diagnose", "verify", "troubleshoot", "selftest"],
        summary: "Check every link of the chain, and say what to do",
        details: [
            "Looks at the socket, the start at login, the store and its disk, the configuration, the "
                + "session bus, the notification server, the clock, the time zone, what holds "
                + "pop-ups back, the hook and the sound. Works without a daemon too, as far as it "
                + "goes.",
            "Exit status: 0 all well, 1 a check failed, 69 the daemon cannot be reached.",
        ],
        options: [
            Option("test", .flag, field: "test", "show a test pop-up, and wait 15 s for its answer")
        ],
        examples: ["doctor", "doctor --test", "doctor --json"], run: Examining.doctor)
}
