import Glibc
import VarlinkWire

/// The reminders of a reply of `List` or `Search` as our daemon writes it, each as its bytes: to hand
/// them on, only where they begin is looked for.
package enum ReminderObjects {
    private static let head: StaticString = "{\"reminders\":[{\"number\":"
    private static let start: StaticString = "{\"number\":"

    /// Gives each object of `reply`, which is valid JSON.
    /// - Returns: false, and nothing was given, when it is not written so, or has none.
    package static func each(
        in reply: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) -> Void
    ) -> Bool {
        reply.withUnsafeBufferPointer { bytes in
            guard let starts = starts(bytes) else { return false }
            for (place, start) in starts.enumerated() {
                let end = place + 1 < starts.count ? starts[place + 1] - 1 : bytes.count - 2
                body(UnsafeBufferPointer(rebasing: bytes[start..<end]))
            }
            return true
        }
    }

    /// Where they begin; `nil` when that cannot be told.
    ///
    /// A quotation mark that stands right behind a brace begins a name, or ends a string, and then no
    /// letter follows. So `{"number":` begins an object wherever it stands, and one of the array where
    /// `},` stands before it.
    private static func starts(_ bytes: UnsafeBufferPointer<UInt8>) -> [Int]? {
        let first = head.utf8CodeUnitCount - start.utf8CodeUnitCount
        guard bytes.holds(head, at: 0), let base = bytes.baseAddress else { return nil }
        var starts = [first]
        var place = first + 1
        while let found = memchr(base + place, 0x7B, bytes.count - place) {
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if bytes.holds(start, at: place) {
                guard bytes.holds("},", at: place - 2) else { return nil }
                starts.append(place)
            }
            place += 1
        }
        // Nothing but the array may be there: its last object ends where it should.
        guard let last = starts.last else { return nil }
        return bytes.endOfObject(from: last) == bytes.count - 2
            && bytes.holds("]}", at: bytes.count - 2) ? starts : nil
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func holds(_ text: StaticString, at place: Int) -> Bool {
        guard place >= 0, place + text.utf8CodeUnitCount <= count, let baseAddress else {
            return false
        }
        return memcmp(baseAddress + place, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Behind the object that begins at `start`; `nil` when it does not end.
    fileprivate func endOfObject(from start: Int) -> Int? {
        var (place, depth) = (start, 0)
        while place < count {
            switch self[place] {
            case UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { return place + 1 }
            case UInt8(ascii: "\""):
                place = endOfPlainText(from: place + 1, upTo: count)
                while place < count, self[place] == UInt8(ascii: "\\") {
                    place = endOfPlainText(from: place + 2, upTo: count)
                }
            default: break
            }
            place += 1
        }
        return nil
    }
}
