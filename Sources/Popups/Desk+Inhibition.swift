import CNotify

/// “Do not disturb”: the server's property `Inhibited`, which not every server has (KDE Plasma's
/// `org.freedesktop.Notifications`, outside the specification).
extension Desk {
    /// How long the server has for the property, in milliseconds: one that does not answer has none.
    private static let limit: gint = 2000

    /// Asks, and goes on with the answer noted. Without the property nothing is inhibited.
    func askInhibited(_ busName: String, _ next: @escaping @Sendable (isolated Desk) -> Void) {
        guard let connection, owner == busName else { return }
        let names = [
            g_variant_new_string(BusCall.notifications), g_variant_new_string("Inhibited"),
        ]
        BusCall.getProperty(of: busName).send(
            on: connection, g_variant_new_tuple(names, gsize(names.count)), within: Self.limit,
            until: cancellable
        ) { reply in
            self.assumeIsolated { desk in
                guard desk.owner == busName, !desk.isStopped else { return }
                if case .success(let reply) = reply, case .flag(let flag)? = reply.values.first {
                    desk.note(inhibited: flag)
                }
                next(desk)
            }
        }
    }

    /// `org.freedesktop.DBus.Properties.PropertiesChanged`: interface, values, names without values.
    func propertiesChanged(_ values: [Reply.Value]) {
        guard values.count == 3, values[0] == .text(BusCall.notifications), let owner,
            case .named(let changed) = values[1], case .texts(let invalidated) = values[2]
        else { return }
        if case .flag(let flag)? = changed["Inhibited"] {
            note(inhibited: flag)
        } else if invalidated.contains("Inhibited") {
            askInhibited(owner) { _ in }
        }
    }

    /// Told only of a server that has been told of; its first state comes with it.
    private func note(inhibited: Bool) {
        guard book.isInhibited != inhibited else { return }
        book.isInhibited = inhibited
        guard book.server != nil || arrived != nil else { return }
        tell(.inhibitionChanged(inhibited))
        send()
    }
}
