// `make bench`: what the pure parts and the store cost, measured in one run.
print("| what | median | best | worst |")
print("|---|---|---|---|")
for measurements in [phraseMeasurements, ruleMeasurements, wheelMeasurements, searchMeasurements] {
    for measurement in measurements() { print(measurement.row) }
}
