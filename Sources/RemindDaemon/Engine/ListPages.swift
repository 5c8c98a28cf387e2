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
    fileprivate(set) var rest: ArraySlice<Int64>
    /// What has been made of the one reply.
    private var whole: [UInt8] = []

    fileprivate init(size: Size, rest: ArraySlice<Int64>) { (self.size, self.rest) = (size, rest) }

    private static let (head, tail) = (Array(#"{"reminders":["#.utf8), Array("]}".utf8))

    /// Adds a page to the one reply.
    /// - Returns: the reply, behind the last page.
    fileprivate mutating func gather(_ page: [UInt8]) -> [UInt8]? {
        let rows = page[Self.head.count..<page.count - Self.tail.count]
        if whole.isEmpty { whole = Self.head }
        if !rows.isEmpty, whole.count > Self.head.count { whole.append(UInt8(ascii: ",")) }
        whole += rows
        guard rest.isEmpty else { return nil }
        defer { whole = [] }
        return whole + Self.tail
    }
}

extension Engine {
    /// The list as it is now. What changes before its page is made shows as it is then, and what was
    /// removed is left out.
    func list(_ parameters: List.Parameters, _ size: ListPages.Size) throws(APIError) -> ListPages {
        try list(
            ListFilter(parameters, now: clock.now, tomorrow: tomorrow),
            sort: ListSort(parameters.sort),
            reverse: parameters.reverse ?? false, limit: parameters.limit, size)
    }

    func list(
        _ filter: ListFilter, sort: ListSort, reverse: Bool = false, limit: Int?,
        _ size: ListPages.Size
    ) throws(APIError) -> ListPages {
        let numbers = try storing {
            try store.numbers(filter, sort: sort, reverse: reverse, limit: limit)
        }
        return ListPages(size: size, rest: withUnrecorded(numbers, filter, limit: limit)[...])
    }

    /// Gives page after page, each a reply object, until the list is over or it has been enough for
    /// one turn. There is always one page, if an empty one.
    /// - Returns: whether that was the last page.
    func turn(
        _ list: inout ListPages, _ reply: (_ bytes: [UInt8], _ isLast: Bool) -> Void
    ) throws(APIError) -> Bool {
        var writer = ListWriter(store, timetable)
        var json = JSONWriter(capacity: 1 << 16)
        var made = 0
        repeat {
            json.removeAll()
            let used = try storing { try page(of: list, &writer, to: &json) }
            list.rest = list.rest.dropFirst(used)
            made += json.bytes.count
            if !list.size.isWhole {
                reply(json.bytes, list.rest.isEmpty)
            } else if let whole = list.gather(json.bytes) {
                reply(whole, true)
            }
        } while !list.rest.isEmpty && made < list.size.turnBytes
        return list.rest.isEmpty
    }

    private func page(
        of list: ListPages, _ writer: inout ListWriter, to json: inout JSONWriter
    ) throws -> Int {
        var (used, failure) = (0, (any Error)?.none)
        json.object { json in
            json.key("reminders")
            json.array { json in
                var count = 0
                do {
                    used = try store.rows(list.rest) { row throws(StoreError) in
                        if let ring = unrecorded[row.number] {
                            timetable.writer.write(ring.reminder, to: &json)
                        } else {
                            try writer.write(row, to: &json)
                        }
                        count += 1
                        return count < list.size.reminders && json.bytes.count < list.size.bytes
                    }
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        return used
    }
}
