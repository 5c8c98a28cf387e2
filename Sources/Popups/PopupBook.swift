/// Which pop-ups are wanted, which stand on the server under which id, and what to call next.
///
/// Pure: it makes no calls and knows no time. Ids belong to one run of one server and are all
/// forgotten when the server goes. For one key at most one call is under way; what changes
/// meanwhile is applied after it.
struct PopupBook {
    /// A call that is under way; never used twice.
    typealias Ticket = UInt64

    private struct Entry {
        /// nil: no longer wanted, kept until the call under way has come back.
        var popup: Popup?
        var id: UInt32?
        var call: Ticket?
        /// What the call under way replaces.
        var replaced: UInt32 = 0
        /// The server has not got `popup` yet.
        var isDue = false
        /// This showing has its answer; whatever else the server says about it is an echo.
        var isAnswered = false
    }

    /// Calls that may be under way at once: a server that hangs does not take more threads.
    static let callLimit = 16
    /// Pop-ups of earlier runs that wait for the server to tell its name, to be closed.
    static let leftoverLimit = 4096
    /// Ids known to be off the screen, so that no earlier pop-up under them is replaced.
    static let retiredLimit = 4096

    /// The unique bus name of the server that can be called now.
    private(set) var server: String?
    /// Only what passes it is shown; the rest waits.
    var isInhibited = false
    private var entries: [String: Entry] = [:]
    private var keysByID: [UInt32: String] = [:]
    private var keysByTicket: [Ticket: String] = [:]
    /// Calls whose caller has given up waiting; their pop-ups are closed when they come back.
    private var orphans: Set<Ticket> = []
    private var due: [String] = []
    private var refused: [String] = []
    private var closing: [UInt32] = []
    private var leftovers: [ShownPopup] = []
    private var parked = ParkedSignals()
    private var retired: Set<UInt32> = []
    var justClosed = JustClosed()
    private var lastTicket: Ticket = 0

    /// Whether anything is wanted that is not on the screen.
    var isWaiting: Bool { entries.values.contains { $0.isDue && $0.popup != nil } }
    var refusedCount: Int { refused.count }

    // MARK: What is wanted

    mutating func show(_ popup: Popup) {
        var entry = entries[popup.key] ?? Entry()
        entry.popup = popup
        entry.isDue = true
        entries[popup.key] = entry
        refused.removeAll { $0 == popup.key }
        due.append(popup.key)
    }

    mutating func close(key: String, earlier: ShownPopup?) {
        let standing = entries[key]?.id ?? 0
        if let earlier, earlier.id != standing { closeLeftover(earlier) }
        guard var entry = entries[key] else { return }
        entry.popup = nil
        entry.isDue = false
        refused.removeAll { $0 == key }
        if let id = entry.id { retire(id, closing: true) }
        entry.id = nil
        entries[key] = entry.call == nil ? nil : entry
    }

    private mutating func closeLeftover(_ popup: ShownPopup) {
        if popup.serverBusName == server {
            let isAnothers = keysByID[popup.id] != nil
            if !isAnothers, !retired.contains(popup.id) { retire(popup.id, closing: true) }
        } else if server == nil, leftovers.count < Self.leftoverLimit {
            leftovers.append(popup)
        }
    }

    /// No pop-up has the id 0, whatever a server says: it names none that could go.
    private mutating func retire(_ id: UInt32, closing isClosing: Bool) {
        guard id != 0 else { return }
        keysByID[id] = nil
        if retired.count >= Self.retiredLimit { retired.removeAll() }
        retired.insert(id)
        if isClosing, server != nil { closing.append(id) }
    }

    // MARK: The server

    /// A server can be called: all that is wanted is shown on it.
    mutating func serverReady(_ busName: String) {
        serverGone()
        server = busName
        let old = leftovers
        leftovers = []
        for popup in old { closeLeftover(popup) }
    }

    /// No server can be called: its ids and the calls under way mean nothing any more.
    mutating func serverGone() {
        server = nil
        keysByID = [:]
        keysByTicket = [:]
        orphans = []
        parked = ParkedSignals()
        retired = []
        justClosed = JustClosed()
        closing = []
        refused = []
        var seen: Set<String> = []
        due = (due + entries.keys.sorted()).filter {
            entries[$0] != nil && seen.insert($0).inserted
        }
        entries = entries.compactMapValues { entry in
            entry.popup.map { Entry(popup: $0, isDue: true) }
        }
    }

    /// What to call now. Each `show` is to be followed by ``finish(_:_:)`` with its ticket.
    mutating func nextCommands() -> [Command] {
        guard let server else { return [] }
        var commands = closing.map { Command.close($0) }
        closing = []
        var busy: [String] = []
        var index = 0
        while index < due.count, keysByTicket.count - orphans.count < Self.callLimit {
            let key = due[index]
            index += 1
            guard var entry = entries[key], entry.isDue, let popup = entry.popup else { continue }
            guard entry.call == nil, !isInhibited || popup.passesInhibition else {
                busy.append(key)
                continue
            }
            lastTicket += 1
            entry.call = lastTicket
            entry.isDue = false
            entry.replaced = entry.id ?? earlierID(of: popup, on: server)
            entries[key] = entry
            keysByTicket[lastTicket] = key
            commands.append(.show(lastTicket, popup, replacing: entry.replaced))
        }
        due = busy + due[index...]
        return commands
    }

