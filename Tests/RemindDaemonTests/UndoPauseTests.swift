import RemindAPI
import RemindCore
import Store
import Testing

@testable import RemindDaemon

@Suite("Undo of pause and resume")
struct UndoPauseTests {
    private let world: World

    init() throws { world = try World() }

    private func undo() throws -> String {
        try world.isolated { engine in
            var text = ""
            try engine.undo(batch: 10) { bytes, _ in text += String(decoding: bytes, as: UTF8.self)
            }
            return text
        }
    }

    private func isPaused() -> Bool { world.isolated { $0.hold(at: $0.clock.now) != nil } }

    @Test("A pause is taken back: what it held back is shown, and the task before it stays")
    func pause() throws {
        let task = try world.add("Pay rent", at: "11:00")
        try world.isolated { try $0.pause(until: nil) }
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(world.shown.isEmpty)
        let text = try undo()
        #expect(text.contains(#""what":"pause""#))
        #expect(text.contains(#""count":0,"number":0,"title":"""#))
        #expect(text.contains("pop-ups are shown again"))
        #expect(!isPaused())
        #expect(world.shown == ["Pay rent"])
        #expect(try world.reminder(task.number).alarm.state == .ringing)
        #expect(try undo().contains(#""what":"add""#))
    }

    @Test("A resume is taken back: the pause goes on until its end")
    func resume() throws {
        let end = try #require(Instant(rfc3339: "2024-05-01T12:00:00+02:00"))
        try world.isolated { try $0.pause(until: end) }
        try world.isolated { try $0.resume() }
        #expect(!isPaused())
        #expect(try undo().contains("pop-ups are held back until 12:00"))
        #expect(world.isolated { $0.hold(at: $0.clock.now) } == Hold(cause: .pause, until: end))
    }

    @Test("To resume where nothing is held back is no step")
    func nothing() throws {
        try world.isolated { try $0.resume() }
        #expect(throws: APIError.self) { try undo() }
    }
}
