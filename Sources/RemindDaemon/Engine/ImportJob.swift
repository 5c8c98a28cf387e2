import Calendaring
import RemindAPI
import RemindCore

/// A file that has arrived whole and is being stored. Unchecked: touched on the importer's queue
/// alone, but for `run`, which is the engine's.
final class ImportJob: @unchecked Sendable {
    let spool: ImportSpool
    let run: ImportRun
    let engine: Engine
    let answer: Importer.Answer
    let pump: ImportPump
    private var reader: ImportReader
    private var part = 0
    /// Bytes of the part that have been read.
    private var partRead = 0
    private var isDraining = false
    /// Chunks that the engine has not stored yet.
    var underWay = 0
    /// By what the tasks that come are drafted here already; `nil`: they are left to the engine,
    /// which need not draft what it knows.
    var drafting: ImportDrafting?
    private(set) var isRead = false
    /// Its last reply is on its way.
    fileprivate var isEnding = false
    private(set) var problems = JSONWriter()
    /// What is no task, since the last `takeComponents`.
    private var components: [ImportedComponent] = []

    /// Bytes that are read at a time, and identities that are taken at the end.
    static let chunk = 192 << 10
    private static let drained = 512

    init(
        spool: ImportSpool, reader: ImportReader, run: ImportRun, engine: Engine,
        answer: Importer.Answer
    ) {
        (self.spool, self.reader, self.run, self.engine) = (spool, reader, run, engine)
        self.answer = answer
        pump = ImportPump(engine: engine)
        if let first = spool.parts.first { self.reader.begin(file: first.name) }
    }

    /// The problems since the last call, as a JSON array.
    func takeProblems() -> [UInt8] {
        defer { problems.removeAll() }
        return [UInt8(ascii: "[")] + problems.bytes + [UInt8(ascii: "]")]
    }

    /// The components since the last call that are no tasks.
    fileprivate func takeComponents() -> [ImportedComponent] {
        defer { components = [] }
        return components
    }

    /// Reads on: a chunk of a file, or several files that are shorter, as each transaction waits for
    /// the disk.
    /// - Returns: the tasks that come out; may be none.
    func read() throws(APIError) -> [ImportCandidate] {
        var found: [ImportCandidate] = []
        let start = spool.read
        repeat {
            try readOn(&found)
        } while !isRead && spool.read - start < Self.chunk
            && found.count + components.count < Engine.importSlice
            && problems.bytes.count < Self.chunk
        return found
    }

    private func readOn(_ found: inout [ImportCandidate]) throws(APIError) {
        guard part < spool.parts.count else {
            isRead = true
            return
        }
        let current = spool.parts[part]
        if isDraining {
            if !reader.drain(Self.drained, { take($0, current, &found) }) { nextPart() }
        } else {
            let bytes = try spool.next(min(Self.chunk, current.length - partRead))
            partRead += bytes.count
            reader.feed(bytes) { take($0, current, &found) }
            if partRead == current.length {
                let isLast = part == spool.parts.count - 1
                reader.endFile(isLast: isLast) { take($0, current, &found) }
                isDraining = true
            }
        }
    }

    /// The same tasks with the reminders that they become.
    fileprivate func drafted(_ candidates: [ImportCandidate]) -> [ImportCandidate] {
        guard let drafting else { return candidates }
        let context = ImportConversion(
            schedule: drafting.schedule, now: engine.clock.now, list: run.list)
        return candidates.map { candidate in
            var candidate = candidate
            candidate.ready = (candidate.draft(context, nil), drafting.mark)
            return candidate
        }
    }

    private func nextPart() {
        (part, partRead, isDraining) = (part + 1, 0, false)
        isRead = part == spool.parts.count
        if !isRead { reader.begin(file: spool.parts[part].name) }
    }

    private func file(of part: ImportSpool.Part) -> ImportFile? {
        guard !part.name.isEmpty, run.folder != nil else { return nil }
        return ImportFile(name: part.name, content: Int64(bitPattern: part.sum.hash))
    }

