// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation

/// The entry: it parses, runs, and turns every error into one of the documented exit statuses.
@main enum Main {
    static func main() {
        occupyStandardStreams()
        let arguments = Array(CommandLine.arguments.dropFirst())
        if let command = MSALCommand.frequent(arguments) {
            CallingThread.run {
                var command = command
                await report(arguments) { try await command.run() }
            }
        } else {
            Task {
                await report(arguments) { try await MSALCommand.run(arguments) }
                exit(0)
            }
            // Signals that are waited for, such as Ctrl-C, arrive only while the first thread leaves them alone.
            dispatchMain()
        }
    }

    /// Ends the process with an error, if `work` has one.
    private static func report(_ arguments: [String], work: () async throws -> Void) async {
        do {
            try await work()
        } catch {
            ErrorReport(error).end(as: .requested(in: arguments))
        }
    }

    /// Keeps the numbers of closed standard streams from going to a file or socket, which output would then run into.
    private static func occupyStandardStreams() {
        var descriptor: Int32
        repeat { descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC) } while (0...STDERR_FILENO).contains(descriptor)
        close(descriptor)
    }
}

extension MSALCommand {
    /// Runs the command that arguments mean.
    ///
    /// - Throws: What the command throws, and what ``command(_:)`` does.
    fileprivate static func run(_ arguments: [String]) async throws {
        var command = try await command(arguments)
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            try command.run()
        }
    }

    /// The command that arguments mean.
    ///
    /// - Throws: The parser's errors, which ``ErrorReport`` understands; `Failure`, if there is no such command.
    static func command(_ arguments: [String]) async throws -> any ParsableCommand {
        if let unknown = UnknownCommand.first(in: arguments) { throw unknown.failure }
        return try await asyncParseAsRoot(arguments)
    }

    /// One of the commands that scripts run in a loop, so that their start is worth a shortcut; `nil` for all others.
    ///
    /// Parsing from the root also builds all other commands with their help, which takes longer than finding a token
    /// in the store. So a frequent command is parsed by itself first. What it does not take as it stands, be it an
    /// error or the wish for help, is parsed from the root, which knows how the whole command is called.
    static func frequent(_ arguments: [String]) -> (any AsyncParsableCommand & Sendable)? {
        TokenCommand.byItself(arguments) ?? GraphCommand.byItself(arguments)
    }
}

extension AsyncParsableCommand {
    /// This command, if the first argument names it and it takes the others as they stand.
    fileprivate static func byItself(_ arguments: [String]) -> Self? {
        guard configuration.commandName == arguments.first else { return nil }
        // What is wrong is said by who parses from the root.
        return try? parseAsRoot(Array(arguments.dropFirst())) as? Self
    }
}
