import Glibc
package import RemindAPI
import VarlinkWire

/// The program from its arguments to its exit code.
package enum Program {
    /// Runs with the process's own arguments, surroundings and standard streams.
    package static func main(
        count: Int32, words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, commit: String
    ) -> Int32 {
        StandardStreams.fill(.unwritable)
        // A reader that has gone is seen as EPIPE.
        signal(SIGPIPE, SIG_IGN)
        let bytes = (1..<max(Int(count), 1)).compactMap { index in
            words[index].map { Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
        }
        let (output, errors) = (Output(fd: STDOUT_FILENO), Output(fd: STDERR_FILENO))
        // Asked in scripts and at every start of a shell: answered without the table of commands.
        if bytes.count == 1, bytes[0].elementsEqual("--version".utf8) {
            return sayVersion(commit, on: output, errors: errors).rawValue
        }
        var surroundings = Surroundings.process
        surroundings.commit = commit
        return run(bytes, in: surroundings, output: output, errors: errors).rawValue
    }

    /// - Parameter words: the arguments after the program's name, as the system hands them over.
    package static func run(
        _ words: [[UInt8]], in surroundings: Surroundings, output: Output, errors: Output
    ) -> ExitStatus {
        // JSON is UTF-8 in every locale.
        let isASCII = surroundings.isASCII && !asksForJSON(words)
        (output.isASCII, errors.isASCII) = (isASCII, isASCII)
        do {
            let arguments = try ArgumentParser.parse(try decoded(words))
            let session = Session(arguments, surroundings, output: output, errors: errors)
            let exit = try carryOut(session)
            try output.flush()
            // The exit code tells what was done, also where nobody reads stderr.
            try? errors.flush()
            return exit
        } catch {
            return report(
                error, json: asksForJSON(words), on: errors,
                columns: surroundings.errorTerminal?.columns)
        }
    }

    private static func sayVersion(
        _ commit: String, on output: Output, errors: Output
    ) -> ExitStatus {
        do {
            try output.write(Product.line(program: "remindctl", commit: commit))
            try output.flush()
            return .done
        } catch {
            return report(error, json: false, on: errors)
        }
    }

    private static func carryOut(_ session: Session) throws(Failure) -> ExitStatus {
        if session.arguments.has("version") {
            try session.output.write(
                Product.line(program: "remindctl", commit: session.surroundings.commit))
            return .done
        }
        return session.arguments.has("help")
            ? try Help.run(session) : try session.arguments.command.run(session)
    }

    private static func decoded(_ words: [[UInt8]]) throws(Failure) -> [String] {
        var texts: [String] = []
        for word in words {
            guard let text = String(validating: word, as: UTF8.self) else {
                throw .input(
                    "The argument ‘\(String(decoding: word, as: UTF8.self))’ is not UTF-8.",
                    hint: "Text is taken in UTF-8 only; iconv -t UTF-8 converts it.")
            }
            texts.append(text)
        }
        return texts
    }

    private static func report(
        _ failure: Failure, json: Bool, on errors: Output, columns: Int? = nil
    ) -> ExitStatus {
        if failure == .outputClosed { return .done }
        // Where stderr is closed, the exit code has to say it alone.
        try? errors.write(failure.text(json: json, columns: columns))
        try? errors.flush()
        return failure.exit
    }

    private static func asksForJSON(_ words: [[UInt8]]) -> Bool {
        words.prefix { $0 != Array("--".utf8) }.contains(Array("--json".utf8))
    }
}
