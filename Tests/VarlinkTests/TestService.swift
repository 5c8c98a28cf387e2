import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Varlink
import VarlinkWire

/// A folder of mode 0700 that goes away with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/varlink-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let base = buffer.baseAddress, mkdtemp(base) != nil else { return nil }
            return String(cString: base)
        }
        path = try #require(made)
    }

    deinit {
        let names = [path + "/s", path + "/file"]
        for name in names { unlink(name) }
        rmdir(path)
    }
}

/// A server in this process, on a real socket, with an interface that does what tests need.
final class TestService: Sendable {
    static let text = """
        # For tests.
        interface org.example.Test

        type Filter (tags: []string, by: [string]Rule, order: ?(up, down))
        type Rule (limit: int)

        # Gives back what it gets.
        method Echo(text: string, filter: ?Filter) -> (text: string)
        # As Echo, and is said to change nothing.
        method Look(text: string) -> (text: string)
        # Answers on another queue.
        method Later(text: string) -> (text: string)
        # A stream of numbers.
        method Count(to: int) -> (number: int)
        # A stream that ends only when the client goes.
        method Watch() -> (number: int)
        # Is never answered, until the client goes.
        method Hang() -> ()
        # Lets its responder go.
        method Forget() -> ()
        # Many letters.
        method Big(bytes: int) -> (text: string)
        # Has no implementation.
        method Missing() -> ()
        # Fails.
        method Fail(named: bool) -> ()

        error Refused (why: string)
        """

    let folder: TemporaryFolder
    let path: String
    let server: VarlinkServer
    let calls = Events<String>()
    let cancels = Events<String>()
    let watchers = Mutex<[Responder]>([])
    /// Does something more within an Echo.
    let onEcho = Mutex<(@Sendable (String) -> Void)?>(nil)
    private let engine = DispatchQueue(label: "test.engine")

    init(
        limits: Limits = Limits(), allowedUID: UInt32 = geteuid(),
        calmed: @escaping @Sendable () -> Void = {}
    ) throws {
        folder = try TemporaryFolder()
        path = folder.path + "/s"
        let box = Methods()
        let interface = try Interface(description: Self.text, methods: box.table, reading: ["Look"])
        server = VarlinkServer(
            socket: try ListeningSocket(path: path), info: Self.info, interfaces: [interface],
            limits: limits, allowedUID: allowedUID)
        box.service.withLock { $0 = Weak(self) }
        server.calmed = calmed
        server.start()
    }

    deinit {
        server.stop()
    }

    static let info = ServiceInfo(
        vendor: "Example", product: "test", version: "1", url: "https://example.org",
        errorInterface: "org.example.Transport")

    func connect(milliseconds: Int = 30_000) throws -> VarlinkClient {
        try VarlinkClient.connect(path: path, milliseconds: milliseconds)
    }

    func later(_ work: @escaping @Sendable () -> Void) { engine.async(execute: work) }
}

struct Weak: Sendable {
    weak let service: TestService?
    init(_ service: TestService?) { self.service = service }
}

struct Text: Codable, Equatable, Sendable { var text: String }
struct Number: Codable, Equatable, Sendable { var number: Int }
struct To: Codable, Sendable { var to: Int }
struct Empty: Codable, Sendable {}

/// The methods of the test's interface.
final class Methods: Sendable {
    let service = Mutex(Weak(nil))

    private var test: TestService? { service.withLock { $0.service } }

    private var echo: Interface.Method {
        { [self] call, responder in
            let text = try call.parameters(as: Text.self)
            test?.calls.add(text.text)
            test?.onEcho.withLock { $0 }?(text.text)
            responder.reply(text)
        }
    }

    var table: [String: Interface.Method] {
        [
            "Echo": echo, "Look": echo,
            "Later": { [self] call, responder in
                let text = try call.parameters(as: Text.self)
                test?.later { responder.reply(text) }
            },
            "Count": { call, responder in
                let to = try call.parameters(as: To.self).to
                for number in 0...to {
                    responder.reply(Number(number: number), continues: number < to)
                }
            },
            "Watch": { [self] call, responder in
                if !call.more { throw VarlinkError.expectedMore }
                responder.onCancel { [self] in test?.cancels.add("Watch") }
                responder.reply(Number(number: 0), continues: true)
                test?.watchers.withLock { $0.append(responder) }
            },
            "Hang": { [self] _, responder in
                test?.watchers.withLock { $0.append(responder) }
                responder.onCancel { [self] in test?.cancels.add("Hang") }
                test?.calls.add("Hang")
            },
            "Forget": { _, _ in },
            "Big": { [self] call, responder in
                test?.calls.add("Big")
                struct Bytes: Decodable { let bytes: Int }
                let bytes = try call.parameters(as: Bytes.self).bytes
                // As bytes: a debug build needs 100 ns for each `Character`.
                let text = [UInt8](repeating: UInt8(ascii: "x"), count: bytes)
                responder.reply(Text(text: String(decoding: text, as: UTF8.self)))
            },
            "Fail": { call, _ in
                struct Named: Decodable { let named: Bool }
                struct Odd: Error {}
                if try !call.parameters(as: Named.self).named { throw Odd() }
                throw VarlinkError(name: "org.example.Test.Refused", parameters: ["why": "so"])
            },
        ]
    }
}

/// What happened, for a test to wait for.
final class Events<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    private let signal = DispatchSemaphore(value: 0)

    func add(_ value: Value) {
        values.withLock { $0.append(value) }
        signal.signal()
    }

    var all: [Value] { values.withLock { $0 } }

    /// Waits for one more.
    func wait(seconds: Int = 30) -> Bool {
        signal.wait(timeout: .now() + .seconds(seconds)) == .success
    }
}

/// Asks again, without sleeping in between for longer than a poll, until `condition` holds.
func eventually(seconds: Int = 30, _ condition: () -> Bool) -> Bool {
    let deadline = DispatchTime.now() + .seconds(seconds)
    while !condition() {
        if DispatchTime.now() > deadline { return false }
        _ = poll(nil, 0, 2)
    }
    return true
}
