import CSQLite

/// A value of a column as SQLite has it, whatever the column means.
enum Cell: Hashable {
    case null
    case integer(Int64)
    /// UTF-8. Bytes, because two texts that are equal as Swift's strings can differ in them.
    case text([UInt8])
    case blob([UInt8])
}

extension Statement {
    var columnCount: Int32 { sqlite3_column_count(handle) }

    /// A column of the row that `step` has given. No table of ours has numbers that are not whole.
    func cell(_ column: Int32) -> Cell {
        switch sqlite3_column_type(handle, column) {
        case SQLITE_NULL: .null
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_TEXT: .text(bytes(column))
        default: .blob(bytes(column))
        }
    }

    /// The whole row.
    var cells: [Cell] { (0..<columnCount).map { cell($0) } }

    /// `sqlite3_column_blob` gives a text's bytes too.
    func bytes(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(handle, column))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    @discardableResult func bind(_ cell: Cell) -> Statement {
        switch cell {
        case .null: bind(Int64?.none)
        case .integer(let value): bind(value)
        case .text(let bytes):
            note { index in
                bytes.withUnsafeBytes {
                    remindd_bind_text(handle, index, $0.baseAddress, UInt64($0.count))
                }
            }
        case .blob(let bytes): bind(blob: bytes)
        }
    }

    @discardableResult func bind(blob bytes: [UInt8]) -> Statement {
        note { index in
            bytes.withUnsafeBytes {
                remindd_bind_blob(handle, index, $0.baseAddress, UInt64($0.count))
            }
        }
    }
}
