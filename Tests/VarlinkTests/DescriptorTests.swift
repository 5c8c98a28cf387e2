import Glibc
import Testing

@testable import Varlink
import VarlinkWire

extension LimitTests {
    /// The other process is Python's, so that this one keeps its user.
    @Test(.enabled(if: geteuid() == 0, "only root can become another user"))
    func processOfAnotherUserIsRefusedEvenWhenTheFileLetsItIn() throws {
        let service = try TestService()
        chmod(service.path, 0o777)
        chmod(service.folder.path, 0o755)
        let program = """
            import os, socket, sys
            os.setresgid(65534, 65534, 65534); os.setresuid(65534, 65534, 65534)
            peer = socket.socket(socket.AF_UNIX); peer.connect(sys.argv[1])
            reply = b""
            while piece := peer.recv(4096): reply += piece
            sys.exit(0 if b"org.varlink.service.PermissionDenied" in reply else 1)
            """
        let child = spawn(["/usr/bin/env", "python3", "-c", program, service.path])
        var status: Int32 = 0
        #expect(waitpid(child, &status, 0) == child)
        #expect(status == 0)
        #expect(service.server.connectionCount == 0)
    }

    private func spawn(_ arguments: [String]) -> pid_t {
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
        defer { for pointer in pointers where pointer != nil { free(pointer) } }
        pointers.append(nil)
        var child: pid_t = 0
        let result = posix_spawn(&child, arguments[0], nil, nil, pointers, environ)
        #expect(result == 0)
        return child
    }

    @Test func wantOfDescriptorsIsWaitedOutWithoutSpinning() throws {
        let folder = try TemporaryFolder()
        var limits = Limits()
        limits.acceptRetryMilliseconds = 50
        let server = VarlinkServer(
            socket: try ListeningSocket(path: folder.path + "/s"), info: TestService.info,
            interfaces: [], limits: limits)
        let attempts = Events<Bool>()
        server.accept = { fd throws(SystemError) in
            attempts.add(true)
            if attempts.all.count <= 3 { throw SystemError("accept4", EMFILE) }
            return try Syscalls.accept(fd)
        }
        server.start()
        let clock = ContinuousClock()
        let time = try clock.measure {
            let client = try VarlinkClient.connect(path: folder.path + "/s", milliseconds: 5000)
            #expect(try !client.call("org.varlink.service.GetInfo").isEmpty)
        }
        #expect(time >= .milliseconds(140))
        #expect(attempts.all.count <= 6)
        server.stop()
    }

    /// How many of our descriptors bear the name of a socket: the one that listens, and our ends of
    /// its connections. Other tests open and close others meanwhile.
    private func descriptors(named path: String) -> Int {
        (0..<4096).count { descriptor in
            var address = sockaddr_un()
            var size = socklen_t(MemoryLayout<sockaddr_un>.size)
            let code = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    getsockname(Int32(descriptor), $0, &size)
                }
            }
            guard code == 0, address.sun_family == AF_UNIX else { return false }
            return withUnsafeBytes(of: address.sun_path) { name in
                name.prefix { $0 != 0 }.elementsEqual(path.utf8)
            }
        }
    }

    @Test func clientsThatCloseWithoutReadingLeaveNothingBehind() throws {
        let service = try TestService()
        for number in 0..<200 {
            let client = try RawClient(path: service.path)
            switch number % 4 {
            case 0: client.send(echo("a") + "\0")
            case 1: client.send(String(echo("a").dropLast(5)))
            case 2:
                client.send(
                    #"{"method":"org.example.Test.Big","parameters":{"bytes":300000}}"# + "\0")
            default: break
            }
        }
        try expectServed(service)
        #expect(eventually { service.server.connectionCount == 0 })
        #expect(descriptors(named: service.path) == 1)
        #expect(service.server.queuedBytes == 0)
    }
}
