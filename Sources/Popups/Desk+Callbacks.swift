import CNotify

// What GDBus calls, on the GLib thread, with a `Desk` as data. Nonisolated, since C calls it.

private nonisolated func desk(_ data: UnsafeMutableRawPointer) -> Desk {
    Unmanaged<Desk>.fromOpaque(data).takeUnretainedValue()
}

nonisolated func busConnected(
    _: UnsafeMutablePointer<GObject>?, _ result: OpaquePointer?, _ data: UnsafeMutableRawPointer?
) {
    guard let data else { return }
    let desk = Unmanaged<Desk>.fromOpaque(data).takeRetainedValue()
    let connection = Handle(g_bus_get_finish(result, nil))
    desk.assumeIsolated { $0.connected(connection) }
}

nonisolated func busClosed(
    _: OpaquePointer?, _: gboolean, _: UnsafeMutablePointer<GError>?,
    _ data: UnsafeMutableRawPointer?
) {
    guard let data else { return }
    // Not from within the emission: what is released there is still in use.
    desk(data).post { $0.disconnected() }
}

nonisolated func serverAppeared(
    _: OpaquePointer?, _: UnsafePointer<CChar>?, _ owner: UnsafePointer<CChar>?,
    _ data: UnsafeMutableRawPointer?
) {
    guard let data, let owner else { return }
    let name = String(cString: owner)
    desk(data).assumeIsolated { $0.ownerAppeared(name) }
}

nonisolated func serverVanished(
    _: OpaquePointer?, _: UnsafePointer<CChar>?, _ data: UnsafeMutableRawPointer?
) {
    guard let data else { return }
    desk(data).assumeIsolated { $0.ownerVanished() }
}

nonisolated func signalArrived(
    _: OpaquePointer?, _: UnsafePointer<CChar>?, _: UnsafePointer<CChar>?,
    _: UnsafePointer<CChar>?, _ signal: UnsafePointer<CChar>?, _ arguments: OpaquePointer?,
    _ data: UnsafeMutableRawPointer?
) {
    guard let data, let signal else { return }
    let name = String(cString: signal)
    let values = Reply(arguments).values
    desk(data).assumeIsolated { $0.heard(name, values) }
}
