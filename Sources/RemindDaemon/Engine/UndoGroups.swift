import RemindCore
import Store

/// A change of a user's, and the group that it belongs to when a command makes it in several calls.
struct ChangeKind {
    let what: UserChange.What
    let group: String?

    init(_ what: UserChange.What, group: String? = nil) { (self.what, self.group) = (what, group) }
}

extension Engine {
    /// The change as it goes into the store: one with the last group goes on with its step.
    func userChange(_ kind: ChangeKind) -> UserChange {
        let step = kind.group != nil && kind.group == lastGroup?.name ? lastGroup?.step : nil
        return UserChange(kind.what, at: clock.now, step: step)
    }

    /// After the commit.
    func remember(group: String?) {
        guard let group, let step = store.lastStep else { return lastGroup = nil }
        lastGroup = (group, step)
    }
}
