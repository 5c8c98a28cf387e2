package import RemindCore

/// Reminders, one by one. All are served by an index: their cost does not grow with the store.
extension Store {
    /// Adds `reminder`. Its number is given by the store, unless it has one already: a reminder
    /// that was deleted comes back under the number that it had.
    ///
    /// - Parameter due: the deadline as an instant in the machine's present zone; `nil`: undated.
    /// - Returns: its number, which no other reminder ever had.
    @discardableResult
    package func insert(_ reminder: Reminder, due: Instant?) throws(StoreError) -> Int64 {
        var number = reminder.number
        try atomically { () throws(StoreError) in
            let statement = try connection.statement(.insertTask)
            defer { statement.reset() }
            try ReminderRow.bind(reminder, due: due, to: statement)
                .bind(number == 0 ? nil : number).run()
            number = connection.lastInsertedRow
            rememberNew(number, title: reminder.title)
            try addToIndex(SearchText(reminder), of: number)
            if reminder.alarm != .silent {
                try write(reminder.alarm, of: number, by: .insertAlarm)
            }
            try write(reminder.tags, of: number)
        }
        return number
    }

    /// Makes the stored reminder of this number equal to `reminder`, with its alarm and its tags.
    /// Does nothing when there is none.
    ///
    /// - Parameter due: as in `insert`.
    package func update(_ reminder: Reminder, due: Instant?) throws(StoreError) {
        try atomically { () throws(StoreError) in
            try remember(reminder.number)
            recording?.rename(reminder.number, reminder.title)
            let sameTexts = try hasTexts(of: reminder)
            let statement = try connection.statement(.updateTask)
            defer { statement.reset() }
            try ReminderRow.bind(reminder, due: due, to: statement).bind(reminder.number).run()
            guard connection.changedRows > 0 else { return }
            if !sameTexts {
                try replaceInIndex(SearchText(reminder), of: reminder.number)
            }
            try write(reminder.alarm, of: reminder.number)
            guard try tags(of: reminder.number) != reminder.tags else { return }
            try execute(.deleteTags, reminder.number)
            try write(reminder.tags, of: reminder.number)
        }
    }

    /// Writes the alarm alone: a short row, whatever the reminder holds.
    package func update(_ alarm: Alarm, of number: Int64) throws(StoreError) {
        try remember(number)
        try write(alarm, of: number)
    }

    /// Deletes the reminder with all that belongs to it; its log and its pop-up's record stay.
    ///
    /// - Returns: false when there is none.
    @discardableResult
    package func delete(number: Int64) throws(StoreError) -> Bool {
        var isGone = false
        try atomically { () throws(StoreError) in
            try remember(number)
            try removeFromIndex(number)
            try execute(.deleteTask, number)
            isGone = connection.changedRows > 0
        }
        return isGone
    }

    package func reminder(number: Int64) throws(StoreError) -> Reminder? {
        let statement = try connection.statement(.byNumber)
        return try reminders(statement.bind(number)).first
    }

    package func reminder(id: UUIDv7) throws(StoreError) -> Reminder? {
        let statement = try connection.statement(.byID)
        return try reminders(statement.bind(id)).first
    }

    /// Fewer hexadecimal digits than this name nothing.
    package static let shortestReference = 4

    /// The reminders whose identifier begins with `hex`: 4 to 32 hexadecimal digits without dashes,
    /// of any case; nothing matches other texts.
    ///
    /// - Parameter limit: how many at most; two say that a reference is not unique.
    package func reminders(idPrefix hex: String, limit: Int = 2) throws(StoreError) -> [Reminder] {
        guard let range = UUIDv7.range(hexPrefix: hex) else { return [] }
        let statement = try connection.statement(.byIDRange)
        return try reminders(statement.bind(range.lowerBound).bind(range.upperBound).bind(limit))
    }

