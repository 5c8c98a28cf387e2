import Glibc
import RemindAPI
import VarlinkWire

/// One command being carried out: its arguments, its output, and the daemon, reached when needed.
final class Session {
    let arguments: Arguments
    let surroundings: Surroundings
    let output: Output
    let errors: Output
    let style: Style

    private var client: VarlinkClient?

    init(_ arguments: Arguments, _ surroundings: Surroundings, output: Output, errors: Output) {
        (self.arguments, self.surroundings) = (arguments, surroundings)
        (self.output, self.errors) = (output, errors)
        style = Style(option: arguments.value("color"), in: surroundings)
    }

    var json: Bool { arguments.has("json") }

    /// Calls a method and waits for its reply.
    /// - Returns: the JSON object of the reply, as it came.
    func call(
        _ method: (some RemindersMethod).Type,
        _ parameters: (inout JSONWriter) throws(Failure) -> Void = { _ in }
    ) throws(Failure) -> [UInt8] {
        let object = try Self.object(parameters)
        let client = try connect()
        var reply: [UInt8] = []
        try untilNotBusy {
            reply = try client.call(method.qualifiedName, rawParameters: object)
        }
        return reply
    }

    /// Calls a method that replies several times.
    /// - Parameter patient: after the first reply, which shows that the daemon is there, waits for
    ///   as long as it takes.
    func callMore(
        _ method: (some RemindersMethod).Type, patient: Bool,
        _ parameters: (inout JSONWriter) throws(Failure) -> Void,
        each: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        let object = try Self.object(parameters)
        let client = try connect()
        var hasReplied = false
        try untilNotBusy(unless: { hasReplied }) {
            try client.callMore(method.qualifiedName, rawParameters: object) { reply in
                hasReplied = true
                if patient { try client.waitWithoutLimit() }
                try each(reply)
                return true
            }
        }
    }

    /// Makes a call again while the daemon answers `Busy`: another program has the store's lock, mostly
    /// for a moment, or many lists are being made. The daemon itself does not wait, as it has reminders
    /// to ring: we do.
    /// - Parameter isOver: whether it is too late to make the call again.
    private func untilNotBusy(
        unless isOver: () -> Bool = { false }, _ call: () throws -> Void
    ) throws(Failure) {
        var tries = 0
        while true {
            do {
                return try call()
            } catch {
                let failure = Self.failure(error)
                guard failure.name == "Busy", tries < surroundings.busyAttempts, !isOver() else {
                    throw explained(failure)
                }
                tries += 1
                poll(nil, 0, 100)
            }
        }
    }

    /// Calls on a connection of its own and does not wait: the replies are taken as they come.
    func open(
        _ method: (some RemindersMethod).Type,
        _ parameters: (inout JSONWriter) throws(Failure) -> Void = { _ in }
    ) throws(Failure) -> VarlinkClient {
        let object = try Self.object(parameters)
        let client = try connected()
        do throws(ClientError) {
            try client.begin(method.qualifiedName, rawParameters: object)
            return client
        } catch {
            throw Failure(error)
        }
    }

    /// The next call connects anew.
    func disconnect() { client = nil }

    /// The fields that the options set.
    func writeOptions(to json: inout JSONWriter) throws(Failure) {
        try arguments.writeOptions(to: &json, input: surroundings.inputDescriptor)
    }

    private func connect() throws(Failure) -> VarlinkClient {
        if let client { return client }
        let connected = try connected()
        client = connected
        return connected
    }

    private func connected() throws(Failure) -> VarlinkClient {
        let path = try SocketPath.find(option: arguments.value("socket"), in: surroundings)
        do {
            return try VarlinkClient.connect(
                path: path, milliseconds: surroundings.patienceMilliseconds)
        } catch {
            throw explained(Self.failure(error))
        }
    }

    /// Where nobody is there, what the last daemon said before it gave up says more.
    private func explained(_ failure: Failure) -> Failure {
        guard failure.name == Failure.unreachable,
            let path = try? SocketPath.find(option: arguments.value("socket"), in: surroundings),
            let reason = StartFailure.read(socket: path)
        else { return failure }
        var failure = failure
        failure.message += " It could not begin: \(reason)"
        failure.hint = "journalctl --user -u remindd.service"
        return failure
    }

    private static func object(_ fields: (inout JSONWriter) throws(Failure) -> Void)
        throws(Failure) -> [UInt8]
    {
        var json = JSONWriter(capacity: 512)
        var failure: Failure?
        json.object { json in
            do throws(Failure) { try fields(&json) } catch { failure = error }
        }
        if let failure { throw failure }
        return json.bytes
    }

    static func failure(_ error: any Error) -> Failure {
        switch error {
        case let failure as Failure: failure
        case let reply as VarlinkError: Failure(reply)
        case let error as ClientError: Failure(error)
        case let fault as JSONReader.Fault:
            .malformed("The reply cannot be understood at byte \(fault.offset).")
        default: Failure("Defect", "\(error)", exit: .software)
        }
    }
}

/// Calls for each of several references.
extension Session {
    /// Calls for every reference, whether or not others fail, and reports those that do.
    /// - Returns: 0; 1 when some failed; the code of the first failure when all did.
    func forEach(
        _ references: [String], _ body: (String) throws(Failure) -> Void
    ) throws(Failure) -> ExitStatus {
        var failures: [Failure] = []
        for reference in references {
            do {
                try body(reference)
            } catch {
                // Without a daemon or a reader there is nothing to try for the others.
                if error.concernsOutput || client == nil { throw error }
                failures.append(error)
            }
        }
        try output.flush()
        let columns = surroundings.errorTerminal?.columns
        for failure in failures { try? errors.write(failure.text(json: json, columns: columns)) }
        guard let first = failures.first else { return .done }
        return failures.count < references.count ? .partly : first.exit
    }

    /// The words as references; `-` stands for those on stdin.
    func references(_ words: [String]) throws(Failure) -> [String] {
        guard words.contains("-") else { return words }
        let read = try StandardInput.references(from: surroundings.inputDescriptor)
        let first = words.firstIndex(of: "-")
        return words.indices.flatMap { index in
            words[index] != "-" ? [words[index]] : index == first ? read : []
        }
    }
}
