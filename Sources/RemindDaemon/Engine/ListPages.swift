import RemindAPI
import RemindCore
import Store

/// A list on its way to a client: what is left of it.
struct ListPages: Sendable {
    /// How much goes into one reply, and how much is made before the client has taken it.
    struct Size: Sendable {
        var reminders: Int
        /// Of JSON; a page ends with the reminder that reaches it.
        var bytes: Int
        var turnBytes: Int
        /// All pages are one reply.
        var isWhole = false

        static let streamed = Size(reminders: 200, bytes: 256 << 10, turnBytes: 1 << 20)
        static let whole = Size(
            reminders: 200, bytes: 256 << 10, turnBytes: 1 << 20, isWhole: true)
    }

    let size: Size
    /// Whether they are lines, not whole reminders.
    let isBrief: Bool
    fileprivate(set) var rest: ArraySlice<Int64>
    /// What has been made of the one reply.
    private var whole: [UInt8] = []

    fileprivate init(size: Size, isBrief: Bool, rest: ArraySlice<Int64>) {
        (self.size, self.isBrief, self.rest) = (size, isBrief, rest)
    }

    /// What stands before and after the rows of a reply.
    private var head: StaticString {
        isBrief ? #"{"reminders":[],"lines":["# : #"{"reminders":["#
    }
    private static let tail: StaticString = "]}"

    /// A reply with these rows.
    fileprivate func reply(_ rows: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        let (head, tail) = (head.bytes, Self.tail.bytes)
        return [UInt8](
            unsafeUninitializedCapacity: head.count + rows.count + tail.count
        ) { reply, count in
            for part in [head, rows, tail] {
                _ = reply[count...].update(fromContentsOf: part)
                count += part.count
            }
        }
    }

    /// Adds a page to the one reply.
    /// - Returns: the reply, behind the last page.
    fileprivate mutating func gather(_ rows: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        if !rows.isEmpty, !whole.isEmpty { whole.append(UInt8(ascii: ",")) }
        whole.append(contentsOf: rows)
        guard rest.isEmpty else { return nil }
        defer { whole = [] }
        return whole.withUnsafeBufferPointer { reply($0) }
    }
}

extension StaticString {
    fileprivate var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
    }
}

extension Engine {
    /// The list as it is now. What changes before its page is made shows as it is then, and what was
    /// removed is left out.
    func list(_ parameters: List.Parameters, _ size: ListPages.Size) throws(APIError) -> ListPages {
        try list(
            ListFilter(parameters, now: clock.now, tomorrow: tomorrow),
            sort: ListSort(parameters.sort),
            reverse: parameters.reverse ?? false, limit: parameters.limit,
            isBrief: parameters.brief ?? false, size)
    }

    func list(
        _ filter: ListFilter, sort: ListSort, reverse: Bool = false, limit: Int?, isBrief: Bool,
        _ size: ListPages.Size
    ) throws(APIError) -> ListPages {
        let numbers = try storing {
            try store.numbers(filter, sort: sort, reverse: reverse, limit: limit)
        }
        return ListPages(
            size: size, isBrief: isBrief,
            rest: withUnrecorded(numbers, filter, limit: limit)[...])
    }

    /// Gives page after page, each a reply object, until the list is over or it has been enough for
    /// one turn. There is always one page, if an empty one.
    /// - Returns: whether that was the last page.
    func turn(
        _ list: inout ListPages, _ reply: (_ bytes: [UInt8], _ isLast: Bool) -> Void
    ) throws(APIError) -> Bool {
        var writer = ListWriter(store, timetable, isBrief: list.isBrief)
        var made = 0
        repeat {
            writer.beginPage()
            let used = try storing { try page(of: list, &writer) }
            list.rest = list.rest.dropFirst(used)
            made += writer.rows.count
            if !list.size.isWhole {
                reply(list.reply(writer.rows), list.rest.isEmpty)
            } else if let whole = list.gather(writer.rows) {
                reply(whole, true)
            }
        } while !list.rest.isEmpty && made < list.size.turnBytes
        return list.rest.isEmpty
    }

    private func page(
        of list: ListPages, _ writer: inout ListWriter
    ) throws(StoreError) -> Int {
        var count = 0
        return try store.rows(list.rest) { row throws(StoreError) in
            if let ring = unrecorded[row.number] {
                writer.write(ring.reminder)
            } else {
                try writer.write(row)
            }
            count += 1
            return count < list.size.reminders && writer.rows.count < list.size.bytes
        }
    }
}
