/// The name of a zone without clock changes: `Etc/GMT-2`, `Asia/Kolkata`, and where tzdata has none
/// a POSIX text (`<+1030>-10:30`).
struct FixedZoneName: Hashable {
    let text: String

    /// - Parameter offset: seconds east of Greenwich. `nil` when no place on Earth has it.
    init?(offset: Int) {
        guard offset % 60 == 0, (-12 * 3600...14 * 3600).contains(offset) else { return nil }
        let (hours, minutes) = (abs(offset) / 3600, abs(offset) / 60 % 60)
        if let zone = Self.parts[offset / 60] {
            text = zone
        } else if minutes == 0 {
            text = offset == 0 ? "Etc/UTC" : "Etc/GMT" + (offset > 0 ? "-" : "+") + String(hours)
        } else {
            let digits = [hours, minutes].map(ContentLineWriter.two)
            let (sign, west) = offset > 0 ? ("+", "-") : ("-", "")
            text = "<\(sign)\(digits.joined())>\(west)\(hours):\(digits[1])"
        }
    }

    /// Zones without clock changes whose offsets are no whole hours, by minutes.
    private static var parts: [Int: String] {
        [
            -570: "Pacific/Marquesas", 210: "Asia/Tehran", 270: "Asia/Kabul", 330: "Asia/Kolkata",
            345: "Asia/Kathmandu", 390: "Asia/Yangon", 525: "Australia/Eucla",
            570: "Australia/Darwin",
        ]
    }
}