    /// The reminders whose identifier ends with `hex`; as `reminders(idPrefix:limit:)`. Reads those
    /// whose last two bytes are the same, one in 65,536.
    package func reminders(idSuffix hex: String, limit: Int = 2) throws(StoreError) -> [Reminder] {
        let digits = hex.uppercased()
        guard UUIDv7.range(hexPrefix: hex) != nil, let last = UInt16(digits.suffix(4), radix: 16)
        else { return [] }
        let statement = try connection.statement(.byIDEnding)
        return try reminders(statement.bind(last).bind(digits).bind(limit))
    }

    /// The reminder that rang last, of those that still exist.
    package func lastRung() throws(StoreError) -> Reminder? {
        try reminders(connection.statement(.lastRung)).first
    }

    /// All that ring and have not been answered, the longest first.
    package func ringing() throws(StoreError) -> [Reminder] {
        try reminders(connection.statement(.ringing))
    }

    /// The reminders that ring next, in the order of their `nextRing`; `limit` at most.
    package func nextRings(limit: Int) throws(StoreError) -> [Reminder] {
        let statement = try connection.statement(.nextRings)
        return try reminders(statement.bind(limit))
    }

    /// All rows of a bound statement, which is given back.
    private func reminders(_ statement: Statement) throws(StoreError) -> [Reminder] {
        defer { statement.reset() }
        var result: [Reminder] = []
        while try statement.step() {
            result.append(try ReminderRow.read(statement, path: path))
        }
        return result
    }

    /// Whether the stored texts are these; folding them would cost more than asking.
    private func hasTexts(of reminder: Reminder) throws(StoreError) -> Bool {
        let statement = try connection.statement(.textsAreEqual)
        defer { statement.reset() }
        return try statement.bind(reminder.number).bind(reminder.title).bind(reminder.list)
            .bind(reminder.note).bind(Codec.text(tags: reminder.tags)).step()
    }

    /// - Parameter query: `insertAlarm` where there is none yet: that takes one step less.
    private func write(_ alarm: Alarm, of number: Int64, by query: Query = .upsertAlarm)
        throws(StoreError)
    {
        guard alarm != .silent else { return try execute(.deleteAlarm, number) }
        let statement = try connection.statement(query)
        defer { statement.reset() }
        try ReminderRow.bind(alarm, of: number, to: statement).run()
    }

    private func write(_ tags: [String], of number: Int64) throws(StoreError) {
        for tag in tags {
            let statement = try connection.statement(.insertTag)
            defer { statement.reset() }
            try statement.bind(number).bind(tag).run()
        }
    }

    private func tags(of number: Int64) throws(StoreError) -> [String] {
        let statement = try connection.statement(.tags)
        defer { statement.reset() }
        statement.bind(number)
        var tags: [String] = []
        while try statement.step() { tags.append(statement.text(0)) }
        return tags
    }

    /// Runs a statement whose one parameter is a reminder's number.
    func execute(_ query: Query, _ number: Int64) throws(StoreError) {
        let statement = try connection.statement(query)
        defer { statement.reset() }
        try statement.bind(number).run()
    }
}

extension UUIDv7 {
    /// All identifiers whose 32 digits begin with `hex`; `nil` unless that is 4 to 32 of them.
    fileprivate static func range(hexPrefix hex: String) -> ClosedRange<UUIDv7>? {
        let digits = hex.utf8.count
        guard (Store.shortestReference...32).contains(digits), hex.allSatisfy(\.isHexDigit),
            hex.allSatisfy(\.isASCII)
        else { return nil }
        let lowest = hex + String(repeating: "0", count: 32 - digits)
        let highest = hex + String(repeating: "f", count: 32 - digits)
        guard let lower = UUIDv7(hex: lowest), let upper = UUIDv7(hex: highest) else { return nil }
        return lower...upper
    }

    private init?(hex: String) {
        guard let high = UInt64(hex.prefix(16), radix: 16),
            let low = UInt64(hex.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }
}
