// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation

/// The entry: it parses, runs, and turns every error into one of the documented exit statuses.
@main enum Main {
    static func main() async {
        occupyStandardStreams()
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            let command = try await MSALCommand.command(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                var command = command
                try command.run()
            }
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
    /// What scripts run in a loop, so that its start is worth a shortcut.
    private static let frequent: [any AsyncParsableCommand.Type] = [TokenCommand.self, GraphCommand.self]

    /// The command that arguments mean.
    ///
    /// Parsing from the root also builds all other commands with their help, which takes longer than finding a token
    /// in the store. So a frequent command is parsed by itself first. What it does not take as it stands, be it an
    /// error or the wish for help, is parsed from the root, which knows how the whole command is called.
    ///
    /// - Throws: The parser's errors, which ``ErrorReport`` understands; `Failure`, if there is no such command.
    static func command(_ arguments: [String]) async throws -> any ParsableCommand {
        if let frequent = frequent.first(where: { $0.configuration.commandName == arguments.first }),
            let command = try? frequent.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == frequent
        {
            return command
        }
        if let unknown = UnknownCommand.first(in: arguments) { throw unknown.failure }
        return try await asyncParseAsRoot(arguments)
    }
}
