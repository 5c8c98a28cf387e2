import RemindCore

/// A pop-up that was shown on a notification server: what a restarted daemon needs to replace it
/// or to take it away.
package struct PopupRecord: Hashable, Sendable {
    /// The pop-up's key: the text of the reminder's identifier, or what the engine chose.
    package let key: String
    /// The server's unique name on the bus, such as `:1.42`.
    package let server: String
    /// The id that the server gave.
    package let id: UInt32

    package init(key: String, server: String, id: UInt32) {
        (self.key, self.server, self.id) = (key, server, id)
    }
}

/// Pop-ups on the screen. A record outlives its reminder until it is removed.
extension Store {
    package func setPopup(_ popup: PopupRecord) throws(StoreError) {
        let statement = try connection.statement(.upsertPopup)
        defer { statement.reset() }
        try statement.bind(popup.key).bind(popup.server).bind(Int64(popup.id)).run()
    }

    package func popup(key: String) throws(StoreError) -> PopupRecord? {
        let statement = try connection.statement(.popup)
        return try popups(statement.bind(key)).first
    }

    /// All of them, by key.
    package func popups() throws(StoreError) -> [PopupRecord] {
        try popups(connection.statement(.popups))
    }

    package func removePopup(key: String) throws(StoreError) {
        let statement = try connection.statement(.deletePopup)
        defer { statement.reset() }
        try statement.bind(key).run()
    }

    private func popups(_ statement: Statement) throws(StoreError) -> [PopupRecord] {
        defer { statement.reset() }
        var result: [PopupRecord] = []
        while try statement.step() {
            result.append(
                PopupRecord(
                    key: statement.text(0), server: statement.text(1),
                    id: UInt32(clamping: statement.integer(2))))
        }
        return result
    }
}

/// Small facts that outlive a run, by name: until when the daemon is paused, and the like.
extension Store {
    package func meta(_ key: String) throws(StoreError) -> String? {
        let statement = try connection.statement(.meta)
        defer { statement.reset() }
        return try statement.bind(key).step() ? statement.text(0) : nil
    }

    /// `nil` removes it.
    package func setMeta(_ key: String, _ value: String?) throws(StoreError) {
        let statement = try connection.statement(value == nil ? .deleteMeta : .upsertMeta)
        defer { statement.reset() }
        statement.bind(key)
        if value != nil { statement.bind(value) }
        try statement.run()
    }
}
