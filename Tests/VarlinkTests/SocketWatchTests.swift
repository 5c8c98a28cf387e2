import Dispatch
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

    /// With each server that stopped, and with each socket that was made anew, a descriptor of
    /// inotify(7) was closed: on a busy machine all clients waited for seconds.
    @Test func watchesComeAndGoWithoutAnEndThatLasts() throws {
        let folders = try (0..<3).map { _ in try TemporaryFolder() }
        let servers = try folders.map { try server(in: $0) }
        for folder in folders { #expect(answers(folder.path + "/s")) }
        let descriptor = Connection.queue.sync { WatchedFiles.all.descriptor }
        let files = folders.map { file(of: $0.path + "/s") }
        for file in files { #expect(watched(descriptor).contains(file)) }
        // Each is told of its own file.
        for (number, folder) in folders.enumerated() {
            unlink(folder.path + "/s")
            #expect(servers[number].1.wait())
            for (other, (_, changes)) in servers.enumerated() {
                #expect(changes.all.count == (other <= number ? 1 : 0))
            }
        }
        let anew = folders.map { file(of: $0.path + "/s") }
        for file in anew { #expect(watched(descriptor).contains(file)) }
        // No other file gets their numbers meanwhile.
        for folder in folders { #expect(link(folder.path + "/s", folder.path + "/file") == 0) }
        for (server, _) in servers {
            let stopped = Events<String>()
            server.stop { stopped.add("stopped") }
            #expect(stopped.wait())
        }
        for file in anew { #expect(!watched(descriptor).contains(file)) }
        #expect(Connection.queue.sync { WatchedFiles.all.descriptor } == descriptor)
    }

    /// The number of a file, as proc_pid_fdinfo(5) has it.
    private func file(of path: String) -> String {
        var status = stat()
        #expect(lstat(path, &status) == 0)
        return "ino:" + String(status.st_ino, radix: 16)
    }

    /// The numbers of the files that an inotify descriptor watches.
    private func watched(_ descriptor: Int32) -> [String] {
        guard let lines = fopen("/proc/self/fdinfo/\(descriptor)", "re") else { return [] }
        defer { fclose(lines) }
        var (line, size, found): (UnsafeMutablePointer<CChar>?, Int, [String]) = (nil, 0, [])
        defer { free(line) }
        while getline(&line, &size, lines) > 0, let line {
            let fields = String(cString: line).split(separator: " ")
            found += fields.filter { $0.hasPrefix("ino:") }.map(String.init)
        }
        return found
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
