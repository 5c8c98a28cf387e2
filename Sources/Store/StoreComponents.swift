package import RemindCore

/// A component of a calendar that is no task, kept for the export.
package struct CalendarComponentRecord: Hashable, Sendable {
    /// Counted from 1; 0 for one that is not stored yet.
    package var number: Int64
    package var uid: String
    /// `VJOURNAL` and the like.
    package var name: String
    /// RECURRENCE-ID as a content line; empty: none.
    package var recurrence: String
    package var list: String
    /// SEQUENCE.
    package var sequence: Int
    /// LAST-MODIFIED, else DTSTAMP.
    package var version: Instant
    /// A hash of the text; two that are equal say that nothing has changed.
    package var content: Int64
    /// Content lines without folds, one a line.
    package var text: String

    package init(
        number: Int64 = 0, uid: String, name: String, recurrence: String = "", list: String,
        sequence: Int = 0, version: Instant, content: Int64, text: String
    ) {
        (self.number, self.uid, self.name, self.list) = (number, uid, name, list)
        (self.recurrence, self.sequence, self.version) = (recurrence, sequence, version)
        (self.content, self.text) = (content, text)
    }
}

/// The file of a vdir folder that holds a component.
package struct ComponentFileRecord: Hashable, Sendable {
    /// Its name, without the folder.
    package var name: String
    /// A hash of its bytes when it was last read or written.
    package var content: Int64
    /// The `content` of the component at that time.
    package var agreed: Int64

    package init(name: String, content: Int64, agreed: Int64) {
        (self.name, self.content, self.agreed) = (name, content, agreed)
    }
}

/// Components that are no tasks.
extension Store {
    package func component(
        uid: String, name: String, recurrence: String
    ) throws(StoreError) -> CalendarComponentRecord? {
        let statement = try connection.statement(.componentByIdentity)
        return try components(statement.bind(uid).bind(name).bind(recurrence)).first
    }

    package func hasComponent(number: Int64) throws(StoreError) -> Bool {
        let statement = try connection.statement(.component)
        defer { statement.reset() }
        return try statement.bind(number).step()
    }

    /// How many have a UID, and the bytes of their texts.
    package func componentSize(uid: String) throws(StoreError) -> (count: Int, bytes: Int) {
        let statement = try connection.statement(.componentSize)
        defer { statement.reset() }
        guard try statement.bind(uid).step() else { return (0, 0) }
        return (Int(statement.integer(0)), Int(statement.integer(1)))
    }

    /// Stores one, by its number in the place of the one that has it.
    ///
    /// - Returns: its number; a new one is given where it is 0.
    @discardableResult
    package func setComponent(
        _ component: CalendarComponentRecord
    ) throws(StoreError) -> Int64 {
        if component.number > 0 { try rememberComponent(component.number) }
        let statement = try connection.statement(.upsertComponent)
        defer { statement.reset() }
        try statement.bind(component.number > 0 ? component.number : nil).bind(component.uid)
            .bind(component.name).bind(component.recurrence).bind(component.list)
            .bind(component.sequence).bind(component.version).bind(component.content)
            .bind(component.text).run()
        if component.number > 0 { return component.number }
        let number = connection.lastInsertedRow
        rememberNewComponent(number)
        return number
    }

    /// The next ones after `number` in the order of their numbers, `limit` at most, and no more once
    /// their texts have so many bytes. Empty: there are none.
    ///
    /// - Parameters:
    ///   - list: those of one list; `nil`: of all.
    ///   - first: of those with one UID, the first alone.
    package func components(
        after number: Int64, list: String?, first: Bool = false, limit: Int, bytes: Int = .max
    ) throws(StoreError) -> [CalendarComponentRecord] {
        let query: Query =
            if list == nil { first ? .firstComponents : .componentPage } else {
                first ? .firstComponentsOfList : .componentPageOfList
            }
        let statement = try connection.statement(query).bind(number).bind(limit)
        return try components(list.map { statement.bind($0) } ?? statement, bytes: bytes)
    }

    /// All with a UID; what says nothing of a single occurrence comes first.
    package func components(uid: String) throws(StoreError) -> [CalendarComponentRecord] {
        try components(connection.statement(.componentsOfUID).bind(uid))
    }

    private func components(
        _ statement: Statement, bytes: Int = .max
    ) throws(StoreError) -> [CalendarComponentRecord] {
        defer { statement.reset() }
        var (found, size): ([CalendarComponentRecord], Int) = ([], 0)
        while size < bytes, try statement.step() {
            found.append(
                CalendarComponentRecord(
                    number: statement.integer(0), uid: statement.text(1), name: statement.text(2),
                    recurrence: statement.text(3), list: statement.text(4),
                    sequence: Int(statement.integer(5)), version: statement.instant(6),
                    content: statement.integer(7), text: statement.text(8)))
            size += found.last?.text.utf8.count ?? 0
        }
        return found
    }
}

/// Their files in vdir folders.
extension Store {
    package func componentFile(
        of number: Int64, folder: String
    ) throws(StoreError) -> ComponentFileRecord? {
        let statement = try connection.statement(.componentFile)
        defer { statement.reset() }
        guard try statement.bind(number).bind(folder).step() else { return nil }
        return ComponentFileRecord(
            name: statement.text(0), content: statement.integer(1), agreed: statement.integer(2))
    }

