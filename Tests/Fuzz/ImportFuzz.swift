import Calendaring
import Dispatch
import RemindAPI
import RemindCore
import Store
import Synchronization
import Varlink

@testable import RemindDaemon

/// Files that are imported: shown first, then stored, then imported once more, which changes nothing,
/// then written and read by a second daemon, which then has the same tasks, and the same of what is
/// no task.
enum ImportFuzz {
    static func run(_ bytes: [UInt8]) throws {
        var steering = Steering(bytes)
        let format = steering.choice(["ics"] + OtherTool.allCases.map(\.rawValue))
        let file = steering.remainder()
        let here = try FuzzWorld.empty()
        _ = try send(file, to: here, format, dryRun: true)
        try require(
            here.all().isEmpty && here.components().isEmpty, "a dry run has stored something")
        try take(file, into: here, format)
        try here.checkIntegrity()
        let (mine, kept) = (try here.all(), try here.components())
        guard !mine.isEmpty || !kept.isEmpty else { return }
        let export = try text(of: here)
        let there = try FuzzWorld.empty()
        let replies = try send(export, to: there, "ics", dryRun: false)
        let refused = replies.flatMap(\.problems).filter(\.refused)
        try require(refused.isEmpty, "our own export is refused: \(refused)\n\(string(export))")
        try compare(mine.map(essence), try there.all().map(essence), export)
        try compare(kept.map(essence), try there.components().map(essence), export)
        try there.checkIntegrity()
        try here.restart()
        try require(try here.all().count == mine.count, "lost by a restart")
        try require(try here.components() == kept, "lost by a restart")
    }

    /// Twice, the second time without a change.
    private static func take(_ file: [UInt8], into world: FuzzWorld, _ format: String) throws {
        let first = try send(file, to: world, format, dryRun: false)
        let kept = try world.components()
        let again = try send(file, to: world, format, dryRun: false)
        guard let one = first.last, let two = again.last else { throw Finding("no reply") }
        try require(
            two.added == 0 && two.changed == 0,
            "imported twice: \(one.added ?? -1) added, then \(two.added ?? -1) added and "
                + "\(two.changed ?? -1) changed")
        let counts = again.flatMap { $0.kept ?? [] }
        try require(
            counts.allSatisfy { $0.added == 0 && $0.changed == 0 }, "imported twice: \(counts)")
        try require(try world.components() == kept, "imported twice: another component")
    }

    private static func compare(_ mine: [String], _ its: [String], _ export: [UInt8]) throws {
        try require(mine.count == its.count, "\(mine.count) written, \(its.count) read")
        // A series comes in after what is single.
        for (one, other) in zip(mine.sorted(), its.sorted()) {
            try require(one == other, "written: \(one)\nread: \(other)\nfrom: \(string(export))")
        }
    }

    /// What an export must keep of a task.
    private static func essence(_ reminder: Reminder) -> String {
        [
            reminder.title, reminder.note ?? "", reminder.list, "\(reminder.tags)",
            "\(reminder.priority)", "\(reminder.state)", "\(String(describing: reminder.deadline))",
            "\(String(describing: reminder.recurrence?.rule))", "\(reminder.nag ?? 0)",
            "\(String(describing: reminder.alarm.nextRing))",
        ].joined(separator: " | ")
    }

    private static func essence(_ component: CalendarComponentRecord) -> String {
        var component = component
        component.number = 0
        return "\(component)"
    }

    private static func string(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix(4000), as: UTF8.self)
    }

    // MARK: Calls

    private final class Replies: Sendable {
        let bytes = Mutex<[[UInt8]]>([])
        let failure = Mutex<APIError?>(nil)
        let isDone = DispatchSemaphore(value: 0)
    }

    private static func send(
        _ file: [UInt8], to world: FuzzWorld, _ format: String, dryRun: Bool
    ) throws -> [Import.Reply] {
        var parameters = Import.Parameters()
        (parameters.base64, parameters.format) = (Base64.encoded(file), format)
        parameters.dryRun = dryRun
        let (replies, importer) = (Replies(), Importer())
        let answer = Importer.Answer(
            streams: true,
            reply: { bytes, isLast in
                replies.bytes.withLock { $0.append(bytes) }
                if isLast { replies.isDone.signal() }
            },
            fail: { error in
                replies.failure.withLock { $0 = error }
                replies.isDone.signal()
            })
        let context = try world.isolated { [parameters] in try $0.importContext(parameters) }
        let engine = world.engine
        importer.run { [parameters] importer in
            importer.take(parameters, context, engine: engine, answer)
        }
        replies.isDone.wait()
        if let failure = replies.failure.withLock({ $0 }) { throw Finding("\(failure)") }
        return try replies.bytes.withLock { $0 }.map {
            try JSON.decode(Import.Reply.self, from: $0)
        }
    }

    private static func text(of world: FuzzWorld) throws -> [UInt8] {
        var (parameters, text) = (Export.Parameters(), "")
        parameters.all = true
        repeat {
            let bytes = try world.isolated { [parameters] engine in
                var json = JSONWriter()
                try engine.export(parameters, to: &json)
                return json.bytes
            }
            let reply = try JSON.decode(Export.Reply.self, from: bytes)
            text += reply.text
            (parameters.after, parameters.zones) = (reply.after, reply.zones)
        } while parameters.after != nil
        return Array(text.utf8)
    }
}
