import CNotify

/// What is said to the server, and what it says.
extension Desk {
    func show(_ popup: Popup) {
        book.show(popup)
        send()
        startServerSoon()
    }

    func close(key: String, earlier: ShownPopup?) {
        book.close(key: key, earlier: earlier)
        send()
    }

    /// A signal of the server.
    func heard(_ signal: String, _ values: [Reply.Value]) {
        if signal == "PropertiesChanged" { return propertiesChanged(values) }
        guard values.count == 2, case .number(let id) = values[0] else { return }
        let events: [PresenterEvent]
        switch (signal, values[1]) {
        case ("ActionInvoked", .text(let action)): events = book.action(id, action)
        case ("NotificationClosed", .number(let reason)):
            events = book.closed(id, reason: reason)
            if !events.isEmpty { after(seconds: 2) { $0.book.justClosed.forget(id) } }
        default: return
        }
        events.forEach(tell)
        send()
    }

    /// Makes the calls that are due.
    func send() {
        guard let connection, let owner, book.server != nil else { return }
        guard libnotify.open() else {
            return retryLater { desk in desk.send() }
        }
        for command in book.nextCommands() {
            switch command {
            case .close(let id): withdraw(id, from: owner, on: connection)
            case .show(let ticket, let popup, let id):
                let text = PopupText.fit(traps.adapted(popup), to: capabilities)
                libnotify.show(text, of: popup, replacing: id, on: connection) { outcome in
                    self.assumeIsolated { $0.finished(ticket, outcome) }
                }
            }
        }
    }

    /// Takes a pop-up off the screen, waiting for nothing.
    private func withdraw(_ id: UInt32, from owner: String, on connection: Handle) {
        if traps.keepsClosedPopups {
            let arguments = remindd_expiring_arguments("", id, 1)
            BusCall.server(owner, "Notify").send(
                on: connection, arguments, until: cancellable
            ) { _ in }
        }
        let tuple = g_variant_new_tuple([g_variant_new_uint32(id)], 1)
        BusCall.server(owner, "CloseNotification").send(
            on: connection, tuple, until: cancellable
        ) { _ in }
    }

    private func finished(_ ticket: PopupBook.Ticket, _ outcome: Libnotify.Outcome) {
        libnotify.callFinished()
        guard !isStopped else { return endWhenIdle() }
        switch outcome {
        case .shown(let id): settle(ticket, .shown(id))
        case .refused(let error): settle(ticket, .refused(error.message))
        case .unanswered(let serial): waitForLateReply(ticket, serial)
        }
    }

    private func settle(_ ticket: PopupBook.Ticket, _ outcome: PopupBook.Outcome) {
        let events = book.finish(ticket, outcome)
        events.forEach(tell)
        if case .shown = outcome, !events.isEmpty {
            callBackoff = Backoff()
            book.retryAll()
        }
        send()
        retryRefused()
    }

    private func retryRefused() {
        guard book.hasRefused else { return }
        retryLater { desk in
            desk.book.retry()
            desk.send()
        }
    }

    private func retryLater(_ retry: @escaping @Sendable (isolated Desk) -> Void) {
        guard !isRetryArmed else { return }
        isRetryArmed = true
        after(seconds: callBackoff.next()) { desk in
            desk.isRetryArmed = false
            retry(desk)
        }
    }

    // MARK: A server that does not answer

    /// The server has the message: it is not sent again while the server hangs, for then it would
    /// stand there twice.
    private func waitForLateReply(_ ticket: PopupBook.Ticket, _ serial: UInt32) {
        let events = book.unanswered(ticket)
        guard let connection, let owner, !events.isEmpty else { return }
        events.forEach(tell)
        lateReplies.await(serial: serial) { id in
            self.post { $0.settle(ticket, id.map { .shown($0) } ?? .refused("no answer")) }
        }
        let ping = BusCall(
            destination: owner, path: "/", interface: "org.freedesktop.DBus.Peer", method: "Ping")
        ping.send(on: connection, until: cancellable) { _ in
            self.after(seconds: 60) { desk in
                desk.book.giveUp(ticket)
                desk.retryRefused()
            }
        }
    }
}
