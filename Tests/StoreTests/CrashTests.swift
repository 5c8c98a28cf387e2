import Glibc
import RemindCore
import Testing

@testable import Store

@Suite("Killed in the middle")
struct CrashTests {
    @Test("What was acknowledged before kill -9 is there, and nothing is there by half")
    func killedWhileInserting() async throws {
        let folder = try TemporaryFolder()
        var acknowledged: Int64 = 0
        for round in 0..<8 {
            await #expect(processExitsWith: .signal(SIGALRM)) {
                [
                    path = folder.database as String,
                    acknowledgements = folder.path + "/acknowledged" as String, round = round as Int
                ] in
                // The default action of SIGALRM ends a process as abruptly as SIGKILL does.
                try insertUntilKilled(path, acknowledgements: acknowledgements, round: round)
            }
            let lines = try #require(bytes(of: folder.path + "/acknowledged"))
            let last = String(decoding: lines, as: UTF8.self).split(separator: "\n").last
            acknowledged = last.flatMap { Int64($0) } ?? acknowledged
            let store = try Store(path: folder.database)
            let all = try store.list(ListFilter(.all), sort: .created)
            #expect(all.map(\.number) == (0..<all.count).map { Int64($0 + 1) })
            // One may have been committed without its acknowledgement having been written.
            #expect((0...1).contains(Int64(all.count) - acknowledged))
            #expect(all.allSatisfy { $0.tags == ["a", "b"] && $0.alarm.state == .pending })
            #expect(try store.checkIntegrity().isEmpty)
            acknowledged = Int64(all.count)
            try write("\(acknowledged)\n".utf8, to: folder.path + "/acknowledged")
            try store.close()
        }
        // Half of the rounds live until their first acknowledgement at least.
        #expect(acknowledged >= 4)
    }

    @Test("A first start that was killed at any moment is made good by the next")
    func killedWhileCreating() async throws {
        for delay in stride(from: 100, through: 6000, by: 400) {
            let folder = try TemporaryFolder()
            await #expect(processExitsWith: .signal(SIGALRM)) {
                [path = folder.database as String, delay = delay as Int] in
                armAlarm(microseconds: delay)
                _ = try Store(path: path)
                while true { pause() }
            }
            #expect(refusal(folder.database) == nil)
        }
    }

    @Test("A write that the system refuses, at any place, undoes the change; the next one works")
    func refusedWrites() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .success) { [path = folder.database as String] in
            // Without the signal, a write beyond the limit fails with EFBIG.
            signal(SIGXFSZ, SIG_IGN)
            let store = try Store(path: path)
            var (stored, refused) = (0, 0)
            for step in 0..<60 {
                let written = bytes(of: path + "-wal")?.count ?? 0
                var reminder = sample(step)
                reminder.tags = ["a", "b"]
                reminder.note = String(repeating: "n", count: 10_000)
                limitFiles(to: written + step % 20 * 1000)
                let error = storeError { reminder.number = try store.insert(reminder, due: epoch) }
                limitFiles(to: nil)
                if let error { #expect(error.code == "SQLITE_IOERR_WRITE") }
                (stored, refused) = error == nil ? (stored + 1, refused) : (stored, refused + 1)
                #expect(try store.reminder(id: reminder.id) == (error == nil ? reminder : nil))
            }
            #expect(stored > 5 && refused > 5, "\(stored) stored, \(refused) refused")
            #expect(try store.list().count == stored)
            #expect(try store.checkIntegrity().isEmpty)
            try store.close()
        }
    }
}

/// The longest that this process may make a file; `nil`: as long as it likes.
private func limitFiles(to size: Int?) {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
    getrlimit(resource, &limit)
    limit.rlim_cur = size.map { rlim_t($0) } ?? limit.rlim_max
    setrlimit(resource, &limit)
}

func armAlarm(microseconds: Int) {
    var timer = itimerval()
    timer.it_value.tv_usec = suseconds_t(microseconds)
    setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil)
}

/// Writes each number after its commit. The alarm runs from the first of them, in every other round
/// from before the opening.
private func insertUntilKilled(_ path: String, acknowledgements: String, round: Int) throws {
    let log = open(acknowledgements, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    if round % 2 == 0 { armAlarm(microseconds: 5000 + round * 7919) }
    let store = try Store(path: path)
    let first = round * 100_000
    var index = first
    while true {
        var reminder = sample(index)
        reminder.tags = ["a", "b"]
        reminder.alarm = Alarm(state: .pending, nextRing: epoch)
        reminder.note = String(repeating: "note ", count: index % 2000)
        let line = Array("\(try store.insert(reminder, due: epoch))\n".utf8)
        try #require(Glibc.write(log, line, line.count) == line.count)
        if index == first, round % 2 == 1 { armAlarm(microseconds: round * 4999) }
        index += 1
    }
}
