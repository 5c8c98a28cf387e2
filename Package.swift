// swift-tools-version: 6.1
import PackageDescription

/// Every target is built the same way: Swift 6, imports internal by default, warnings as errors.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .unsafeFlags(["-warnings-as-errors"]),
]

/// A room of the house (README, “Map”): what it may import is what is listed here.
func room(_ name: String, imports: [Target.Dependency] = [], resources: [Resource]? = nil) -> Target
{
    .target(name: name, dependencies: imports, resources: resources, swiftSettings: settings)
}

func program(_ name: String, imports: [Target.Dependency], link: [LinkerSetting] = []) -> Target {
    .executableTarget(
        name: name, dependencies: imports, swiftSettings: settings, linkerSettings: link)
}

/// Released without any shared library, a program starts in less than a millisecond.
let fullyStatic = LinkerSetting.unsafeFlags(
    ["-static-executable"], .when(configuration: .release))

func tests(
    of name: String, imports: [Target.Dependency] = [], exclude: [String] = [],
    resources: [Resource]? = nil
) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.byName(name: name)] + imports, exclude: exclude,
        resources: resources, swiftSettings: settings)
}

/// The commit that is built; a tarball brings its own (Sources/CCommit/recorded.h).
/// The Makefile says it: what SwiftPM knows of git may be as old as its cache of this file.
let toldCommit = Context.environment["REMINDD_COMMIT"] ?? ""
let commit = toldCommit.isEmpty ? Context.gitInformation?.currentCommit : toldCommit
let commitDefine: [CSetting] =
    commit.map { [.define("REMINDD_COMMIT", to: String($0.prefix(7)))] } ?? []

/// The fuzzers with libFuzzer (`make fuzz`), else with the tests that replay their corpora.
let fuzzes = Context.environment["REMINDD_FUZZ"] != nil
let fuzzImports: [Target.Dependency] = [
    "Calendaring", "Popups", "RemindAPI", "RemindCore", "RemindDaemon", "Store", "Varlink",
    "VarlinkWire",
]
let corpora = [
    "phrases", "phrases.dict", "wire", "ics", "ics.dict", "imports", "calls", "calls.dict", "api",
]
let fuzzers: Target =
    fuzzes
    ? .executableTarget(
        name: "Fuzzers", dependencies: fuzzImports, path: "Tests/Fuzz",
        exclude: corpora + ["CorpusTests.swift"], swiftSettings: settings)
    : .testTarget(
        name: "FuzzTests", dependencies: fuzzImports, path: "Tests/Fuzz",
        exclude: corpora + ["main.swift", "Fuzzing.swift"], swiftSettings: settings)

let package = Package(
    name: "remindd",
    products: [
        .executable(name: "remindd", targets: ["remindd"]),
        .executable(name: "remindctl", targets: ["remindctl"]),
    ],
    targets: [
        // The C libraries, each imported in one room only.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3"),
        .systemLibrary(name: "CNotify", pkgConfig: "libnotify"),
        .systemLibrary(name: "CGLib", pkgConfig: "glib-2.0"),
        .systemLibrary(name: "CSystemd", pkgConfig: "libsystemd"),
        .systemLibrary(name: "CLinux"),
        .target(name: "CCommit", cSettings: commitDefine),

        room("RemindCore"),
        room("Timing"),
        room("VarlinkWire", imports: ["CLinux"]),
        room("Varlink", imports: ["CLinux", "VarlinkWire"]),
        room(
            "RemindAPI", imports: ["RemindCore", "VarlinkWire"],
            resources: [.embedInCode("org.remindd.Reminders.varlink")]),
        room("TextForms", imports: ["CGLib"]),
        room("Store", imports: ["CSQLite", "RemindCore", "TextForms"]),
        room(
            "Calendaring", imports: ["CGLib", "RemindCore"],
            resources: [.embedInCode("ICalendar/windows-zones.txt")]),
        room("Popups", imports: ["CNotify"]),
        room("Configuration", imports: ["CGLib", "RemindCore"]),
        room(
            "RemindDaemon",
            imports: [
                "Calendaring", "CLinux", "Configuration", "CSystemd", "Popups", "RemindAPI",
                "RemindCore", "Store", "TextForms", "Timing", "Varlink", "VarlinkWire",
            ]),
        room("RemindCLI", imports: ["CLinux", "RemindAPI", "RemindCore", "VarlinkWire"]),
        program("remindd", imports: ["CCommit", "RemindDaemon"]),
        program("remindctl", imports: ["CCommit", "RemindCLI"], link: [fullyStatic]),

        // Writes the manual pages and completions (`make release`); not installed itself.
        .executableTarget(
            name: "Manuals", dependencies: ["Configuration", "RemindAPI", "RemindCLI"],
            swiftSettings: settings),

        // What the pure parts cost (`make bench`).
        .executableTarget(
            name: "Benchmarks", dependencies: ["Calendaring", "RemindCore", "Store", "Timing"],
            path: "Benchmarks", exclude: ["Floor"], swiftSettings: settings),

        // A disk that fails where a test wants it to.
        .target(
            name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/Support/CFaultVFS"),
        .target(
            name: "FaultDisk", dependencies: ["CFaultVFS"], path: "Tests/Support/FaultDisk",
            swiftSettings: settings),

        tests(of: "RemindCore"),
        tests(of: "TextForms"),
        tests(of: "Timing"),
        tests(of: "Varlink", imports: ["VarlinkWire"]),
        tests(of: "RemindAPI", imports: ["RemindCore", "Varlink", "VarlinkWire"]),
        tests(
            of: "Store", imports: ["FaultDisk", "RemindCore"],
            resources: [.embedInCode("query-plans.txt")]),
        tests(
            of: "Calendaring", imports: ["RemindCore"], exclude: ["Generators", "Fixtures"]),
        tests(of: "Popups"),
        tests(of: "Configuration", imports: ["RemindCore"]),
        tests(
            of: "RemindDaemon",
            imports: [
                "CSQLite", "Calendaring", "FaultDisk", "Popups", "RemindAPI", "RemindCore", "Store",
                "Varlink",
            ]),
        tests(
            of: "RemindCLI",
            imports: [
                "Calendaring", "Popups", "RemindAPI", "RemindCore", "RemindDaemon", "Store",
                "Varlink", "VarlinkWire",
            ], exclude: ["Golden"]),
        fuzzers,
    ]
)