    /// Those that stand in a file.
    package func components(
        inFile name: String, folder: String
    ) throws(StoreError) -> [CalendarComponentRecord] {
        try components(connection.statement(.componentsOfFile).bind(folder).bind(name))
    }

    /// How many stand in a file, and the bytes of their texts.
    package func componentSize(
        inFile name: String, folder: String
    ) throws(StoreError) -> (count: Int, bytes: Int) {
        let statement = try connection.statement(.componentSizeOfFile)
        defer { statement.reset() }
        guard try statement.bind(folder).bind(name).step() else { return (0, 0) }
        return (Int(statement.integer(0)), Int(statement.integer(1)))
    }

    /// Whether a file holds a task.
    package func isFileOfTask(_ name: String, folder: String) throws(StoreError) -> Bool {
        let statement = try connection.statement(.taskOfFile)
        defer { statement.reset() }
        return try statement.bind(folder).bind(name).step()
    }

    /// Puts a component into a file, and out of the one in that folder that held it.
    package func setComponentFile(
        _ file: ComponentFileRecord, of number: Int64, folder: String
    ) throws(StoreError) {
        let former = try connection.statement(.deleteComponentFile)
        defer { former.reset() }
        try former.bind(number).bind(folder).run()
        let statement = try connection.statement(.insertComponentFile)
        defer { statement.reset() }
        try statement.bind(folder).bind(file.name).bind(number).bind(file.content)
            .bind(file.agreed).run()
    }
}

/// Taking back.
extension Store {
    private func rememberComponent(_ number: Int64) throws(StoreError) {
        guard recording?.knows(component: number) == false else { return }
        let statement = try connection.statement(.component)
        defer { statement.reset() }
        let row = try statement.bind(number).step() ? statement.cells : nil
        recording?.keep(component: row, of: number)
    }

    private func rememberNewComponent(_ number: Int64) {
        guard recording?.knows(component: number) == false else { return }
        recording?.keep(component: nil, of: number)
    }

    /// Puts it back as it was before a step; its files stay its files.
    func restoreComponent(_ number: Int64, _ row: [Cell]?) throws(StoreError) {
        guard let row else {
            let statement = try connection.statement(.deleteComponent)
            defer { statement.reset() }
            return try statement.bind(number).run()
        }
        let statement = try connection.statement(.upsertComponent)
        defer { statement.reset() }
        for cell in row { statement.bind(cell) }
        try statement.run()
    }
}

extension Query {
    private static let componentColumns = """
        number, uid, name, recurrence, list, sequence, version, content, text
        """
    private static let selectComponent = "SELECT \(componentColumns) FROM calendar_component "
    private static let isFirst = """
        AND NOT EXISTS (SELECT 1 FROM calendar_component AS other
            WHERE other.uid = this.uid AND other.number < this.number)
        """

    private static func page(_ conditions: String = "") -> String {
        selectComponent + "AS this WHERE number > ?1 \(conditions) ORDER BY number LIMIT ?2"
    }

    var componentSQL: String {
        switch self {
        case .component: Self.selectComponent + "WHERE number = ?"
        case .componentByIdentity:
            Self.selectComponent + "WHERE uid = ? AND name = ? AND recurrence = ?"
        case .componentSize:
            """
            SELECT count(*), ifnull(sum(length(CAST(text AS BLOB))), 0) FROM calendar_component
            WHERE uid = ?
            """
        case .upsertComponent:
            """
            INSERT INTO calendar_component (\(Self.componentColumns))
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (number) DO UPDATE SET
                (uid, name, recurrence, list, sequence, version, content, text) = (excluded.uid,
                excluded.name, excluded.recurrence, excluded.list, excluded.sequence,
                excluded.version, excluded.content, excluded.text)
            """
        case .componentPage: Self.page()
        case .componentPageOfList: Self.page("AND list = ?3")
        case .firstComponents: Self.page(Self.isFirst)
        case .firstComponentsOfList: Self.page("AND list = ?3 \(Self.isFirst)")
        case .componentsOfUID: Self.selectComponent + "WHERE uid = ? ORDER BY name, recurrence"
        case .componentsOfFile:
            Self.selectComponent + """
                WHERE number IN (SELECT component FROM calendar_component_file
                    WHERE folder = ? AND name = ?) ORDER BY number
                """
        case .deleteComponent: "DELETE FROM calendar_component WHERE number = ?"
        case .componentFile:
            """
            SELECT name, content, agreed FROM calendar_component_file
            WHERE component = ? AND +folder = ?
            """
        case .componentSizeOfFile:
            """
            SELECT count(*), ifnull(sum(length(CAST(text AS BLOB))), 0)
            FROM calendar_component_file AS file
            JOIN calendar_component AS its ON its.number = file.component
            WHERE file.folder = ? AND file.name = ?
            """
        case .taskOfFile: "SELECT task FROM calendar_file WHERE folder = ? AND name = ?"
        case .deleteComponentFile:
            "DELETE FROM calendar_component_file WHERE component = ? AND folder = ?"
        default:
            """
            INSERT INTO calendar_component_file (folder, name, component, content, agreed)
            VALUES (?, ?, ?, ?, ?)
            """
        }
    }
}
