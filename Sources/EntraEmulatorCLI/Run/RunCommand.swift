// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import EntraEmulatorTesting
import Foundation

/// `entra-emulator run`: runs a program that uses the emulator as the service, and exits with it.
struct RunCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run a program with the emulator as the service. Both end together.",
        discussion: """
            The environment of the program contains the settings of its client and, in BROWSER, a browser that trusts the \
            emulator. A program that uses MSAL for Swift needs no settings, and can use any client ID. The default program \
            is your shell. Tokens of msal are kept in a folder that is deleted at the end. The exit status is that of the \
            program; 125 if the emulator does not start, 127 if the program is missing, 126 if it cannot be started. If a \
            signal ends run, everything is cleaned up, except for SIGKILL and real-time signals.

            With --as-service, the program needs no settings: in separate namespaces, it finds the emulator under \
            Microsoft's host names, and the system trusts it. It has no other network unless you add --network, and new \
            folders instead of yours.

            EXAMPLES
              entra-emulator run -- msal login
              entra-emulator run --as-service -- curl https://graph.microsoft.com/v1.0/me
              entra-emulator run --as alex@contoso.example -- msal login --scope User.Read
              entra-emulator run --for azure-identity --seed directory.yaml -- python3 -m pytest
              entra-emulator run
            """
    )

    /// The browser, or the stand-in, that completes the sign-in pages.
    enum Browser: String, CaseIterable, ExpressibleByArgument {
        /// A browser with a profile that trusts the emulator, as in `entra-emulator browse`.
        case window
        /// No browser window: a stand-in enters what a user would.
        case standIn = "stand-in"
        /// The program in BROWSER, if the variable is set.
        case own
    }

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Sign this user in without a window: the same as --browser stand-in.", valueName: "user")
    )
    var user: String?

    @Option(
        help: """
            What completes the pages: a window of a browser that trusts the emulator, a stand-in without a window, or the \
            program in your own BROWSER. By default, a window if there is a display.
            """
    )
    var browser: Browser?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The client whose settings the program gets; may be repeated.", valueName: "client")
    )
    var clients: [ClientKind] = []

    @Option(help: ArgumentHelp("The tenant of the authority. Defaults to the first one.", valueName: "name"))
    var tenant: String?

    @Flag(
        help: """
            Let the program find the emulator under Microsoft's host names, in separate user, mount, and network namespaces. \
            The program needs no settings.
            """
    )
    var asService = false

    @Flag(help: "With --as-service: keep HOME.")
    var keepHome = false

    @Flag(help: "With --as-service: let the program use the network, through slirp4netns or pasta.")
    var network = false

    /// The namespaces outside, if this process was started inside new ones.
    @Option(help: .hidden)
    var outside: String?

    /// The descriptor of the socket that connects to the network of the machine.
    @Option(help: .hidden)
    var networkSocket: Int32?

    @Flag(name: .shortAndLong, help: "Print nothing before the program starts.")
    var quiet = false

    @Argument(parsing: .captureForPassthrough, help: "The program and its arguments. Defaults to your shell.")
    var program: [String] = []

    @OptionGroup(title: "Options of serve") var options: ServeOptions

    /// The clients whose settings the program gets.
    var kinds: [ClientKind] { clients.isEmpty ? [.msal] : clients }

    /// The arguments of the program, which may follow a `--`.
    private var words: [String] { program.first == "--" ? Array(program.dropFirst()) : program }

    mutating func validate() throws {
        // The parser leaves these arguments to the program, so options before it are detected here.
        if let first = program.first, ["-h", "--help"].contains(first) { throw CleanExit.helpRequest(self) }
        if let first = program.first, first != "--", first.hasPrefix("-") {
            throw ValidationError("Unknown option '\(first)'. Put the program and its arguments after --.")
        }
        guard user == nil || browser == nil || browser == .standIn else {
            throw ValidationError("--as requires the stand-in; remove --browser.")
        }
        for (name, isGiven) in [("--keep-home", keepHome), ("--network", network)] where isGiven && !asService {
            throw ValidationError("\(name) requires --as-service.")
        }
        if asService { try checkServiceOptions() }
        // The endpoints that these clients use are disabled unless an option enables them.
        if clients.contains(.managedIdentity) {
            options.managedIdentity = true
            // The program is told the port, because another program may use the default one.
            options.managedIdentityPort = options.managedIdentityPort ?? 0
        }
        if clients.contains(where: { [.githubActions, .azurePipelines].contains($0) }) { options.issuers = true }
    }

    /// The settings that --as-service determines itself.
    private func checkServiceOptions() throws {
        guard clients.isEmpty, tenant == nil else {
            throw ValidationError("--for and --tenant set variables, which --as-service does not need. Remove them.")
        }
        let others: [(String, Bool)] = [
            ("--port", options.port != nil), ("--mutual-tls-port", options.mutualTLSPort != nil),
            ("--listen", options.listen != nil), ("--control-listen", options.controlListen != nil),
            ("--state", options.state != nil),
        ]
        if let other = others.first(where: \.1)?.0 {
            throw ValidationError("--as-service uses separate ports and certificates. Remove \(other).")
        }
    }

    mutating func run() async throws {
        // The limit for open files is not changed, because the program inherits it and may use `select`.
        let environment = ProcessInfo.processInfo.environment
        let words = words.isEmpty ? [environment["SHELL"].flatMap { $0.isEmpty ? nil : $0 } ?? "/bin/sh"] : words
        let program = try ForegroundProgram(words, environment: environment)
        let status: Int32
        do {
            if asService, outside == nil { try enterNamespaces(environment) }
            // From here on, there are files to remove at the end, also after a signal.
            ForegroundProgram.takeSignals()
            let folder = try RunFolder()
            defer { folder.remove() }
            settleState(in: folder)
            status = try await serve(program, in: folder)
        } catch {
            if let code = error as? ExitCode { throw code }
            _ = ExitCode.failure(printing: error)
            throw ExitCode(125)
        }
        throw ExitCode(status)
    }

    /// Replaces this process with one inside new namespaces. Returns only if it throws.
    private func enterNamespaces(_ environment: [String: String]) throws {
        try Namespaces.enter(environment, withNetwork: network) { options in
            let words = Array(CommandLine.arguments.dropFirst())
            let place = (words.firstIndex(of: "run") ?? 0) + 1
            return words[..<place] + options + words[place...]
        }
    }

    private func serve(_ program: ForegroundProgram, in folder: RunFolder) async throws -> Int32 {
        let machine = try outside.map { try ServiceMachine(comingFrom: $0, in: folder, runCommand: self) }
        var configuration: EmulatorConfiguration
        do {
            configuration = try options.configuration(ports: asService ? .original : .free)
        } catch is ExitCode {
            throw ExitCode(125)  // The error was already reported.
        }
        // The user's own directory contains all clients that the user needs.
        configuration.acceptsUnknownClients = options.seed == nil
        machine?.change(&configuration)
        let directory = configuration.directory
        let emulator = try await options.launch(configuration)
        return try await emulator.shutdown {
            let programEnvironment = try ProgramEnvironment(for: emulator, of: directory, runCommand: self, in: folder)
            var program = program
            if let machine {
                program = try await machine.prepare(
                    program,
                    directory: directory,
                    programEnvironment: programEnvironment
                )
            }
            if !quiet { Terminal.errors.write(programEnvironment.greeting(until: program.name)) }
            return try await program.run(adding: programEnvironment.variables)
        }
    }

    /// Chooses the folder of certificates and keys. It is in the folder of the run with `--as-service`, and if the
    /// user's default folder cannot be used.
    private mutating func settleState(in folder: RunFolder) {
        guard options.state == nil else { return }
        if !asService {
            guard let fault = TrustFiles.usualFolderFault else { return }
            if !quiet { Terminal.errors.write("entra-emulator: \(fault); the certificates of this run are temporary") }
        }
        options.state = folder.path("state")
    }
}
