import Glibc
import Synchronization
import Testing

@testable import Varlink
@testable import VarlinkWire

/// The file of the socket goes while the server runs.
@Suite struct SocketWatchTests {
    private func server(in folder: TemporaryFolder) throws -> (VarlinkServer, Events<String>) {
        let server = VarlinkServer(
            socket: try ListeningSocket(path: folder.path + "/s"),
            info: ServiceInfo(
                vendor: "v", product: "p", version: "1", url: "u", errorInterface: "org.example.E"),
            interfaces: [])
        let changes = Events<String>()
        server.socketChanged = { change in
            switch change {
            case .madeAnew(let path): changes.add("anew \(path)")
            case .lost(let path, let reason): changes.add("lost \(path) \(reason)")
            case .unwatched(let path, let reason): changes.add("unwatched \(path) \(reason)")
            }
        }
        server.start()
        return (server, changes)
    }

    private func answers(_ path: String) -> Bool {
        guard let client = try? VarlinkClient.connect(path: path) else { return false }
        return (try? client.call("org.varlink.service.GetInfo", rawParameters: Array("{}".utf8)))
            != nil
    }

    @Test func removedFileIsMadeAnewAgainAndAgain() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/s"
        let (server, changes) = try server(in: folder)
        #expect(answers(path))
        let open = try VarlinkClient.connect(path: path)
        for _ in 0..<3 {
            unlink(path)
            #expect(changes.wait() && changes.all.last == "anew \(path)")
            #expect(answers(path))
            var status = stat()
            #expect(lstat(path, &status) == 0 && status.st_mode == S_IFSOCK | 0o600)
        }
        // Who was there before is still served.
        let reply = try? open.call("org.varlink.service.GetInfo", rawParameters: Array("{}".utf8))
        #expect(reply != nil)
        let stopped = Events<String>()
        server.stop { stopped.add("stopped") }
        #expect(stopped.wait())
        #expect(access(path, F_OK) != 0)
    }

    @Test func replacedFileIsLeftAloneAndTold() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/s"
        let (server, changes) = try server(in: folder)
        #expect(answers(path))
        close(Glibc.open(folder.path + "/file", O_CREAT | O_WRONLY, 0o600))
        rename(folder.path + "/file", path)
        #expect(changes.wait())
        #expect(changes.all.last?.hasPrefix("lost \(path) ‘\(path)’ is not a socket") == true)
        // Asked to try again, when the way is free.
        unlink(path)
        server.checkSocketFile()
        #expect(changes.wait() && changes.all.last == "anew \(path)")
        #expect(answers(path))
        let stopped = Events<String>()
        server.stop { stopped.add("stopped") }
        #expect(stopped.wait())
    }

    @Test func socketThatWasHandedOverIsNobodyElsesAffair() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/s"
        let made = try ListeningSocket(path: path)
        let adopted = try ListeningSocket(adopting: dup(made.fd))
        #expect(adopted.path == nil)
        unlink(path)
        #expect(adopted.isInPlace)
        #expect(!made.isInPlace)
    }
}
