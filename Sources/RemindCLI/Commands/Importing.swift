import Glibc
import RemindAPI

/// `import`.
enum Importing {
    /// The file goes to the daemon in pieces, and what comes of it is printed as it is told: neither
    /// program holds all of it.
    @Sendable static func run(_ session: Session) throws(Failure) -> ExitStatus {
        let path = session.arguments.operands.first ?? "-"
        var report = ImportReport(isDryRun: session.arguments.has("dry-run"))
        if CalendarFolder.isFolder(path) {
            try importFolder(path, session, &report)
        } else {
            try importFile(path, session, &report)
        }
        try report.progress.clear(on: session)
        if !session.json { try session.output.write(report.summary) }
        try session.output.flush()
        if session.json { try session.errors.write(report.kept.jsonNotice) }
        for failure in report.failures {
            try session.errors.write(failure.text(json: session.json))
        }
        return report.exit
    }

    private static func importFile(
        _ path: String, _ session: Session, _ report: inout ImportReport
    ) throws(Failure) {
        var file = try PiecewiseFile(path, input: session.surroundings.inputDescriptor)
        var piece = try file.next()
        repeat {
            let following = try piece.isEmpty ? [] : file.next()
            try send(piece, isLast: following.isEmpty, session, &report)
            piece = following
        } while !piece.isEmpty
    }

    /// All files of a folder are one import.
    private static func importFolder(
        _ path: String, _ session: Session, _ report: inout ImportReport
    ) throws(Failure) {
        let folder = try CalendarFolder(path)
        if let tool = session.arguments.value("from") {
            guard tool == "calcurse" else {
                throw .usage(
                    "‘\(path)’ is a folder; of \(tool) a file is read.",
                    hint: "remindctl import --from \(tool) \(path)/FILE")
            }
            let names = try folder.calcurseNames()
            return try send(names, of: folder, session, &report)
        }
        guard !report.isDryRun else {
            throw .usage(
                "A dry run reads one file, and ‘\(path)’ is a folder.",
                hint: "remindctl import --dry-run \(path)/FILE.ics")
        }
        let (names, others) = try folder.names()
        report.leaveOut(others, of: path)
        guard !names.isEmpty else {
            throw Failure(
                "CannotRead", "The folder ‘\(path)’ holds no .ics file.",
                hint: "Give the folder that the .ics files are in.", exit: .noInput)
        }
        try send(names, of: folder, session, &report)
    }

    private static func send(
        _ names: [String], of folder: CalendarFolder, _ session: Session,
        _ report: inout ImportReport
    ) throws(Failure) {
        for name in names {
            var file = try PiecewiseFile(folder.path + "/" + name, input: -1)
            var piece = try file.next()
            repeat {
                let following = try piece.isEmpty ? [] : file.next()
                try send(
                    piece, isLast: following.isEmpty && name == names.last, session, &report,
                    of: (folder.path, name))
                piece = following
            } while !piece.isEmpty
        }
    }

    private static func send(
        _ piece: [UInt8], isLast: Bool, _ session: Session, _ report: inout ImportReport,
        of file: (folder: String, name: String)? = nil
    ) throws(Failure) {
        var read = report
        try session.callMore(Import.self, patient: true) { json throws(Failure) in
            json.field("base64", Base64.encoded(piece))
            if let id = read.session { json.field("session", id) }
            if !isLast { json.field("continues", true) }
            if session.json, !read.isDryRun { json.field("details", true) }
            if let file {
                json.field("folder", file.folder)
                json.field("file", file.name)
            }
            try session.writeOptions(to: &json)
        } each: { bytes throws(Failure) in
            let told = try read.take(bytes)
            for item in told.items {
                if session.json {
                    try session.output.writeLine(json: item)
                } else {
                    try session.output.write(try ImportReport.text(of: item, session))
                }
            }
            for component in told.components where !session.json {
                try session.output.write(try Import.KeptComponent(component).text)
            }
            try read.progress.show(on: session)
        }
        report = read
    }
}
