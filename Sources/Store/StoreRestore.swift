import CSQLite
import Glibc

/// A copy that was checked and brought to the present schema, beside the store whose place it is to
/// take. Its file goes with it.
package final class StagedCopy: Sendable {
    /// The file that the user named.
    package let origin: String
    package let facts: CopyFacts
    private let part: PartialFile
    var path: String { part.path }

    /// Copies `file`, which is left as it is, and checks the copy.
    ///
    /// - Parameter store: the path of the store.
    /// - Throws: `cannotOpen`, `notOurs`, `newerSchema`, `corrupt` about `file`; `full` and others
    ///   about the store's folder.
    package init(of file: String, beside store: String) throws(StoreError) {
        guard StoreFile.identity(file) != StoreFile.identity(store) else {
            throw StoreError(.notOurs, path: file, detail: "it is the store itself")
        }
        guard let header = try DatabaseHeader(regularFile: file) else {
            throw StoreFile.failure(ENOENT, path: file, doing: "the file cannot be read")
        }
        try header.check(path: file)
        let part = try PartialFile(beside: store)
        do throws(StoreError) {
            let original = try Self.reader(of: file)
            facts = try StoreCopy.fill(part, from: original)
            try Self.modernise(part.path)
        } catch {
            // What is wrong with the content came from the file; what is wrong with the disk did not.
            throw error.naming(error.isOfContent ? file : store, insteadOf: part.path)
        }
        (origin, self.part) = (file, part)
    }

    /// A WAL beside the file counts; where nothing can be written, SQLite has to be told that nobody
    /// else writes either (`immutable`, <https://www.sqlite.org/uri.html>).
    private static func reader(of file: String) throws(StoreError) -> Connection {
        do throws(StoreError) {
            let connection = try Connection(path: file, flags: SQLITE_OPEN_READONLY)
            try connection.configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
            try StoreFile.checkOurs(connection)
            return connection
        } catch {
            guard error.category == .readOnly || error.category == .cannotOpen else { throw error }
            return try readerOfUnchanging(file)
        }
    }

    private static func readerOfUnchanging(_ file: String) throws(StoreError) -> Connection {
        do throws(StoreError) {
            let uri = "file:" + file.percentEncodedPath + "?immutable=1"
            let connection = try Connection(
                path: uri, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
            try StoreFile.checkOurs(connection)
            return connection
        } catch {
            // By the name that the user gave.
            throw StoreError(error.category, path: file, code: error.code, detail: error.detail)
        }
    }

    /// Runs the steps of the schema that the file has not run, and makes its pages as long as ours.
    private static func modernise(_ path: String) throws(StoreError) {
        let copy = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        try copy.configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        try copy.configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, false)
        try StoreFile.check(copy)
        if try copy.integer("PRAGMA page_size") != Store.pageSize {
            try copy.setPageSize(Store.pageSize)
        }
        try Schema.checkTables(of: copy, version: try copy.schemaVersion())
        try Schema.migrate(copy)
        try StoreAudit.run(copy)
        try copy.checkWhole()
        try copy.close()
    }
}

extension Store {
    /// The size of a page of every database that is made here, SQLite's own choice.
    static let pageSize: Int64 = 4096

    /// Puts a copy in the place of all that the store holds, in one transaction
    /// (`sqlite3_backup_step`). What is true of the present stays: which pop-ups stand on the screen,
    /// and which numbers were given; a number is never given again.
    ///
    /// - Parameter metas: small facts that stay as they are too.
    /// - Throws: `busy`, `full` and others, with nothing changed; `corrupt` when the copy has other
    ///   tables than this store.
    package func replaceAll(with copy: StagedCopy, keepingMetas metas: [String]) throws(StoreError)
    {
        try checkThatFileIsThere()
        let other = try Connection(path: copy.path, flags: SQLITE_OPEN_READWRITE)
        guard try other.texts(Self.schemaText) == connection.texts(Self.schemaText) else {
            throw StoreError(
                .corrupt, path: copy.origin, detail: "its tables are not those of remindd")
        }
        // SQLite copies into a database with a WAL only pages of its own size.
        let pageSize = try connection.integer("PRAGMA page_size") ?? Self.pageSize
        if pageSize != Self.pageSize { try other.setPageSize(pageSize) }
        try carryOver(to: other, metas)
        try StoreCopy.copyPages(from: other, to: connection)
        try other.close()
    }

    private static let schemaText = """
        SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite_stat%' ORDER BY 1
        """

    private func carryOver(to other: Connection, _ metas: [String]) throws(StoreError) {
        let last = try connection.integer(
            "SELECT max(seq) FROM sqlite_sequence WHERE name = 'task'")
        try other.begin()
        do throws(StoreError) {
            try other.execute("DELETE FROM popup")
            for popup in try popups() { try Self.insert(popup, into: other) }
            for key in metas { try Self.setMeta(key, try meta(key), in: other) }
            if let last { try Self.raiseNumbers(to: last, in: other) }
        } catch {
            other.rollBack()
            throw error
        }
        try other.commit()
    }

    private static func insert(_ popup: PopupRecord, into other: Connection) throws(StoreError) {
        let statement = try other.statement(.upsertPopup)
        defer { statement.reset() }
        try statement.bind(popup.key).bind(popup.server).bind(Int64(popup.id)).run()
    }

    private static func setMeta(_ key: String, _ value: String?, in other: Connection)
        throws(StoreError)
    {
        let statement = try other.statement(value == nil ? .deleteMeta : .upsertMeta)
        defer { statement.reset() }
        statement.bind(key)
        if value != nil { statement.bind(value) }
        try statement.run()
    }

    /// SQLite's own record of AUTOINCREMENT (<https://www.sqlite.org/autoinc.html>).
    private static func raiseNumbers(to last: Int64, in other: Connection) throws(StoreError) {
        let known = try other.integer("SELECT max(seq) FROM sqlite_sequence WHERE name = 'task'")
        guard last > known ?? 0 else { return }
        try other.execute(
            known == nil
                ? "INSERT INTO sqlite_sequence (name, seq) VALUES ('task', \(last))"
                : "UPDATE sqlite_sequence SET seq = \(last) WHERE name = 'task'")
    }
}

extension Connection {
    /// Writes a database that has no WAL anew.
    fileprivate func setPageSize(_ bytes: Int64) throws(StoreError) {
        try execute("PRAGMA page_size = \(bytes); VACUUM")
    }
}

extension String {
    /// Safe as the path of a URI (RFC 3986): what is not a letter, a digit or one of `/-._~` becomes
    /// `%XX`.
    fileprivate var percentEncodedPath: String {
        var text = ""
        for byte in utf8 {
            let scalar = UnicodeScalar(byte)
            let isPlain =
                scalar.isASCII
                && (scalar.properties.isAlphabetic
                    || "0123456789/-._~".unicodeScalars.contains(scalar))
            text +=
                isPlain ? String(scalar) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return text
    }
}
