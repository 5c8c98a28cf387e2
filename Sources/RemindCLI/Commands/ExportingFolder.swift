import Glibc
import RemindAPI
import RemindCore

/// `export --vdir`.
extension Exporting {
    static func exportFolder(_ path: String, _ session: Session) throws(Failure) -> ExitStatus {
        let folder = try CalendarFolder.made(path)
        var outcome = FolderOutcome(path: path)
        try forEachPage(session, folder: folder.path) { page throws(Failure) in
            try write(page, to: folder, &outcome)
        }
        try report(
            session,
            [
                "written": outcome.written, "unchanged": outcome.unchanged,
                "kept": outcome.failures.count,
            ], outcome.summary)
        try session.output.flush()
        for failure in outcome.failures {
            try session.errors.write(failure.text(json: session.json))
        }
        return outcome.failures.isEmpty ? .done : .partly
    }

    /// - Returns: the numbers of the files that somebody has changed, which are not written over, and of
    ///   those that may stay as they are.
    private static func write(
        _ page: ExportPage, to folder: CalendarFolder, _ outcome: inout FolderOutcome
    ) throws(Failure) -> [Int64] {
        var (files, kept) = ([AtomicFile](), [Int64]())
        for item in page.items {
            guard !item.file.contains("/"), CalendarFolder.isCalendar(item.file),
                !item.file.hasPrefix(".")
            else { throw .malformed("‘\(item.file)’ is no name of a file.") }
            let place = folder.path + "/" + item.file
            switch state(of: place, item) {
            case .same: outcome.unchanged += 1
            case .settled:
                outcome.unchanged += 1
                kept.append(item.number)
            case .changed:
                outcome.keep(item.file)
                kept.append(item.number)
            case .ours:
                let file = try AtomicFile(place)
                try file.write(item.text)
                files.append(file)
            }
        }
        guard !files.isEmpty else { return kept }
        try AtomicFile.finish(files)
        try AtomicFile.sync(folder: folder.path)
        outcome.written += files.count
        return kept
    }

    private enum FileState {
        /// As it is to be.
        case same
        /// As we read it last, which says the same.
        case settled
        /// As we wrote or read it last, or not there.
        case ours
        /// Somebody has changed it since, or we have never seen it.
        case changed
    }

    private static func state(of path: String, _ item: ExportPage.Item) -> FileState {
        var status = stat()
        guard stat(path, &status) == 0, var file = try? PiecewiseFile(path, input: -1) else {
            return .ours
        }
        var bytes: [UInt8] = []
        while let piece = try? file.next(), !piece.isEmpty { bytes += piece }
        if bytes.elementsEqual(item.text.utf8) { return .same }
        let isKnown = item.known == Int64(bitPattern: ContentSum.hash(bytes: bytes))
        return !isKnown ? .changed : item.isSettled ? .settled : .ours
    }
}

/// What became of the files of a folder.
private struct FolderOutcome {
    let path: String
    var (written, unchanged) = (0, 0)
    private(set) var failures: [Failure] = []

    init(path: String) { self.path = path }

    mutating func keep(_ file: String) {
        failures.append(
            Failure(
                "ChangedFile",
                "‘\(path)/\(file)’ was changed by another program and is left as it is.",
                hint: "remindctl import \(path) takes in what it says.", exit: .partly))
    }

    var summary: String {
        let files = written == 1 ? "1 file" : "\(written) files"
        let kept = failures.isEmpty ? "" : ", \(failures.count) changed by others"
        return "\(files) written to ‘\(path)’, \(unchanged) left alone\(kept).\n"
    }
}
