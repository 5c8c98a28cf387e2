import Testing

@testable import Popups

@Suite("Traps of notification servers")
struct ServerTrapsTests {
    private static let long = String(repeating: "word ", count: 30) + "end"

    @Test(
        "Title that the server would cut stands whole in the body",
        arguments: ["gnome-shell", "Plasma", "Xfce Notify Daemon"])
    func cutTitle(_ server: String) {
        let popup = Popup(key: "k", summary: Self.long, body: "Due 09:00")
        let adapted = ServerTraps(of: server).adapted(popup)
        #expect(adapted.summary == Self.long)
        #expect(adapted.body == Self.long + "\nDue 09:00")
    }

    @Test("Title that is too long for any summary stands whole in the body")
    func veryLongTitle() {
        let title = String(repeating: "word ", count: 60) + "end"
        let popup = Popup(key: "k", summary: title, body: "Due 09:00")
        #expect(ServerTraps(of: "anything").adapted(popup).body == title + "\nDue 09:00")
    }

    @Test(
        "Title that is shown whole is not said twice",
        arguments: [
            ("dunst", Self.long), ("Notification Daemon", Self.long), ("anything", Self.long),
            ("gnome-shell", String(repeating: "a", count: 44)),
            ("gnome-shell", String(repeating: "植", count: 22)),
            ("Plasma", String(repeating: "a", count: 90)),
        ])
    func wholeTitle(_ server: String, _ title: String) {
        let popup = Popup(key: "k", summary: title, body: "Due 09:00")
        #expect(ServerTraps(of: server).adapted(popup) == popup)
    }

    @Test("Characters of two columns fill a line with half as many")
    func wideTitle() {
        let popup = Popup(key: "k", summary: String(repeating: "植", count: 23))
        #expect(ServerTraps(of: "gnome-shell").adapted(popup).body == popup.summary)
    }

    @Test(
        "Button that reads as the default action is left out where that is a button too",
        arguments: [
            ("Xfce Notify Daemon", ["default", "done"]), ("dunst", ["default", "done"]),
            ("gnome-shell", ["default", "show", "done"]), ("Plasma", ["default", "show", "done"]),
        ])
    func twoOfOne(_ server: String, _ keys: [String]) {
        let popup = Popup(
            key: "k", summary: "12 reminders",
            actions: [
                PopupAction(key: "default", label: "Show"),
                PopupAction(key: "show", label: "Show"),
                PopupAction(key: "done", label: "Done all"),
            ])
        #expect(ServerTraps(of: server).adapted(popup).actions.map(\.key) == keys)
    }

    @Test(
        "Only notification-daemon keeps what it was told to close",
        arguments: [("Notification Daemon", true), ("dunst", false), ("", false)])
    func keeping(_ server: String, _ keeps: Bool) {
        #expect(ServerTraps(of: server).keepsClosedPopups == keeps)
    }
}
