/// Why the store could not do what was asked. Nothing was changed, unless the doc comment of the
/// function that threw says otherwise.
package struct StoreError: Error, Hashable, Sendable {
    /// What a caller can act on.
    package enum Category: Hashable, Sendable {
        /// Another program held a lock for longer than the busy time-out. Trying again may help.
        case busy
        /// The disk, or the user's share of it, is full.
        case full
        /// The file or its folder cannot be written.
        case readOnly
        /// The file is damaged.
        case corrupt
        /// A newer remindd wrote the file; its schema and the newest one this build knows.
        case newerSchema(found: Int, known: Int)
        /// The file belongs to another program, or is no database at all.
        case notOurs
        /// Another remindd runs on this file.
        case alreadyInUse
        /// The file or its folder cannot be opened or made.
        case cannotOpen
        /// Something else stands where a copy should be made.
        case exists
        case other
    }

    package var category: Category
    /// The database file.
    package var path: String
    /// SQLite's own name, such as `SQLITE_BUSY`, or the name of an `errno`; `nil` where the store
    /// itself refuses.
    package var code: String?
    /// What SQLite or the system says about it, in its own words.
    package var detail: String
    /// The statement that failed.
    package var sql: String?

    package init(
        _ category: Category, path: String, code: String? = nil, detail: String,
        sql: String? = nil
    ) {
        (self.category, self.path, self.code) = (category, path, code)
        (self.detail, self.sql) = (detail, sql)
    }

    /// English sentences that name the file and say what to do. The SQL is left out: it is for the
    /// log.
    package var message: String {
        let cause = code.map { " (\($0): \(detail))" } ?? " (\(detail))"
        return switch category {
        case .busy:
            "The database ‘\(path)’ is locked by another program\(cause). Try again."
        case .full:
            "The disk that holds ‘\(path)’ is full\(cause). Free some space and try again."
        case .readOnly:
            "The database ‘\(path)’ cannot be written\(cause). "
                + "Make the file and its folder writable."
        case .corrupt:
            "The database ‘\(path)’ is damaged\(cause). It was left as it is; "
                + "put a backup in its place with remindd --restore FILE, or move it away to begin "
                + "anew."
        case .newerSchema(let found, let known):
            "The database ‘\(path)’ has schema \(found), and this remindd knows schemas up to "
                + "\(known). It was left as it is; use a newer remindd."
        case .notOurs:
            "The file ‘\(path)’ is not a database of remindd\(cause). It was left as it is; "
                + "choose another path with --database."
        case .alreadyInUse:
            "The database ‘\(path)’ is in use by another remindd. Stop that one first."
        case .cannotOpen:
            "The database ‘\(path)’ cannot be opened\(cause)."
        case .exists:
            "‘\(path)’ is there already, and is no backup\(cause). It was left as it is; "
                + "choose another name."
        case .other:
            "The database ‘\(path)’ failed\(cause)."
        }
    }
}

extension StoreError {
    /// What SQLite cannot make sense of when a file is opened is damage to it: trying again is of no
    /// use.
    var asDamage: StoreError {
        guard code == "SQLITE_ERROR" else { return self }
        var error = self
        error.category = .corrupt
        return error
    }

    /// About what a file holds, and not about the disk.
    var isOfContent: Bool {
        switch category {
        case .corrupt, .notOurs, .newerSchema: true
        default: false
        }
    }
}

extension StoreError: CustomStringConvertible {
    package var description: String { message }
}
