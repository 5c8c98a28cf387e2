import Foundation
import Testing

@testable import Popups

/// One test after the other: the session bus is the process's.
@Suite("On the bus", .serialized)
enum OnTheBus {}

/// Runs a test with a bus and a presenter of its own.
func onBus(_ body: (PrivateBus, Watched) throws -> Void) throws {
    let bus = try PrivateBus()
    let watched = Watched()
    defer {
        watched.end()
        bus.end()
    }
    try body(bus, watched)
}

/// The event that the tea is shown.
func shown(_ id: UInt32, _ server: RecordingServer)
    -> PresenterEvent
{
    .shown(key: "tea", serverBusName: server.busName + "@" + busID(), id: id)
}

/// The bus's own id, as any of its clients sees it.
private func busID() -> String {
    let address = ProcessInfo.processInfo.environment["DBUS_SESSION_BUS_ADDRESS"] ?? ""
    return address.split(separator: "guid=").last.map(String.init) ?? ""
}
