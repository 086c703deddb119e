// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import Foundation

/// `entra-emulator run`: runs a program that takes the emulator for the service, and ends with it.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a program that takes the emulator for the service. Both end together.",
        discussion: """
            The program finds the settings of its client in the environment, and in BROWSER a browser that trusts the \
            emulator. A program that uses MSAL for Swift goes there by itself, with any client id. Without a program it is your shell. Tokens of msal are kept in a folder that is deleted at the end. \
            The status is the program's; 125 if the emulator does not start, 127 if there is no such program, 126 if it \
            cannot be started.

            Examples:
              entra-emulator run -- msal login
              entra-emulator run --as alex@contoso.example -- msal login --scope User.Read
              entra-emulator run --for azure-identity --seed directory.yaml -- python3 -m pytest
              entra-emulator run
            """
    )

    /// Who answers the pages of a sign-in.
    enum Browser: String, CaseIterable, ExpressibleByArgument {
        /// A browser in a profile that trusts the emulator, as by `entra-emulator browse`.
        case window
        /// Nobody has to: a stand-in types what a user would.
        case standIn = "stand-in"
        /// The program in BROWSER, if the environment has one.
        case own
    }

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Sign this user in without a window: the same as --browser stand-in.", valueName: "user")
    )
    var user: String?

    @Option(
        help: """
            Who answers the pages: a window of a browser that trusts the emulator, a stand-in that needs none, or the \
            program in your own BROWSER. Without it, a window where there is a display.
            """
    )
    var browser: Browser?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The client whose settings the program gets; may be repeated.", valueName: "client")
    )
    var clients: [ClientKind] = [.msal]

    @Option(help: ArgumentHelp("The tenant of the authority; the first one without it.", valueName: "name"))
    var tenant: String?

    @Flag(name: .shortAndLong, help: "Say nothing before the program begins.")
    var quiet = false

    @Argument(parsing: .captureForPassthrough, help: "The program and its arguments; your shell without them.")
    var program: [String] = []

    @OptionGroup(title: "Options of serve") var options: ServeOptions

    /// The words of the program, which may come after a `--`.
    private var words: [String] { program.first == "--" ? Array(program.dropFirst()) : program }

    mutating func validate() throws {
        // What comes first is the program's, so the parser leaves this to it.
        if let first = program.first, ["-h", "--help"].contains(first) { throw CleanExit.helpRequest(self) }
        if let first = program.first, first != "--", first.hasPrefix("-") {
            throw ValidationError("run has no option '\(first)'. The program and its arguments come after --.")
        }
        guard user == nil || browser == nil || browser == .standIn else {
            throw ValidationError("--as is for the stand-in; leave --browser out.")
        }
        // What they ask of is off unless it is named.
        if clients.contains(.managedIdentity) { options.managedIdentity = true }
        if clients.contains(where: { [.githubActions, .azurePipelines].contains($0) }) { options.issuers = true }
    }

    func run() async throws {
        // The number of open files stays as it is, because the program inherits it and may be one that waits with `select`.
        let environment = ProcessInfo.processInfo.environment
        let words = words.isEmpty ? [environment["SHELL"].flatMap { $0.isEmpty ? nil : $0 } ?? "/bin/sh"] : words
        let program = try ForegroundProgram(words, environment: environment)
        let (directory, emulator) = try await launch()
        let status: Int32
        do {
            let desk = try RunDesk(for: emulator, of: directory, wishes: self)
            defer { desk.remove() }
            if !quiet { Terminal.errors.write(desk.greeting(until: words[0])) }
            status = try await program.run(adding: desk.variables)
        } catch {
            try? await emulator.shutdown()  // The reason of the failure is the one to report.
            if let code = error as? ExitCode { throw code }
            _ = ExitCode.failure(saying: error)
            throw ExitCode(125)
        }
        try await emulator.shutdown()
        throw ExitCode(status)
    }

    private func launch() async throws -> (EmulatorDirectory, Emulator) {
        do {
            var configuration = try options.configuration(ports: .free)
            // A directory of the user's own has the clients that it means.
            configuration.acceptsUnknownClients = options.seed == nil
            return (configuration.directory, try await options.launch(configuration))
        } catch {
            // An exit code has had its message.
            if !(error is ExitCode) { _ = ExitCode.failure(saying: error) }
            throw ExitCode(125)
        }
    }
}