    private func take(
        _ output: ICalendarOutput, _ part: ImportSpool.Part,
        _ found: inout [ImportCandidate]
    ) {
        switch output {
        case .item(let item):
            var candidate = ImportCandidate(item)
            candidate.file = file(of: part)
            found.append(candidate)
        case .component(let component):
            components.append(ImportedComponent(component: component, file: file(of: part)))
        case .problem(let problem):
            problems.object { json in
                json.field("line", Int64(problem.line))
                json.field("uid", problem.uid)
                let place = part.name.isEmpty ? "" : "‘\(part.name)’: "
                json.field("message", place + problem.reason)
                json.field("refused", problem.isRefusal)
            }
        }
    }
}

/// By which timetable tasks are drafted ahead of the engine.
struct ImportDrafting: Sendable {
    let schedule: Schedule<SystemZones>
    let mark: Timetable.Mark

    init(_ timetable: Timetable) { (schedule, mark) = (timetable.schedule, timetable.mark) }
}

extension Importer {
    /// Chunks that are read while the engine stores those before.
    private static let chunksAhead = 2

    /// Reads on, as far as the engine keeps up.
    func advance() {
        guard let job = jobs.first, !job.isEnding else { return }
        while !job.isRead, job.underWay < Self.chunksAhead {
            do throws(APIError) {
                push(job.drafted(try job.read()), of: job)
            } catch {
                return end(job, failure: error)
            }
        }
        if job.isRead, job.underWay == 0 { end(job, failure: nil) }
    }

    private func push(_ candidates: [ImportCandidate], of job: ImportJob) {
        job.underWay += 1
        var work: [ImportPump.Work] = stride(
            from: 0, to: candidates.count, by: Engine.importSlice
        ).map { start in
            let slice = Array(candidates[start..<min(start + Engine.importSlice, candidates.count)])
            return { $0.store(slice, in: job.run) }
        }
        let components = job.takeComponents()
        for start in stride(from: 0, to: components.count, by: Engine.importSlice) {
            let end = min(start + Engine.importSlice, components.count)
            let slice = Array(components[start..<end])
            work.append { $0.keep(slice, in: job.run) }
        }
        let (problems, read) = (job.takeProblems(), job.spool.read)
        work.append { engine in
            if job.answer.streams, job.run.failure == nil {
                job.answer.reply(job.report(problems: problems, read: read), false)
            } else {
                job.run.keep(problems: problems)
            }
            let drafting = job.run.bringsNew ? ImportDrafting(engine.timetable) : nil
            self.run { importer in
                job.underWay -= 1
                job.drafting = drafting
                importer.advance()
            }
        }
        job.pump.push(work)
    }

    private func end(_ job: ImportJob, failure: APIError?) {
        // Chunks may still be under way, each of which reads on when it has been stored.
        job.isEnding = true
        job.engine.run { engine in
            // What is under way is not stored any more.
            if let failure { job.run.failure = job.run.failure ?? failure }
            if job.run.failure == nil { engine.finish(job.run) }
            if let failure = job.run.failure {
                job.answer.fail(engine.takeBack(job.run, failure))
            } else {
                job.answer.reply(job.report(problems: nil, read: job.spool.total), true)
            }
            engine.endBulk(job.run)
            self.run { importer in
                importer.jobs.removeFirst()
                importer.advance()
            }
        }
    }
}

extension ImportJob {
    /// A reply: what has happened since the one before. On the engine's queue.
    fileprivate func report(problems: [UInt8]?, read: Int) -> [UInt8] {
        var json = JSONWriter(capacity: 1 << 10)
        json.object { json in
            json.field("session", String?.none)
            json.key("items")
            json.raw("[]".utf8)
            json.key("problems")
            json.raw(problems ?? run.keptProblems)
            run.write(to: &json)
            json.field("read", Int64(read))
            json.field("total", Int64(spool.total))
        }
        return json.bytes
    }
}
