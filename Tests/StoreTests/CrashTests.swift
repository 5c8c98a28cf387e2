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
                armAlarm(microseconds: 5000 + round * 7919)
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
        #expect(acknowledged > 8)
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
}

private func armAlarm(microseconds: Int) {
    var timer = itimerval()
    timer.it_value.tv_usec = suseconds_t(microseconds)
    setitimer(Int32(ITIMER_REAL.rawValue), &timer, nil)
}

/// Writes each number after its commit.
private func insertUntilKilled(_ path: String, acknowledgements: String, round: Int) throws {
    let log = open(acknowledgements, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let store = try Store(path: path)
    var index = round * 100_000
    while true {
        var reminder = sample(index)
        reminder.tags = ["a", "b"]
        reminder.alarm = Alarm(state: .pending, nextRing: epoch)
        reminder.note = String(repeating: "note ", count: index % 2000)
        let line = Array("\(try store.insert(reminder, due: epoch))\n".utf8)
        try #require(Glibc.write(log, line, line.count) == line.count)
        index += 1
    }
}
