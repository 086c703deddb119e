// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSALBase
import Synchronization

/// A program that uses the terminal, the streams, and the signals of this process.
struct ForegroundProgram {
    private var path: String
    private var words: [String]
    private var environment: [String: String]
    /// The arguments before its own, if another program starts it.
    private var starter: [String] = []

    /// Finds the program.
    ///
    /// - Throws: The exit status that a shell uses, after a message: 127 if the program is missing, 126 if it is not
    ///   executable.
    init(_ words: [String], environment: [String: String]) throws {
        if words[0].contains("/"), FileManager.default.fileExists(atPath: words[0]),
            ChildProcess.executable(words[0], in: environment, asShell: true) == nil
        {
            Terminal.errors.write(
                "entra-emulator: cannot run '\(words[0])', which is not an executable file; check its permissions"
            )
            throw ExitCode(126)
        }
        guard let path = ChildProcess.executable(words[0], in: environment, asShell: true) else {
            Terminal.errors.write(
                "entra-emulator: cannot find the program '\(words[0])'; check that it is installed and on the PATH"
            )
            throw ExitCode(127)
        }
        self.path = path
        self.words = words
        self.environment = environment
    }

    /// The name of the program, as the caller wrote it.
    var name: String { words[0] }

    /// The same program in another environment, started by `starter`, which replaces itself with it.
    func started(by starter: [String], path: String, environment: [String: String]) -> ForegroundProgram {
        var copy = self
        (copy.path, copy.environment) = (path, environment)
        copy.starter = starter + [self.path]
        return copy
    }

    /// Runs it until it exits. The caller has called ``takeSignals()``.
    ///
    /// - Returns: Its exit status, or 128 plus the number of the signal that ended it.
    /// - Throws: The exit status 126, after a message, if it cannot be started; the exit status for a signal that
    ///   arrived before.
    func run(adding variables: [String: String]) async throws -> Int32 {
        let early = Self.waiting.load(ordering: .sequentiallyConsistent)
        guard early == 0 else { throw ExitCode(128 + early) }
        let child: ChildProcess
        do {
            child = try ChildProcess(
                path,
                arguments: starter + Array(words.dropFirst()),
                environment: environment.merging(variables) { $1 },
                group: .callers,
                streams: .init(
                    input: STDIN_FILENO,
                    output: Terminal.output.descriptor,
                    errors: Terminal.errors.descriptor
                )
            )
        } catch {
            Terminal.errors.write("entra-emulator: \(error.description)")
            throw ExitCode(126)
        }
        Self.forward(to: child.id)
        let status = await child.end()
        Self.forward(to: 0)
        return status
    }

    // A signal that is sent only to this process is meant for both processes. A signal handler may use little more than
    // these two numbers, `signal`, and `kill`, so they are static.
    private static let receiver = Atomic<Int32>(0)
    private static let waiting = Atomic<Int32>(0)

    /// Handles the signals that end a process. A signal before the start prevents the program from starting, so that
    /// the caller can clean up. A later signal is forwarded to the program.
    static func takeSignals() {
        // Initialize the two numbers here, because a signal handler must not be the first to use them.
        forward(to: 0)
        let others = TerminationSignals.others
        for key in [SIGINT, SIGQUIT] { signal(key) { ForegroundProgram.takeKey($0) } }
        for number in [SIGTERM] + others where number != SIGQUIT {
            signal(number) { number in
                ForegroundProgram.waiting.store(number, ordering: .sequentiallyConsistent)
                ForegroundProgram.deliver()
            }
        }
    }

    /// The keys of a terminal also reach the program, which decides whether it exits. It does not inherit a handler,
    /// but it would inherit that a signal is ignored.
    ///
    /// Without the program, a second key ends this process immediately.
    private static func takeKey(_ number: Int32) {
        guard receiver.load(ordering: .sequentiallyConsistent) == 0 else { return }
        guard waiting.exchange(number, ordering: .sequentiallyConsistent) != 0 else { return }
        signal(number, SIG_DFL)
        kill(getpid(), number)
    }

    private static func forward(to child: Int32) {
        receiver.store(child, ordering: .sequentiallyConsistent)
        deliver()
    }

    /// Forwards a signal once the program is running.
    private static func deliver() {
        let child = receiver.load(ordering: .sequentiallyConsistent)
        guard child > 0 else { return }
        let number = waiting.exchange(0, ordering: .sequentiallyConsistent)
        if number != 0 { kill(child, number) }
    }
}
