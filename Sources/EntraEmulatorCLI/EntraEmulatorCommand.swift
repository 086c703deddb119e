// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation
import MSALBase

/// The `entra-emulator` command. Without a subcommand, it runs `serve`, and accepts its options.
struct EntraEmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entra-emulator",
        abstract: "A local emulator of the Microsoft Entra sign-in platform, for development and tests.",
        version: LibraryVersion.text,
        subcommands: [
            ServeCommand.self, RunCommand.self, EnvCommand.self, HostsCommand.self, BrowseCommand.self,
            SeedCommand.self,
            TestTokenCommand.self, ProbeCommand.self, FederatedTokenCommand.self, HealthCommand.self,
        ] + forLinux,
        defaultSubcommand: ServeCommand.self
    )

    /// The subcommands that exist only on Linux, because the broker itself does.
    private static var forLinux: [any ParsableCommand.Type] {
        #if canImport(EntraEmulatorBroker)
            [BrokerCommand.self]
        #else
            []
        #endif
    }

    /// Runs the command. If it fails, the process exits with its status.
    static func run(_ arguments: [String]) async {
        HelpWidth.ensure()
        if let remedy = OpenFiles.remedy() {
            Terminal.errors.write("entra-emulator: \(remedy)")
            exit(withError: ExitCode.failure)
        }
        // The default subcommand would report a misspelled command as an unexpected argument of its own.
        let commands = configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
        if let word = arguments.first, !word.hasPrefix("-"), !commands.contains(word) {
            Terminal.errors.write("entra-emulator: Unknown command '\(word)'.\nSee: entra-emulator --help")
            exit(withError: ExitCode(UsageError.status))
        }
        do {
            var command = try parseAsRoot(arguments)
            do {
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
            } catch let error where exitCode(for: error) == .failure && !(error is ExitCode) {
                // Every other error comes from the parser, such as the request for help, or was already reported.
                throw ExitCode.failure(printing: error)
            }
        } catch {
            end(error)
        }
    }

    /// Ends the process like the parser. But the parser would print control characters of arguments unescaped, and its
    /// message and its status for invalid arguments differ from those of `msal`.
    private static func end(_ error: any Error) -> Never {
        let code = exitCode(for: error)
        // An `ExitCode` with this number is the status of a program that `run` started.
        if code == .validationFailure, !(error is ExitCode) {
            let fault = UsageError(
                parser: message(for: error),
                fullMessage: fullMessage(for: error),
                command: "entra-emulator"
            )
            Terminal.errors.write("entra-emulator: \(fault.message)\n\(fault.remedy)")
            exit(withError: ExitCode(UsageError.status))
        }
        let text = wholeHelp(of: fullMessage(for: error))
        if !text.isEmpty { (code == .success ? Terminal.output : .errors).write(TerminalText(lines: text)) }
        exit(withError: code)
    }

    /// Adds the help of `serve`, without its overview, to the help of the command, which accepts the options of `serve`.
    private static func wholeHelp(of text: String) -> String {
        let serve = helpMessage(for: ServeCommand.self)
        guard text == helpMessage(), let overview = serve.firstRange(of: "\n\n") else { return text }
        return "\(text)\n\nSERVE\n\(serve[overview.upperBound...])"
    }
}

/// `entra-emulator serve`, the default subcommand: listens until it is interrupted.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Listen until Ctrl-C. entra-emulator without a subcommand does the same.",
        discussion: """
            Without options, it listens on https://localhost:8443, with a directory of sample users that is kept in memory.
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        OpenFiles.takeAll()
        let interruptions = Interruptions()
        let emulator = try await options.start()
        await interruptions.first()
        try await emulator.shutdown()
    }
}
