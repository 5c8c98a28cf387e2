// `make bench`: what the pure parts cost, measured in one run.
print("| what | median | best | worst |")
print("|---|---|---|---|")
for measurement in phraseMeasurements() + ruleMeasurements() + wheelMeasurements() {
    print(measurement.row)
}
