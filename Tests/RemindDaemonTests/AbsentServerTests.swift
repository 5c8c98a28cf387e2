import Popups
import RemindAPI
import RemindCore
import Testing

@testable import RemindDaemon

@Suite("No notification server")
struct AbsentServerTests {
    private let dunst = ServerInfo(
        busName: ":1.7", name: "dunst", vendor: "d", version: "1", specVersion: "1.2")

    private func explained(_ world: World) throws -> String {
        try world.isolated { engine in
            var json = JSONWriter()
            try engine.explain("1", to: &json)
            return String(decoding: json.bytes, as: UTF8.self)
        }
    }

    @Test(
        "A ring without a server did not say how late its pop-up came: it says so, and explain too")
    func late() throws {
        let world = try World()
        try world.add("Tea", at: "11:00")
        world.screen(.serverVanished)
        try world.advance(to: "2024-05-01T11:00:00+02:00")
        #expect(try explained(world).contains("Nobody has seen it"))
        world.clock.now = try #require(Instant(rfc3339: "2024-05-01T11:42:00+02:00"))
        world.screen(.serverAppeared(dunst))
        #expect(world.popups.last?.body.contains("42 min late") == true)
        #expect(world.popups.last?.soundName != nil)
        #expect(world.popups.count == 2)
        #expect(try explained(world).contains("its pop-up came Wed 1 May 2024, 11:42"))
        // Another server later says nothing new.
        world.screen(.serverVanished)
        world.screen(.serverAppeared(dunst))
        #expect(world.popups.count == 2)
    }
}
