import Popups
import RemindAPI
import RemindCore
import Store

/// What keeps pop-ups on the screen until they are answered, and as the settings have them.
///
/// A pop-up that the server takes away is no answer, so it comes back. Two kinds of server do that.
/// One keeps a few pop-ups a program and expires the oldest (GNOME Shell: three): shown again it would
/// push out the next one, and so on for ever. There, all become one digest, which is one pop-up and
/// stays one until the last of it is answered. The other lets everything go after a while, whatever
/// we ask for: there, what is alone on the screen comes back later, each time after twice as long.
extension Engine {
    /// How long what was dropped waits to come back, at first and at most, in milliseconds.
    static let firstDropDelay: Int64 = 60_000
    static let longestDropDelay: Int64 = 3_600_000

    /// The server took a pop-up away: expired (1), by another program (3), or undefined (4).
    func wasDropped(_ key: String, reason: UInt32) {
        Journal.info("the pop-up \(key) went unanswered (reason \(reason)); it still rings")
        // It stood as long as the configuration wants.
        if reason == 1, settings.popupTimeout != nil { return }
        // Not if all of it is held back. A store that cannot be read says nothing.
        if (try? reminders(of: key))?.allSatisfy({ held.contains($0.number) }) == true { return }
        if digest == nil, visibleCount > 1 { return beginDigest() }
        if dropped.isEmpty {
            setTimer(Self.dropKey, at: clock.now.advanced(byMilliseconds: dropDelay))
            dropDelay = min(dropDelay * 2, Self.longestDropDelay)
            arm()
        }
        dropped.insert(key)
    }

    /// What was dropped comes back; what cannot be read, later.
    func showDropped() {
        let keys = dropped
        dropped = []
        for key in keys.sorted() {
            if key == Self.digestKey {
                if digest != nil { showDigest(expanded: true) }
            } else if digest == nil {
                showAgain(key)
            }
        }
        watchDropped()
    }

    private func showAgain(_ key: String) {
        do {
            try reminders(of: key).filter { !held.contains($0.number) }.forEach(presentOne)
        } catch {
            Journal.error("the pop-up \(key) cannot be shown again yet: \(error)")
            dropped.insert(key)
        }
    }

    /// The wheel was built anew.
    func watchDropped() {
        guard !dropped.isEmpty else { return }
        setTimer(Self.dropKey, at: clock.now.advanced(byMilliseconds: dropDelay))
    }

    func forgetDropped() {
        dropped = []
        dropDelay = Self.firstDropDelay
        cancelTimer(Self.dropKey)
    }

    /// What stands on the screen gets the buttons, the sound and the time limit of the settings as
    /// they now are.
    /// - Parameter old: the settings with which it was shown.
    func relabel(from old: Settings) {
        guard !old.looks(like: settings), visibleCount > 0 else { return }
        if digest != nil {
            silent.insert(Self.digestKey)
            return showDigest(expanded: digestIsExpanded)
        }
        if visibleCount > settings.digestAbove { return beginDigest() }
        for reminder in ringingReminders() where !held.contains(reminder.number) {
            silent.insert(reminder.id.text)
            presentOne(reminder)
        }
    }
}

extension Settings {
    /// Whether pop-ups are the same by both.
    fileprivate func looks(like other: Settings) -> Bool {
        snooze == other.snooze && longSnooze == other.longSnooze && sound == other.sound
            && popupTimeout == other.popupTimeout && digestAbove == other.digestAbove
    }
}
