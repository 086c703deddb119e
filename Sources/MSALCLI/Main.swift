// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// The entry: it parses, runs, and turns every error into one of the documented exit statuses.
@main enum Main {
    static func main() async {
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
    /// - Throws: The parser's errors, which ``ErrorReport`` understands.
    static func command(_ arguments: [String]) async throws -> any ParsableCommand {
        if let frequent = frequent.first(where: { $0.configuration.commandName == arguments.first }),
            let command = try? frequent.parseAsRoot(Array(arguments.dropFirst())), type(of: command) == frequent
        {
            return command
        }
        return try await asyncParseAsRoot(arguments)
    }
}
