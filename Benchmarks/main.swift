// `make bench`: what remindd costs, measured in one run; Markdown, into the sections of a document.
//   Benchmarks pure DOCUMENT [PROGRAM that prints further rows]
//   Benchmarks programs DOCUMENT DIST FLOOR [SIZE…]
//   Benchmarks load DIST
//   Benchmarks repeat phrase|rule|wheel COUNT
let arguments = Array(CommandLine.arguments.dropFirst())
switch (arguments.first, arguments.count) {
case ("pure", 2...):
    try writePureMeasurements(
        to: Report(path: arguments[1]), others: arguments.dropFirst(2).first)
case ("programs", 4...):
    var measurements = ProgramMeasurements(
        programs: arguments[2], floor: arguments[3],
        sizes: arguments.dropFirst(4).compactMap { Int($0) })
    try measurements.write(to: Report(path: arguments[1]))
case ("load", 2):
    var measurements = ProgramMeasurements(programs: arguments[1], floor: "", sizes: [])
    print(try measurements.runLoad())
case ("repeat", 3):
    Repeated(rawValue: arguments[1])?.run(Int(arguments[2]) ?? 0)
default:
    throw BenchmarkFailure(description: "see the head of Benchmarks/main.swift for what to ask for")
}
