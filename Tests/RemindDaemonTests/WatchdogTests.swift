import Dispatch
import Glibc
import Testing

@testable import RemindDaemon
import VarlinkWire

@Suite("The watchdog of the service manager")
struct WatchdogTests {
    /// The environment belongs to the process, so a process of its own.
    @Test("It is fed by the queue that it watches, and starves while that queue hangs")
    func starves() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = folder.path + "/notify" as String] in
            let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
            try Syscalls.bind(socket, try SocketAddress(path: path))
            setenv("NOTIFY_SOCKET", path, 1)
            setenv("WATCHDOG_USEC", "200000", 1)
            unsetenv("WATCHDOG_PID")
            let queue = DispatchQueue(label: "engine")
            let timer = try #require(ServiceManager.feedWatchdog(from: queue))
            #expect(isFed(socket, within: 10_000))
            let (hangs, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            queue.async {
                hangs.signal()
                released.wait()
            }
            hangs.wait()
            while isFed(socket, within: 0) {}
            #expect(!isFed(socket, within: 1000))
            released.signal()
            #expect(isFed(socket, within: 10_000))
            timer.cancel()
        }
    }

    @Test("Where nobody watches, nothing wakes up")
    func unwatched() async {
        await #expect(processExitsWith: .success) {
            unsetenv("WATCHDOG_USEC")
            #expect(ServiceManager.feedWatchdog(from: DispatchQueue(label: "engine")) == nil)
        }
    }
}

/// Whether a message comes in time, in milliseconds, that says that all is well.
private func isFed(_ socket: Int32, within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) == 1 else { return false }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = recv(socket, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "WATCHDOG=1"
}
