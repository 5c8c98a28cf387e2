import Glibc
import Testing

@testable import Varlink
@testable import VarlinkWire

@Suite struct SocketFileTests {
    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode : nil
    }

    /// A path of so many bytes in the folder.
    private func path(of count: Int, in folder: TemporaryFolder) -> String {
        folder.path + "/" + String(repeating: "s", count: count - folder.path.utf8.count - 1)
    }

    @Test func fileIsPrivateFromTheStart() throws {
        let folder = try TemporaryFolder()
        let socket = try ListeningSocket(path: folder.path + "/s")
        #expect(mode(folder.path + "/s") == S_IFSOCK | 0o600)
        socket.removeFile()
        #expect(mode(folder.path + "/s") == nil)
    }

    /// Behind thousands of connections whose clients had gone again, others waited for seconds.
    @Test func notEveryConnectionMayWaitToBeAccepted() throws {
        let folder = try TemporaryFolder()
        let socket = try ListeningSocket(path: folder.path + "/s")
        defer { socket.removeFile() }
        let address = try SocketAddress(path: folder.path + "/s")
        var (waiting, refused): (Int, Int32?) = (0, nil)
        while refused == nil, waiting < 4000 {
            // One that is closed again waits like any other.
            let fd = try Syscalls.unixStream()
            defer { close(fd) }
            try Syscalls.makeNonBlocking(fd)
            do {
                try Syscalls.connect(fd, address)
                waiting += 1
            } catch {
                refused = error.code
            }
        }
        #expect(refused == EAGAIN)
        // Linux lets one more wait than listen(2) is told.
        #expect(waiting == Int(Limits.pendingConnections) + 1)
    }

    @Test func pathOf107BytesWorks() throws {
        let folder = try TemporaryFolder()
        let path = path(of: 107, in: folder)
        let socket = try ListeningSocket(path: path)
        #expect(mode(path) == S_IFSOCK | 0o600)
        _ = try VarlinkClient.connect(path: path)
        socket.removeFile()
    }

    @Test func pathOf108BytesIsRefusedByServerAndClient() throws {
        let folder = try TemporaryFolder()
        let path = path(of: 108, in: folder)
        #expect(throws: SocketAddress.Invalid(path: path)) { try ListeningSocket(path: path) }
        #expect(throws: SocketAddress.Invalid(path: path)) { try VarlinkClient.connect(path: path) }
        let message = SocketAddress.Invalid(path: path).description
        #expect(message.contains("‘\(path)’ is 108 bytes") && message.contains("107"))
        #expect(mode(folder.path + "/" + String(repeating: "s", count: 5)) == nil)
    }

    @Test(arguments: ["", "a\u{0}b"])
    func pathThatCannotBeIsRefused(path: String) {
        #expect(throws: SocketAddress.Invalid(path: path)) { try SocketAddress(path: path) }
    }

    @Test func regularFileIsLeftUntouched() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        close(open(path, O_CREAT | O_WRONLY, 0o640))
        #expect(throws: SocketFile.Refusal.notASocket(path: path)) {
            try ListeningSocket(path: path)
        }
        #expect(mode(path) == S_IFREG | 0o640)
    }

    @Test func symbolicLinkIsLeftUntouched() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/file"
        symlink(folder.path + "/s", path)
        #expect(throws: SocketFile.Refusal.notASocket(path: path)) {
            try ListeningSocket(path: path)
        }
        #expect(mode(path).map { $0 & S_IFMT } == S_IFLNK)
    }

    @Test func socketSomeoneListensOnIsRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/s"
        let first = try ListeningSocket(path: path)
        #expect(throws: SocketFile.Refusal.inUse(path: path)) { try ListeningSocket(path: path) }
        #expect(
            SocketFile.Refusal.inUse(path: path).description.contains(
                "Another remindd is listening"))
        _ = try VarlinkClient.connect(path: path)
        first.removeFile()
    }

    /// “connect failed: Protocol wrong type for socket” named no file.
    @Test func socketOfAnotherKindIsLeftUntouched() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/s"
        let other = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(other) }
        try Syscalls.bind(other, SocketAddress(path: path))
        #expect(throws: SocketFile.Refusal.foreign(path: path)) { try ListeningSocket(path: path) }
        #expect(SocketFile.Refusal.foreign(path: path).description.contains("‘\(path)’"))
        #expect(mode(path).map { $0 & S_IFMT } == S_IFSOCK)
        #expect(throws: ClientError.notRunning(path: path)) {
            try VarlinkClient.connect(path: path)
        }
    }

    @Test func socketLeftByADeadProcessIsReplaced() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/s"
        var dead: ListeningSocket? = try ListeningSocket(path: path)
        #expect(dead != nil)
        dead = nil
        #expect(mode(path) != nil)
        #expect(throws: ClientError.notRunning(path: path)) {
            try VarlinkClient.connect(path: path)
        }
        let alive = try ListeningSocket(path: path)
        _ = try VarlinkClient.connect(path: path)
        alive.removeFile()
    }

    @Test func fileOfAnotherSocketIsNotRemoved() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/s"
        let first = try ListeningSocket(path: path)
        rename(path, folder.path + "/file")
        let second = try ListeningSocket(path: path)
        first.removeFile()
        #expect(mode(path) != nil)
        second.removeFile()
        #expect(mode(path) == nil)
    }

    @Test func folderMustExist() throws {
        let folder = try TemporaryFolder()
        #expect(throws: SocketFile.Refusal.noParent(path: folder.path + "/none")) {
            try ListeningSocket(path: folder.path + "/none/s")
        }
    }

    @Test(arguments: [
        (0o700, true), (0o755, true), (0o770, false), (0o702, false), (0o1777, false),
    ])
    func folderMustNotBeWritableByOthers(folderMode: UInt32, isFine: Bool) throws {
        let folder = try TemporaryFolder()
        chmod(folder.path, folderMode)
        if isFine {
            #expect(throws: Never.self) { try ListeningSocket(path: folder.path + "/s") }
        } else {
            let refusal = SocketFile.Refusal.parentOpen(path: folder.path, mode: folderMode)
            #expect(throws: refusal) { try ListeningSocket(path: folder.path + "/s") }
        }
    }

    @Test func twoThatStartTogetherDoNotRemoveEachOther() throws {
        let folder = try TemporaryFolder()
        let lock = open(folder.path, O_RDONLY | O_DIRECTORY)
        defer { close(lock) }
        #expect(flock(lock, LOCK_EX) == 0)
        #expect(throws: SocketFile.Refusal.busy(path: folder.path + "/s")) {
            try ListeningSocket(path: folder.path + "/s")
        }
    }

    @Test func adoptedSocketIsServedAndItsFileStays() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/s"
        let fd = try Syscalls.unixStream()
        try Syscalls.bind(fd, SocketAddress(path: path))
        try Syscalls.listen(fd)
        let server = VarlinkServer(
            socket: try ListeningSocket(adopting: fd), info: TestService.info, interfaces: [])
        server.start()
        let client = try VarlinkClient.connect(path: path)
        #expect(try !client.call("org.varlink.service.GetInfo").isEmpty)
        let stopped = Events<Bool>()
        server.stop { stopped.add(true) }
        #expect(stopped.wait())
        #expect(mode(path) != nil)
    }

    @Test func descriptorThatDoesNotListenIsNotAdopted() throws {
        let fd = try Syscalls.unixStream()
        defer { close(fd) }
        #expect(throws: SocketFile.Refusal.notListening(fd)) { try ListeningSocket(adopting: fd) }
        #expect(throws: SocketFile.Refusal.notListening(-1)) { try ListeningSocket(adopting: -1) }
    }
}
