import Testing

@testable import Popups

@Suite("What to call for what is wanted")
struct PopupBookTests {
    let tea = Popup(key: "tea", summary: "Tea", actions: [PopupAction(key: "done", label: "Done")])

    private func ready(_ popups: Popup...) -> PopupBook {
        var book = PopupBook()
        popups.forEach { book.show($0) }
        book.serverReady(":1.1")
        return book
    }

    /// Takes the one show command that is due.
    private func ticket(_ book: inout PopupBook, replacing id: UInt32 = 0) throws -> UInt64 {
        let commands = book.nextCommands()
        guard case .show(let ticket, _, let replaced)? = commands.last, replaced == id else {
            Issue.record("got \(commands)")
            throw CancellationError()
        }
        return ticket
    }

    @Test("Nothing is called without a server, everything wanted when one comes")
    func waits() throws {
        var book = PopupBook()
        book.show(tea)
        #expect(book.nextCommands().isEmpty)
        #expect(book.isWaiting)
        book.serverReady(":1.1")
        let ticket = try ticket(&book)
        #expect(
            book.finish(ticket, .shown(7)) == [.shown(key: "tea", serverBusName: ":1.1", id: 7)])
        #expect(!book.isWaiting)
        #expect(book.nextCommands().isEmpty)
    }

    @Test("What changes during a call is applied after it, in place")
    func oneCallAtATime() throws {
        var book = ready(tea)
        let first = try ticket(&book)
        book.show(tea)
        book.show(tea)
        #expect(book.nextCommands().isEmpty)
        _ = book.finish(first, .shown(7))
        let second = try ticket(&book, replacing: 7)
        book.close(key: "tea", earlier: nil)
        #expect(book.nextCommands() == [.close(7)])
        #expect(book.finish(second, .shown(7)).isEmpty)
        #expect(book.nextCommands() == [.close(7)])
    }

    @Test("The first answer counts, and echoes are nothing")
    func answers() throws {
        var book = ready(tea)
        _ = book.finish(try ticket(&book), .shown(7))
        #expect(book.action(8, "done").isEmpty)
        #expect(book.action(7, "unknown").isEmpty)
        #expect(book.action(7, "done") == [.answered(key: "tea", action: "done")])
        #expect(book.action(7, "done").isEmpty)
        #expect(book.closed(7, reason: 2).isEmpty)
        #expect(book.closed(7, reason: 2).isEmpty)
    }

    @Test("What is shown after an answer is a new pop-up (Plasma lost a digest that was asked for)")
    func newAfterAnswer() throws {
        var book = ready(tea)
        _ = book.finish(try ticket(&book), .shown(7))
        #expect(!book.action(7, "done").isEmpty)
        #expect(book.nextCommands() == [.close(7)])
        book.show(tea)
        let next = try ticket(&book)
        #expect(book.closed(7, reason: 2).isEmpty)
        #expect(!book.finish(next, .shown(8)).isEmpty)
        #expect(book.action(8, "done") == [.answered(key: "tea", action: "done")])
    }

    @Test("What went while it was replaced is shown anew (Plasma takes the id and shows nothing)")
    func goneWhileReplaced() throws {
        var book = ready(tea)
        _ = book.finish(try ticket(&book), .shown(7))
        book.show(tea)
        let second = try ticket(&book, replacing: 7)
        #expect(book.closed(7, reason: 1) == [.closedUnanswered(key: "tea", reason: 1)])
        #expect(book.finish(second, .shown(7)).isEmpty)
        let commands = book.nextCommands()
        #expect(commands.first == .close(7))
        guard case .show(_, _, replacing: 0)? = commands.last else {
            return _ = Issue.record("got \(commands)")
        }
    }

    @Test(
        "Reason of a close decides what is told",
        arguments: [
            (2, PresenterEvent.dismissed(key: "tea")),
            (1, .closedUnanswered(key: "tea", reason: 1)),
            (3, .closedUnanswered(key: "tea", reason: 3)),
            (4, .closedUnanswered(key: "tea", reason: 4)),
        ] as [(UInt32, PresenterEvent)])
    func reasons(_ reason: UInt32, _ event: PresenterEvent) throws {
        var book = ready(tea)
        _ = book.finish(try ticket(&book), .shown(7))
        #expect(book.closed(7, reason: reason) == [event])
        #expect(book.nextCommands().isEmpty)
        book.show(tea)
        _ = try ticket(&book)
    }

    @Test(
        "A button that is told after the closing counts (awesomeWM/awesome#3836)",
        arguments: [
            (2, PresenterEvent.answeredAfterClose(key: "tea", action: "done")),
            (3, .answered(key: "tea", action: "done")), (4, .answered(key: "tea", action: "done")),
        ] as [(UInt32, PresenterEvent)])
    func closedBeforeAction(_ reason: UInt32, _ event: PresenterEvent) throws {
        var book = ready(tea)
        _ = book.finish(try ticket(&book), .shown(7))
        #expect(book.closed(7, reason: reason).count == 1)
        #expect(book.action(7, "unknown").isEmpty)
        #expect(book.action(7, "done") == [event])
        #expect(book.action(7, "done").isEmpty)
    }

    @Test(
        "A button of what has closed counts for a moment, and only while the id is not another's",
        arguments: ["time", "server", "answer", "close", "id"])
    func closedLongBeforeAction(end: String) throws {
        var book = ready(tea)
        _ = book.finish(try ticket(&book), .shown(7))
        if end == "answer" { _ = book.action(7, "done") }
        if end == "close" { book.close(key: "tea", earlier: nil) }
        _ = book.closed(7, reason: 3)
        switch end {
        case "time": book.justClosed.forget(7)
        case "server": book.serverReady(":1.2")
        case "id":
            book.show(Popup(key: "milk", summary: "Milk"))
            let ticket = try ticket(&book)
            _ = book.finish(ticket, .shown(7))
        default: break
        }
        #expect(book.action(7, "done").isEmpty)
    }

    @Test("Signals that come before the reply are told after it")
    func parked() throws {
        var book = ready(tea)
        let ticket = try ticket(&book)
        #expect(book.action(7, "done").isEmpty)
        #expect(book.closed(9, reason: 2).isEmpty)
        #expect(
            book.finish(ticket, .shown(7)) == [
                .shown(key: "tea", serverBusName: ":1.1", id: 7),
                .answered(key: "tea", action: "done"),
            ])
    }

    @Test("Ids and calls of an earlier server are void")
    func serverChange() throws {
        var book = ready(tea)
        _ = book.finish(try ticket(&book), .shown(7))
        book.show(tea)
        let old = try ticket(&book, replacing: 7)
        book.serverReady(":1.2")
        #expect(book.closed(7, reason: 2).isEmpty)
        let new = try ticket(&book)
        #expect(book.finish(old, .shown(8)).isEmpty)
        _ = book.finish(new, .shown(1))
        book.close(key: "tea", earlier: nil)
        #expect(book.nextCommands() == [.close(1)])
    }

    @Test("An earlier pop-up is replaced or closed only on its own server")
    func earlier() throws {
        var mine = tea
        mine.earlier = ShownPopup(serverBusName: ":1.1", id: 5)
        var book = ready(mine)
        _ = try ticket(&book, replacing: 5)
        book.serverReady(":1.2")
        _ = try ticket(&book)
        book.close(key: "other", earlier: ShownPopup(serverBusName: ":1.1", id: 6))
        #expect(book.nextCommands().isEmpty)
        book.close(key: "other", earlier: ShownPopup(serverBusName: ":1.2", id: 6))
        #expect(book.nextCommands() == [.close(6)])
    }

    @Test("An earlier pop-up that has gone meanwhile is not replaced")
    func earlierGone() throws {
        var mine = tea
        mine.earlier = ShownPopup(serverBusName: ":1.1", id: 5)
        var book = ready()
        #expect(book.closed(5, reason: 1).isEmpty)
        book.show(mine)
        _ = try ticket(&book)
    }

    @Test("An earlier pop-up is closed when its server tells its name later")
    func leftover() {
        var book = PopupBook()
        book.close(key: "tea", earlier: ShownPopup(serverBusName: ":1.1", id: 5))
        book.close(key: "tea", earlier: ShownPopup(serverBusName: ":1.9", id: 6))
        book.serverReady(":1.1")
        #expect(book.nextCommands() == [.close(5)])
    }

    @Test("A refused pop-up waits for the retry, one at a time")
    func refused() throws {
        var other = tea
        other.key = "milk"
        var book = ready(tea, other)
        let tickets = book.nextCommands().compactMap {
            if case .show(let ticket, _, _) = $0 { ticket } else { nil }
        }
        #expect(tickets.count == 2)
        for ticket in tickets {
            #expect(book.finish(ticket, .refused("no")).count == 1)
        }
        #expect(book.nextCommands().isEmpty)
        #expect(book.hasRefused)
        book.retry()
        let retried = try ticket(&book)
        #expect(book.nextCommands().isEmpty)
        _ = book.finish(retried, .shown(1))
        book.retryAll()
        _ = try ticket(&book)
        #expect(!book.hasRefused)
    }

    @Test("A call given up counts as refused, and its late pop-up is closed")
    func givenUp() throws {
        var book = ready(tea)
        let late = try ticket(&book)
        #expect(book.unanswered(late).count == 1)
        book.giveUp(late)
        book.retry()
        let second = try ticket(&book)
        _ = book.finish(second, .shown(2))
        #expect(book.finish(late, .shown(1)).isEmpty)
        #expect(book.nextCommands() == [.close(1)])
    }

    @Test("No more calls are under way than the limit")
    func callLimit() {
        var book = PopupBook()
        for number in 0...PopupBook.callLimit {
            book.show(Popup(key: "\(number)", summary: "s"))
        }
        book.serverReady(":1.1")
        let commands = book.nextCommands()
        #expect(commands.count == PopupBook.callLimit)
        guard case .show(let ticket, _, _)? = commands.first else { return }
        _ = book.finish(ticket, .shown(1))
        #expect(book.nextCommands().count == 1)
    }

    @Test("A new id for the same pop-up takes the old one off the screen")
    func newID() throws {
        var book = ready(tea)
        _ = book.finish(try ticket(&book), .shown(7))
        book.show(tea)
        _ = book.finish(try ticket(&book, replacing: 7), .shown(8))
        #expect(book.nextCommands() == [.close(7)])
        #expect(book.closed(7, reason: 3).isEmpty)
        #expect(book.action(8, "done").count == 1)
    }

    @Test(
        "A server that gives every pop-up the id 0 is not called without end, nor told to close 0")
    func idZero() throws {
        var book = ready(tea)
        let shown = book.finish(try ticket(&book), .shown(0))
        #expect(shown == [.shown(key: "tea", serverBusName: ":1.1", id: 0)])
        book.close(key: "tea", earlier: nil)
        _ = book.closed(0, reason: 2)
        book.show(tea)
        #expect(book.finish(try ticket(&book), .shown(0)).count == 1)
        #expect(book.nextCommands().isEmpty)
        #expect(book.action(0, "done").isEmpty)
    }

    @Test("An id given twice is the later pop-up's: closing the earlier one took that away")
    func idTwice() throws {
        var book = ready(tea)
        _ = book.finish(try ticket(&book), .shown(7))
        book.show(Popup(key: "milk", summary: "Milk", actions: tea.actions))
        _ = book.finish(try ticket(&book), .shown(7))
        book.show(tea)
        _ = book.finish(try ticket(&book), .shown(8))
        book.close(key: "tea", earlier: ShownPopup(serverBusName: ":1.1", id: 7))
        #expect(book.nextCommands() == [.close(8)])
        #expect(book.action(7, "done") == [.answered(key: "milk", action: "done")])
    }
}
