import FaultDisk
import Popups
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("Every operation on a disk that fails at every single call")
struct FaultTests {
    @Test(
        "A change is acknowledged and there, or refused and not there", arguments: Operation.changes
    )
    func changes(operation: Operation) throws {
        let calm = try FaultyWorld()
        let before = try calm.content()
        try calm.world.isolated { try operation.run($0) }
        let after = try calm.content()
        for trouble in Trouble.all {
            for position in FaultDisk.positions {
                guard try change(operation, trouble, position, before, after) else { break }
                #expect(position < FaultDisk.limit - 7)
            }
        }
    }

    /// - Returns: whether anything went wrong.
    private func change(
        _ operation: Operation, _ trouble: Trouble, _ position: Int, _ before: [String],
        _ after: [String]
    ) throws -> Bool {
        let place: Comment = "\(operation.name): \(trouble.testDescription), call \(position)"
        let faulty = try FaultyWorld()
        faulty.disk.arm(trouble.fault, at: position, lasting: trouble.lasting)
        let error = refusal { try faulty.world.isolated { try operation.run($0) } }
        let failed = faulty.disk.disarm()
        if let error {
            let kind: APIError.Kind = trouble.fault == .busy ? .busy : .storeFailed
            // Of two files it is told which one could not be read, which may be the user's.
            #expect(operation.readsFile || error.kind == kind, place)
            let file = operation.readsFile ? faulty.world.folder : faulty.world.database
            #expect(error.message.contains("‘\(file)"), place)
        }
        let stored = try faulty.content()
        #expect(stored == (error == nil ? after : before), place)
        #expect(try faulty.faults().isEmpty, place)
        guard error != nil else { return failed }
        // It lives, and does what was refused.
        try faulty.world.isolated { try operation.run($0) }
        #expect(try faulty.content() == after, place)
        try faulty.world.restart()
        #expect(try faulty.content() == after, place)
        return failed
    }

    @Test("A question is answered or refused, and changes nothing", arguments: Operation.questions)
    func questions(operation: Operation) throws {
        let faulty = try FaultyWorld()
        let before = try faulty.content()
        for trouble in Trouble.all {
            for position in FaultDisk.positions {
                // What was read once is in SQLite's memory; another connection's write empties it.
                try faulty.touch()
                faulty.disk.arm(trouble.fault, at: position, lasting: trouble.lasting)
                let error = refusal { try faulty.world.isolated { try operation.run($0) } }
                let failed = faulty.disk.disarm()
                #expect(failed || error == nil)
                if error == nil, !failed { break }
                try faulty.world.isolated { try operation.run($0) }
                #expect(position < FaultDisk.limit - 7)
            }
        }
        #expect(try faulty.content() == before)
        #expect(try faulty.faults().isEmpty)
    }

    @Test(
        "A reminder that comes due is on the screen, once, and in the store when that is possible")
    func ring() throws {
        for trouble in Trouble.all {
            for position in FaultDisk.positions {
                let faulty = try FaultyWorld()
                let world = faulty.world
                let place: Comment = "\(trouble.testDescription), call \(position)"
                faulty.disk.arm(trouble.fault, at: position, lasting: trouble.lasting)
                try world.advance(to: "2024-05-02T08:00:00+02:00")
                let failed = faulty.disk.disarm()
                try world.advance(to: "2024-05-02T08:00:02+02:00")
                #expect(world.shown.filter { $0 == "Recurs" }.count == 1, place)
                #expect(try world.reminder(4).alarm.state == .ringing, place)
                #expect(try world.reminder(4).alarm.rings == 1, place)
                let rings = try faulty.content().filter { $0.hasPrefix("4|rang|") }
                #expect(rings.count == 1, place)
                #expect(try faulty.faults().isEmpty, place)
                if !failed { break }
                #expect(position < FaultDisk.limit - 7)
            }
        }
    }

    @Test(
        "A ring on the screen that could not be written was left out by list and explain: they have it"
    )
    func unwritten() throws {
        let faulty = try FaultyWorld()
        let world = faulty.world
        faulty.disk.arm(.full, at: 1, lasting: true)
        try world.advance(to: "2024-05-02T08:00:00+02:00")
        #expect(world.shown.contains("Recurs"))
        let ringing = try Self.listed(world, .ringing)
        #expect(ringing.contains("\"number\":4") && ringing.contains("\"alarm\":\"ringing\""))
        let explained = try Self.text(world) { try $0.explain("4", to: &$1) }
        #expect(explained.contains("It rings since"))
        #expect(explained.contains("That is not on the disk yet"))
        #expect(try world.reminder(4).alarm.state == .ringing)
        #expect(try world.isolated { try $0.find("last").map(\.number) } == [4])
        #expect(try world.isolated { try $0.find("all").map(\.number) }.contains(4))
        let refused = refusal {
            _ = try world.isolated { try $0.dismiss($0.find("4"), origin: .command) }
        }
        #expect(refused?.kind == .storeFailed)
        _ = faulty.disk.disarm()
        // The answer is written with the ring, before the ring alone was.
        _ = try world.isolated { try $0.dismiss($0.find("4"), origin: .command) }
        let rows = try faulty.content().filter { $0.hasPrefix("4|") }
        #expect(rows.filter { $0.hasPrefix("4|rang|") }.count == 1)
        #expect(rows.filter { $0.hasPrefix("4|dismissed|") }.count == 1)
        #expect(try Self.listed(world, .ringing).contains("\"number\":4") == false)
        try world.advance(to: "2024-05-02T08:00:02+02:00")
        #expect(world.shown.filter { $0 == "Recurs" }.count == 1)
        #expect(try faulty.content().filter { $0.hasPrefix("4|rang|") }.count == 1)
    }