    private func earlierID(of popup: Popup, on server: String) -> UInt32 {
        guard let earlier = popup.earlier, earlier.serverBusName == server else { return 0 }
        return retired.contains(earlier.id) || keysByID[earlier.id] != nil ? 0 : earlier.id
    }

    // MARK: What came back

    /// A `Notify` came back. Tickets from before the current server are ignored.
    mutating func finish(_ ticket: Ticket, _ outcome: Outcome) -> [PresenterEvent] {
        guard let server, let key = keysByTicket.removeValue(forKey: ticket) else { return [] }
        guard orphans.remove(ticket) == nil, var entry = entries[key] else {
            if case .shown(let id) = outcome, keysByID[id] == nil { retire(id, closing: true) }
            return []
        }
        entry.call = nil
        var events: [PresenterEvent] = []
        switch outcome {
        case .shown(let id): events = shown(id, &entry, key: key, on: server)
        case .refused(let message):
            entries[key] = entry
            events = refuse(key, message)
        }
        if keysByTicket.isEmpty { parked = ParkedSignals() }
        return events
    }

    private mutating func shown(
        _ id: UInt32, _ entry: inout Entry, key: String, on server: String
    ) -> [PresenterEvent] {
        if let old = entry.id, old != id { retire(old, closing: true) }
        guard entry.popup != nil else {
            entries[key] = nil
            retire(id, closing: true)
            return []
        }
        if id == entry.replaced, retired.contains(id) { return showAnew(id, entry, key) }
        entry.id = id == 0 ? nil : id
        entry.isAnswered = false
        entries[key] = entry
        let told = PresenterEvent.shown(key: key, serverBusName: server, id: id)
        guard id != 0 else { return [told] }
        // One id is one pop-up: a server that gives it twice means the later one by it.
        if let other = keysByID.updateValue(key, forKey: id), other != key {
            entries[other]?.id = nil
        }
        retired.remove(id)
        justClosed.forget(id)
        return [told] + replay(id)
    }

    /// The pop-up went while it was being replaced. Plasma takes the id of one that has gone, and shows
    /// nothing.
    private mutating func showAnew(_ id: UInt32, _ entry: Entry, _ key: String) -> [PresenterEvent]
    {
        retire(id, closing: true)
        entries[key] = entry
        entries[key]?.isDue = true
        due.append(key)
        return []
    }

    private mutating func refuse(_ key: String, _ message: String) -> [PresenterEvent] {
        guard let entry = entries[key], entry.popup != nil else {
            entries[key] = nil
            return []
        }
        if !entry.isDue {
            entries[key]?.isDue = true
            refused.append(key)
        }
        return [.failed(key: key, message: message)]
    }

    /// The caller no longer waits for `ticket`; its pop-up counts as refused, and is closed if it
    /// comes nevertheless.
    mutating func giveUp(_ ticket: Ticket) {
        guard let key = keysByTicket[ticket], orphans.insert(ticket).inserted else { return }
        entries[key]?.call = nil
        _ = refuse(key, "")
    }

    /// No answer has come for `ticket` within the time limit; it may still come.
    func unanswered(_ ticket: Ticket) -> [PresenterEvent] {
        guard let key = keysByTicket[ticket], !orphans.contains(ticket) else { return [] }
        return [.failed(key: key, message: "The notification server does not answer.")]
    }

    /// Tries the pop-up that was refused first: one, so that a server in trouble is not flooded.
    mutating func retry() {
        guard !refused.isEmpty else { return }
        due.append(refused.removeFirst())
    }

    /// Tries all that were refused, after one of them had gone through.
    mutating func retryAll() {
        due += refused
        refused = []
    }

    // MARK: Signals

    /// `ActionInvoked` of the current server. A pop-up is over with its first answer, whether the server
    /// takes it away by itself or not: what is shown for its key from now on is a new one.
    mutating func action(_ id: UInt32, _ action: String) -> [PresenterEvent] {
        if justClosed.key(of: id) != nil { return justClosed.answer(id, action) }
        guard let key = keysByID[id] else {
            park(.action(id, action))
            return []
        }
        guard let entry = entries[key], let popup = entry.popup, !entry.isAnswered,
            popup.actions.contains(where: { $0.key == action })
        else { return [] }
        entries[key]?.isAnswered = true
        entries[key]?.id = nil
        retire(id, closing: true)
        return [.answered(key: key, action: action)]
    }

    /// `NotificationClosed` of the current server.
    mutating func closed(_ id: UInt32, reason: UInt32) -> [PresenterEvent] {
        guard let key = keysByID[id] else {
            park(.closed(id, reason))
            retire(id, closing: false)
            return []
        }
        retire(id, closing: false)
        guard let entry = entries[key], entry.id == id else { return [] }
        entries[key]?.id = nil
        guard let popup = entry.popup, !entry.isAnswered else { return [] }
        entries[key]?.isAnswered = true
        justClosed.keep(id, popup, reason: reason)
        return reason == 2 ? [.dismissed(key: key)] : [.closedUnanswered(key: key, reason: reason)]
    }

    private mutating func park(_ signal: ParkedSignals.Signal) {
        if !keysByTicket.isEmpty { parked.keep(signal) }
    }

    private mutating func replay(_ id: UInt32) -> [PresenterEvent] {
        parked.take(id).flatMap { signal in
            switch signal {
            case .action(_, let key): action(id, key)
            case .closed(_, let reason): closed(id, reason: reason)
            }
        }
    }
}
