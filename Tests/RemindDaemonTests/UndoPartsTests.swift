import Dispatch
import RemindCore
import Store
import Synchronization
import Testing

@testable import RemindDaemon

@Suite("Undo of what many transactions did")
struct UndoPartsTests {
    private let world: World

    init() throws { world = try World() }

    private func all() throws -> [Reminder] {
        try world.isolated { try $0.store.list(ListFilter(.all)) }
    }

    @Test(
        "A long import is taken back in parts: others come in between, and the next undo is another step"
    )
    func parts() throws {
        try world.add("Mine")
        let count = 2 * Engine.importSlice + 10
        let text = (1...count).map { "BEGIN:VTODO\nUID:\($0)\nSUMMARY:Tea\nEND:VTODO\n" }
        _ = try world.imports("BEGIN:VCALENDAR\n" + text.joined())
        #expect(try all().count == count + 1)
        let told = Mutex<[Bool]>([])
        let isDone = DispatchSemaphore(value: 0)
        for _ in 0..<2 {
            let answer = Engine.UndoAnswer(
                batch: 200,
                reply: { bytes, isLast in
                    told.withLock { $0.append(isLast) }
                    if isLast { isDone.signal() }
                }, fail: { _ in isDone.signal() })
            world.engine.run { $0.undo(answer) }
        }
        for _ in 0..<2 { try #require(isDone.wait(timeout: .now() + 60) == .success) }
        #expect(try all().isEmpty)
        let replies = told.withLock { $0 }
        #expect(replies.filter { $0 }.count == 2)
        // One for each part at least.
        #expect(replies.count >= 4)
        #expect(try world.isolated { try $0.store.undoSteps(limit: 1).isEmpty })
    }
}
