// Licensed under the MIT License. See LICENSE.

public import ArgumentParser
import CommandOutput
public import EntraEmulator
import Foundation

/// `entra-emulator env`: prints the settings with which a client uses the emulator as the service.
struct EnvCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "env",
        abstract: "Print the settings with which a client uses the emulator.",
        discussion: """
            The lines are for a POSIX shell: eval "$(entra-emulator env --for curl)". Settings that are not variables \
            are printed as comments after them. The emulator does not have to run.

            EXAMPLES
              eval "$(entra-emulator env --for msal)"
              entra-emulator env --for azure-identity --tenant fabrikam.example
            """
    )

    @Option(name: .customLong("for"), help: ArgumentHelp("The client.", valueName: "client"))
    var client: ClientKind

    @Option(help: ArgumentHelp("The tenant of the authority: an ID or a domain.", valueName: "name"))
    var tenant = Seed().tenantDomain

    @Option(help: "The host for managed-identity.")
    var source = ManagedIdentitySource.imds

    @Option(help: "The emulator's port for managed identities.")
    var managedIdentityPort = 50_342

    @OptionGroup var place: EmulatorLocationOptions

    func validate() throws {
        let isOnePart =
            !tenant.isEmpty && tenant.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"/?#%\\".utf8.contains($0) }
        guard (1...65_534).contains(managedIdentityPort) else {
            throw ValidationError("--managed-identity-port must be a port number up to 65534.")
        }
        guard isOnePart else { throw ValidationError("--tenant must be the ID or the domain of a tenant.") }
    }

    func run() throws {
        let environment = ProcessInfo.processInfo.environment
        var settings = ClientSettings(
            for: client,
            base: place.base,
            tenant: tenant,
            trust: try place.trustFiles(),
            home: environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
        )
        if client == .managedIdentity {
            let addresses = try ManagedIdentityAddresses(
                port: managedIdentityPort,
                stateDirectory: place.state.map { URL(fileURLWithPath: $0) }
            )
            settings.add(addresses.environment(for: source))
        }
        try Terminal.output.deliver(value: settings.lines.joined(separator: "\n"))
    }
}

extension ManagedIdentitySource: ExpressibleByArgument {}
