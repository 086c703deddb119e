// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import EntraEmulator
import EntraEmulatorTesting
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
            cannot be started. A signal that ends run leaves nothing behind, unless it is SIGKILL or a real-time signal.

            With --as-service the program needs no setting: in namespaces of its own it finds the emulator under \
            Microsoft's names, and its system trusts it. It has no other network unless --network gives it yours, and new \
            folders in the place of yours.

            EXAMPLES
              entra-emulator run -- msal login
              entra-emulator run --as-service -- curl https://graph.microsoft.com/v1.0/me
              entra-emulator run --as alex@contoso.example -- msal login --scope User.Read
              entra-emulator run --for azure-identity --seed directory.yaml -- python3 -m pytest
              entra-emulator run
            """
    )

    /// The browser, or its stand-in, that completes the pages of a sign-in.
    enum Browser: String, CaseIterable, ExpressibleByArgument {
        /// A browser in a profile that trusts the emulator, as by `entra-emulator browse`.
        case window
        /// No browser is needed: a stand-in types what a user would.
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
    var clients: [ClientKind] = []

    @Option(help: ArgumentHelp("The tenant of the authority; the first one without it.", valueName: "name"))
    var tenant: String?

    @Flag(
        help: """
            Show the emulator to the program under Microsoft's own names, in user, mount and network namespaces of its own. \
            No setting of the program is needed.
            """
    )
    var asService = false

    @Flag(help: "With --as-service: leave HOME as it is.")
    var keepHome = false

    @Flag(help: "With --as-service: let the program reach the network, by slirp4netns or pasta.")
    var network = false

    /// The namespaces outside, if this process was started inside new ones.
    @Option(help: .hidden)
    var outside: String?

    /// The descriptor of the socket that connects the network of the machine.
    @Option(help: .hidden)
    var networkSocket: Int32?

    @Flag(name: .shortAndLong, help: "Print nothing before the program starts.")
    var quiet = false

    @Argument(parsing: .captureForPassthrough, help: "The program and its arguments; your shell without them.")
    var program: [String] = []

    @OptionGroup(title: "Options of serve") var options: ServeOptions

    /// The clients whose settings the program gets.
    var kinds: [ClientKind] { clients.isEmpty ? [.msal] : clients }

    /// The words of the program, which may come after a `--`.
    private var words: [String] { program.first == "--" ? Array(program.dropFirst()) : program }

    mutating func validate() throws {
        // The parser leaves these words to the program. So options before it are looked for here.
        if let first = program.first, ["-h", "--help"].contains(first) { throw CleanExit.helpRequest(self) }
        if let first = program.first, first != "--", first.hasPrefix("-") {
            throw ValidationError("run has no option '\(first)'. The program and its arguments come after --.")
        }
        guard user == nil || browser == nil || browser == .standIn else {
            throw ValidationError("--as is for the stand-in; leave --browser out.")
        }
        for (name, isGiven) in [("--keep-home", keepHome), ("--network", network)] where isGiven && !asService {
            throw ValidationError("\(name) is for --as-service.")
        }
        if asService { try checkServiceOptions() }
        // The endpoints that these clients use are off unless an option opens them.
        if clients.contains(.managedIdentity) {
            options.managedIdentity = true
            // The program is told the port, and another program may have the usual one.
            options.managedIdentityPort = options.managedIdentityPort ?? 0
        }
        if clients.contains(where: { [.githubActions, .azurePipelines].contains($0) }) { options.issuers = true }
    }

    /// The settings that --as-service decides itself.
    private func checkServiceOptions() throws {
        guard clients.isEmpty, tenant == nil else {
            throw ValidationError("--for and --tenant name variables, and --as-service needs none. Leave them out.")
        }
        let others: [(String, Bool)] = [
            ("--port", options.port != nil), ("--mutual-tls-port", options.mutualTLSPort != nil),
            ("--listen", options.listen != nil), ("--control-listen", options.controlListen != nil),
            ("--state", options.state != nil),
        ]
        if let other = others.first(where: \.1)?.0 {
            throw ValidationError("--as-service has ports and certificates of its own. Leave \(other) out.")
        }
    }

    mutating func run() async throws {
        // The number of open files stays as it is, because the program inherits it and may be one that waits with `select`.
        let environment = ProcessInfo.processInfo.environment
        let words = words.isEmpty ? [environment["SHELL"].flatMap { $0.isEmpty ? nil : $0 } ?? "/bin/sh"] : words
        let program = try ForegroundProgram(words, environment: environment)
        let status: Int32
        do {
            if asService, outside == nil { try enterNamespaces(environment) }
            // From here on there are files to remove at the end, also after a signal.
            ForegroundProgram.takeSignals()
            let folder = try RunFolder()
            defer { folder.remove() }
            settleState(in: folder)
            status = try await serve(program, in: folder)
        } catch {
            if let code = error as? ExitCode { throw code }
            _ = ExitCode.failure(saying: error)
            throw ExitCode(125)
        }
        throw ExitCode(status)
    }

    /// Replaces this process by one inside namespaces of its own. Returns only if it throws.
    private func enterNamespaces(_ environment: [String: String]) throws {
        try Namespaces.enter(environment, withNetwork: network) { options in
            let words = Array(CommandLine.arguments.dropFirst())
            let place = (words.firstIndex(of: "run") ?? 0) + 1
            return words[..<place] + options + words[place...]
        }
    }

    private func serve(_ program: ForegroundProgram, in folder: RunFolder) async throws -> Int32 {
        let machine = try outside.map { try ServiceMachine(comingFrom: $0, in: folder, wishes: self) }
        var configuration: EmulatorConfiguration
        do {
            configuration = try options.configuration(ports: asService ? .original : .free)
        } catch is ExitCode {
            throw ExitCode(125)  // The error was shown already.
        }
        // A directory of the user's own has all clients that the user wants.
        configuration.acceptsUnknownClients = options.seed == nil
        machine?.change(&configuration)
        let directory = configuration.directory
        let emulator = try await options.launch(configuration)
        return try await emulator.shutdown {
            let desk = try RunDesk(for: emulator, of: directory, wishes: self, in: folder)
            var program = program
            if let machine { program = try await machine.prepare(program, directory: directory, desk: desk) }
            if !quiet { Terminal.errors.write(desk.greeting(until: program.name)) }
            return try await program.run(adding: desk.variables)
        }
    }

    /// Chooses the folder of certificates and keys. It is in the folder of the run for `--as-service`, and for a user
    /// whose usual folder cannot be used.
    private mutating func settleState(in folder: RunFolder) {
        guard options.state == nil else { return }
        if !asService {
            guard let fault = TrustFiles.usualFolderFault else { return }
            if !quiet { Terminal.errors.write("entra-emulator: \(fault); the certificates of this run end with it") }
        }
        options.state = folder.path("state")
    }
}
