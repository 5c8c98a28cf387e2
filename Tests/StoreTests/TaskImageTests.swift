import Testing

@testable import Store

@Suite("Images of tasks")
struct TaskImageTests {
    @Test(
        "An image reads back",
        arguments: [
            .component(number: 1, row: nil), .component(number: .max, row: [.null, .text([65])]),
            .task(TaskImage(number: 1, content: nil, log: nil)),
            .task(TaskImage(number: .max, content: nil, log: 5...9)),
            .task(
                TaskImage(
                    number: 300,
                    content: .whole(
                        TaskRows(
                            columns: [
                                .null, .integer(.min), .integer(-1), .text([]), .blob([0, 255]),
                            ],
                            children: [[], [[.integer(.max)], []]])), log: .max...Int64.max)),
            .task(
                TaskImage(
                    number: 2,
                    content: .part(
                        columns: [3: .text(Array("é".utf8)), 0: .null], children: [1: [[.null]]]),
                    log: nil)),
        ] as [StepImage])
    func roundTrip(image: StepImage) throws {
        var writer = ImageWriter()
        writer.write(image)
        writer.write(image)
        var reader = ImageReader(writer.bytes)
        #expect(try reader.image() == image)
        #expect(try reader.image() == image)
        #expect(try reader.image() == nil)
    }

    @Test("A component is written as it always was: a number below zero, and one row")
    func component() throws {
        var writer = ImageWriter()
        writer.write(.component(number: 3, row: [.integer(1)]))
        #expect(writer.bytes == [5, 0, 2, 2, 1, 2, 0])
        // A part of one, and a number that has no counterpart.
        let least = [UInt8](repeating: 255, count: 9) + [1, 0, 0]
        for bytes in [[5, 0, 4, 0, 0], least] {
            var reader = ImageReader(bytes)
            #expect(throws: ImageReader.Fault.self) { _ = try reader.image() }
        }
    }

    @Test("Bytes that are cut off or none of ours are refused")
    func faults() throws {
        var writer = ImageWriter()
        writer.write(
            .task(
                TaskImage(
                    number: 7,
                    content: .whole(TaskRows(columns: [.text([65, 66])], children: [[[.null]]])),
                    log: 1...2)))
        for length in 1..<writer.bytes.count {
            var reader = ImageReader(Array(writer.bytes.prefix(length)))
            #expect(throws: ImageReader.Fault.self) { _ = try reader.image() }
        }
        var reader = ImageReader([2, 0, 8])
        #expect(throws: ImageReader.Fault.self) { _ = try reader.image() }
    }
}
