// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSALBase

/// The `entra-emulator` command. Without the name of a subcommand it serves, so its options are those of `serve`.
struct EntraEmulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "entra-emulator",
        abstract: "A local stand-in for the Microsoft Entra sign-in platform, for development and tests.",
        version: LibraryVersion.text,
        subcommands: [
            ServeCommand.self, RunCommand.self, EnvCommand.self, HostsCommand.self, BrowseCommand.self,
            SeedCommand.self,
            TestTokenCommand.self, ProbeCommand.self, FederatedTokenCommand.self, HealthCommand.self,
        ] + forLinux,
        defaultSubcommand: ServeCommand.self
    )

    /// The subcommands that exist on Linux only, because the broker itself does.
    private static var forLinux: [any ParsableCommand.Type] {
        #if canImport(EntraEmulatorBroker)
            [BrokerCommand.self]
        #else
            []
        #endif
    }

    /// Runs the command that the arguments name. If it fails, the process ends with its status.
    static func run(_ arguments: [String]) async {
        HelpWidth.ensure()
        if let remedy = OpenFiles.remedy() {
            Terminal.errors.write("entra-emulator: \(remedy)")
            exit(withError: ExitCode.failure)
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
                // Every other error is the parser's own, such as the request for help, or the user has already been told.
                throw ExitCode.failure(saying: error)
            }
        } catch {
            end(error)
        }
    }

    /// Ends the process as the parser would. But the parser would print control characters of arguments as they are, and
    /// its text and its status for wrong arguments are unlike those of `msal`.
    private static func end(_ error: any Error) -> Never {
        let code = exitCode(for: error)
        // An `ExitCode` with this number is the status of a program that `run` started.
        if code == .validationFailure, !(error is ExitCode) {
            let fault = UsageFault(
                parser: message(for: error),
                fullMessage: fullMessage(for: error),
                command: "entra-emulator"
            )
            Terminal.errors.write("entra-emulator: \(fault.message)\n\(fault.remedy)")
            exit(withError: ExitCode(UsageFault.status))
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
