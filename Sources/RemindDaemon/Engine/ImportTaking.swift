import RemindCore
import Store

/// Takes one task of a file into the store.
extension Engine {
    /// - Returns: `nil` when it is left alone.
    func take(
        _ candidate: ImportCandidate, _ run: ImportRun, _ context: ImportConversion
    ) throws -> ImportChange? {
        let known = try store.calendarContent(uid: candidate.uid)
        if let known, known.content == candidate.content, run.folder == nil {
            run.note(.unchanged, candidate, number: known.number)
            return nil
        }
        guard let meeting = try meeting(candidate, run, isItem: known != nil) else {
            return try insert(candidate, run, context)
        }
        guard meeting.isWanted else {
            if !meeting.isSameFile { try setFile(meeting, run, agreed: nil) }
            run.note(.unchanged, candidate, number: meeting.existing.number)
            return nil
        }
        return try update(meeting, run, context)
    }

    private func meeting(
        _ candidate: ImportCandidate, _ run: ImportRun, isItem: Bool
    ) throws -> ImportMeeting? {
        let item = isItem ? try store.calendarItem(uid: candidate.uid) : nil
        var existing: Reminder?
        if let item {
            existing = try store.reminder(number: item.number)
        } else if let id = UUIDv7(uid: candidate.uid) {
            existing = try store.reminder(id: id)
        }
        guard let existing else { return nil }
        var file: CalendarFileRecord?
        if let folder = run.folder, candidate.file != nil {
            file = try store.calendarFile(of: existing.number, folder: folder)
        }
        return ImportMeeting(
            candidate: candidate, existing: existing, known: item?.item, file: file)
    }

    private func insert(
        _ candidate: ImportCandidate, _ run: ImportRun, _ context: ImportConversion
    ) throws -> ImportChange {
        let ready = candidate.ready.flatMap { $0.by === timetable.mark ? $0.draft : nil }
        let draft = ready ?? candidate.draft(context, nil)
        var after = draft.reminder
        after.number = try store.insert(after, due: timetable.dueInstant(of: after))
        if !draft.isOwn {
            try store.setCalendarItem(
                candidate.record(draft.text, after.modified), of: after.number)
        }
        if let folder = run.folder, let file = candidate.file {
            try store.setCalendarFile(
                file.record(agreed: after.modified), of: after.number, folder: folder)
        }
        run.note(.added, candidate, number: after.number)
        return ImportChange(before: nil, after: after)
    }

    private func update(
        _ meeting: ImportMeeting, _ run: ImportRun, _ context: ImportConversion
    ) throws -> ImportChange? {
        let (candidate, existing) = (meeting.candidate, meeting.existing)
        let draft = candidate.draft(context, candidate.joins ? joinable(meeting) : meeting.known)
        var (after, outcome) = meeting.merged(draft.reminder, list: run.list, context)
        let isSame = after.isSame(as: existing)
        if isSame {
            after = existing
        } else {
            if outcome.keepsOurs {
                after = after.rearmed(timetable.facts(for: after, now: context.now))
            }
            if after.modified == existing.modified || outcome.keepsOurs {
                after.modified = max(context.now, existing.modified.advanced(byMilliseconds: 1))
            }
        }
        let agrees = !outcome.keepsOurs && after.state == draft.reminder.state
        if !draft.isOwn || meeting.known != nil {
            // What was kept is not in the text: it is put together anew at the next export.
            var record = candidate.record(draft.text, agrees ? after.modified : .earliest)
            if let content = draft.content { record.join(meeting.known, content: content) }
            try store.setCalendarItem(record, of: existing.number)
        }
        try setFile(meeting, run, agreed: agrees ? after.modified : nil)
        if let conflict = outcome.conflict { run.note(conflict: conflict, candidate) }
        run.note(isSame ? .unchanged : .changed, candidate, number: existing.number)
        guard !isSame else { return nil }
        try store.update(after, due: timetable.dueInstant(of: after))
        return ImportChange(before: existing, after: after)
    }

    /// What a change of an occurrence is joined to: a task that was made here, as an export has it.
    private func joinable(_ meeting: ImportMeeting) -> CalendarItemRecord {
        if let known = meeting.known, !known.text.isEmpty { return known }
        let calendar = CalendarText(schedule: timetable.schedule, now: clock.now)
        var record = meeting.candidate.record("", meeting.existing.modified)
        let lines = calendar.lines(ExportedReminder(reminder: meeting.existing, item: record))
        record.text = lines.joined(separator: "\n")
        return record
    }

    private func setFile(
        _ meeting: ImportMeeting, _ run: ImportRun, agreed: Instant?
    ) throws {
        guard let folder = run.folder, let file = meeting.candidate.file else { return }
        let record = file.record(agreed: agreed)
        guard meeting.file != record else { return }
        try store.setCalendarFile(record, of: meeting.existing.number, folder: folder)
    }
}

extension ImportFile {
    fileprivate func record(agreed: Instant?) -> CalendarFileRecord {
        CalendarFileRecord(name: name, content: content, agreed: agreed)
    }
}

extension ImportCandidate {
    fileprivate func record(_ text: String, _ stored: Instant) -> CalendarItemRecord {
        CalendarItemRecord(
            uid: uid, sequence: sequence, version: version, content: content, stored: stored,
            text: text)
    }
}

extension CalendarItemRecord {
    /// Of the newest version among what it was joined of.
    fileprivate mutating func join(_ known: CalendarItemRecord?, content: Int64) {
        self.content = content
        guard let known, (sequence, version) < (known.sequence, known.version) else { return }
        (sequence, version) = (known.sequence, known.version)
    }
}

extension Reminder {
    fileprivate func isSame(as existing: Reminder) -> Bool {
        var same = self
        same.modified = existing.modified
        return same == existing
    }
}
