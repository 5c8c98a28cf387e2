import Testing

@testable import Store

@Suite("Images of tasks")
struct TaskImageTests {
    @Test(
        "An image reads back",
        arguments: [
            TaskImage(number: 1, content: nil, log: nil),
            TaskImage(number: .max, content: nil, log: 5...9),
            TaskImage(
                number: 300,
                content: .whole(
                    TaskRows(
                        columns: [
                            .null, .integer(.min), .integer(-1), .text([]), .blob([0, 255]),
                        ],
                        children: [[], [[.integer(.max)], []]])), log: .max...Int64.max),
            TaskImage(
                number: 2,
                content: .part(
                    columns: [3: .text(Array("é".utf8)), 0: .null], children: [1: [[.null]]]),
                log: nil),
        ])
    func roundTrip(image: TaskImage) throws {
        var writer = ImageWriter()
        writer.write(image)
        writer.write(image)
        var reader = ImageReader(writer.bytes)
        #expect(try reader.image() == image)
        #expect(try reader.image() == image)
        #expect(try reader.image() == nil)
    }

    @Test("Bytes that are cut off or none of ours are refused")
    func faults() throws {
        var writer = ImageWriter()
        writer.write(
            TaskImage(
                number: 7,
                content: .whole(TaskRows(columns: [.text([65, 66])], children: [[[.null]]])),
                log: 1...2))
        for length in 1..<writer.bytes.count {
            var reader = ImageReader(Array(writer.bytes.prefix(length)))
            #expect(throws: ImageReader.Fault.self) { _ = try reader.image() }
        }
        var reader = ImageReader([2, 0, 8])
        #expect(throws: ImageReader.Fault.self) { _ = try reader.image() }
    }
}
