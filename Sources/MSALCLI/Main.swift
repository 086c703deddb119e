// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// The entry: it parses, runs, and turns every error into one of the documented exit statuses.
@main enum Main {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            let command = try await MSALCommand.asyncParseAsRoot(arguments)
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
