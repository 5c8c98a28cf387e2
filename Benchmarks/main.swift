// `make bench`: what remindd costs, measured in one run; Markdown on the standard output.
//   Benchmarks pure
//   Benchmarks programs DIST FLOOR [SIZE…]
let arguments = CommandLine.arguments.dropFirst()
switch arguments.first {
case "programs":
    let folders = Array(arguments.dropFirst().prefix(2))
    let sizes = arguments.dropFirst(3).compactMap { Int($0) }
    var measurements = ProgramMeasurements(
        programs: folders[0], floor: folders[1], sizes: sizes)
    print(try measurements.run())
default:
    print("## `make bench`: the pure parts and the store\n")
    print("| what | median | best | worst |\n|---|---|---|---|")
    for measure in [phraseMeasurements, ruleMeasurements, wheelMeasurements, searchMeasurements] {
        for measurement in measure() { print(measurement.row) }
    }
}
