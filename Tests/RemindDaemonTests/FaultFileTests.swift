import Dispatch
import FaultDisk
import RemindAPI
import RemindCore
import Store
import Testing

@testable import RemindDaemon

extension Operation {
    /// Files come in, go out, and take the store's place.
    static let files: [Operation] = [
        Operation("export to a folder") { engine in
            var (parameters, json) = (Export.Parameters(), JSONWriter())
            parameters.folder = "/calendars"
            try engine.export(parameters, to: &json)
        },
        Operation("restore") { engine in
            let path = engine.store.path + ".backup"
            try writeFile(path, backup.get())
            let copy = try engine.backups.executor.queue.sync {
                try engine.backups.assumeIsolated { try $0.stage(path) }
            }
            _ = try engine.restore(copy)
        },
    ]

    static let exporting = Operation("export") { engine in
        var (parameters, json) = (Export.Parameters(), JSONWriter())
        parameters.all = true
        try engine.export(parameters, to: &json)
    }

    /// A store with one task.
    private static let backup = Result {
        let world = try World()
        try world.add("Of the backup", at: "2024-05-21 09:00")
        let path = world.folder + "/backup.db"
        try StoreCopy.make(of: world.database, at: path)
        return readFile(path) ?? []
    }
}

@Suite("Imports on a disk that fails at every single call")
struct FaultImportTests {
    private static let file =
        "BEGIN:VCALENDAR\r\n"
        + (0..<3).map { "BEGIN:VTODO\r\nUID:u\($0)\r\nSUMMARY:Item \($0)\r\nEND:VTODO\r\n" }
        .joined()
        + "END:VCALENDAR\r\n"

    @Test("An import is stored whole, or refused and taken back, at the next start at the latest")
    func imports() throws {
        for trouble in Trouble.all {
            for position in FaultDisk.positions {
                guard try importing(trouble, position) else { break }
                #expect(position < FaultDisk.limit - 7)
            }
        }
    }

    /// - Returns: whether anything went wrong.
    private func importing(_ trouble: Trouble, _ position: Int) throws -> Bool {
        let place: Comment = "\(trouble.testDescription), call \(position)"
        let faulty = try FaultyWorld()
        let world = faulty.world
        let before = try world.all().count
        faulty.disk.arm(trouble.fault, at: position, lasting: trouble.lasting)
        let reply = try? world.imports(Self.file).last
        let failed = faulty.disk.disarm()
        #expect(try faulty.faults().isEmpty, place)
        try world.restart()
        #expect(try world.all().count == before + (reply == nil ? 0 : 3), place)
        let again = try world.imports(Self.file).last
        #expect(again?.added == (reply == nil ? 3 : 0), place)
        #expect(try world.all().count == before + 3, place)
        return failed
    }
}
