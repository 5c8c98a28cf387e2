import Configuration

/// remindd.conf(5), from the table of keys.
enum SettingsManual {
    static var text: String {
        var page = Roff(
            "remindd.conf", section: 5, volume: "File Formats", summary: "settings of remindd")
        page.section("Synopsis")
        page.prose("$XDG_CONFIG_HOME/remindd/remindd.conf, that is ~/.config/remindd/remindd.conf")
        page.section("Description")
        page.prose(
            "A text file in UTF-8 of groups in brackets and lines of the form Key=value. A key "
                + "without a value means its default; a comment begins with # and stands on a line "
                + "of its own. Everything may be left out, the file too.")
        page.paragraph("A wrong file is told with its line and what is allowed instead:")
        page.indented { $0.example(["remindd --check-config"]) }
        page.paragraph("A daemon that runs takes on what changed, unless it has faults, with:")
        page.indented { $0.example(["systemctl --user reload remindd"]) }
        for group in ConfigurationKey.groups {
            page.section("[\(group)]")
            for key in ConfigurationKey.all where key.group == group { describe(key, &page) }
        }
        example(&page)
        page.seeAlso([("remindctl", 1), ("remindd", 8)])
        return page.text
    }

    private static func describe(_ key: ConfigurationKey, _ page: inout Roff) {
        let manual = key.manual
        let byDefault = manual.default.isEmpty ? "none" : manual.default
        let unit = manual.unit.map { " Unit: \($0)." } ?? ""
        page.item(
            Roff.bold("\(key.name)="),
            [manual.text, "Value: \(key.allowed).\(unit) Default: \(byDefault)."])
        page.example(["\(key.name)=\(manual.example)"], inItem: true)
    }

    private static func example(_ page: inout Roff) {
        page.section("Example")
        var lines: [String] = []
        for group in ConfigurationKey.groups {
            let keys = ConfigurationKey.all.filter { $0.group == group }
            lines += ["[\(group)]"] + keys.prefix(2).map { "\($0.name)=\($0.manual.example)" }
        }
        page.example(lines)
    }
}