    private static func text(
        _ world: World, _ body: @Sendable (isolated Engine, inout JSONWriter) throws -> Void
    ) throws -> String {
        try world.isolated { engine in
            var json = JSONWriter()
            try body(engine, &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    private static func listed(_ world: World, _ show: List.Show) throws -> String {
        try world.isolated { engine in
            var parameters = List.Parameters()
            parameters.show = show
            var (list, text) = (try engine.list(parameters, .whole), "")
            _ = try engine.turn(&list) { bytes, _ in text += String(decoding: bytes, as: UTF8.self)
            }
            return text
        }
    }

    @Test("What is added and due already is added or refused; when added, it is on the screen once")
    func addedLate() throws {
        for trouble in Trouble.all {
            for position in FaultDisk.positions {
                let faulty = try FaultyWorld()
                let world = faulty.world
                faulty.disk.arm(trouble.fault, at: position, lasting: trouble.lasting)
                let error = refusal {
                    _ = try world.add("Late", at: "2024-05-01 09:00") { $0.past = true }
                }
                let failed = faulty.disk.disarm()
                try world.advance(to: "2024-05-01T10:41:02+02:00")
                let shown = world.shown.filter { $0 == "Late" }
                #expect(shown.count == (error == nil ? 1 : 0))
                let rings = try faulty.content().filter { $0.hasPrefix("5|rang|") }
                #expect(rings.count == shown.count)
                #expect(try faulty.faults().isEmpty)
                if !failed { break }
                #expect(position < FaultDisk.limit - 7)
            }
        }
    }

    @Test("An answer by a button is stored, or the pop-up comes back and can be answered again")
    func button() throws {
        for trouble in Trouble.all {
            for position in FaultDisk.positions {
                let faulty = try FaultyWorld()
                let world = faulty.world
                let key = try world.reminder(1).id.text
                faulty.disk.arm(trouble.fault, at: position, lasting: trouble.lasting)
                world.screen(.answered(key: key, action: PopupText.Action.done.rawValue))
                let failed = faulty.disk.disarm()
                // An answer whose reminder could not be read is heard a second later.
                try world.advance(to: "2024-05-01T10:41:02+02:00")
                if try world.reminder(1).state == .open {
                    #expect(world.shown.filter { $0 == "Rings" }.count == 2)
                    world.screen(.answered(key: key, action: PopupText.Action.done.rawValue))
                }
                #expect(try world.reminder(1).state == .done)
                #expect(try faulty.faults().isEmpty)
                if !failed { break }
                #expect(position < FaultDisk.limit - 7)
            }
        }
    }
}

private func refusal(_ body: () throws -> Void) -> APIError? {
    do {
        try body()
        return nil
    } catch let error as APIError {
        return error
    } catch {
        Issue.record("not an error of the API: \(error)")
        return nil
    }
}

@Suite("A power cut at every write of every operation")
struct PowerCutTests {
    @Test(
        "An acknowledged change is there afterwards; others wholly or not at all",
        arguments: Operation.changes)
    func changes(operation: Operation) throws {
        let calm = try FaultyWorld()
        let before = try calm.content()
        try calm.world.isolated { try operation.run($0) }
        let after = try calm.content()
        for seed: UInt32 in [0, 1, 2, 3] {
            for position in FaultDisk.positions {
                let faulty = try FaultyWorld()
                faulty.disk.cutPower(at: position)
                let error = refusal { try faulty.world.isolated { try operation.run($0) } }
                faulty.world.end()
                let isCut = faulty.disk.disarm()
                if isCut { faulty.disk.powerOn(seed: seed) }
                let place: Comment = "\(operation.name): call \(position), seed \(seed)"
                let left = try faulty.content()
                #expect(left == after || (error != nil && left == before), place)
                #expect(try faulty.faults().isEmpty, place)
                try faulty.world.begin()
                #expect(try faulty.content() == left, place)
                if !isCut { break }
                #expect(position < FaultDisk.limit - 7)
            }
        }
    }
}
