// Licensed under the MIT License. See LICENSE.

public import ArgumentParser
import CommandOutput
public import EntraEmulator
import Foundation

/// `entra-emulator federated-token`: prints a token of an issuer outside Azure, such as for a pod's token file.
struct FederatedTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "federated-token",
        abstract: "Print a token of an issuer like GitHub's or a cluster's.",
        discussion: """
            An application that has a federated credential for issuer and subject takes it as its client assertion, from an \
            emulator that was started with --issuers and the same state folder. It need not run yet.
            """
    )

    @Option(help: "The issuer.")
    var issuer = FederatedIssuer.kubernetes

    @Option(help: "The subject, such as system:serviceaccount:default:app or repo:contoso/app:ref:refs/heads/main.")
    var subject: String

    @Option(help: "The audience.")
    var audience = EmulatorDirectory.FederatedCredential.standardAudience

    @Option(help: ArgumentHelp("How long it lives, if not as long as the issuer's.", valueName: "seconds"))
    var lifetime: Int?

    @Option(help: "Make it wrong, in this way: the token endpoint has to refuse it.")
    var flaw: FederatedToken.Flaw?

    @OptionGroup var place: PlaceOptions

    func validate() throws {
        for (option, value) in [("--subject", subject), ("--audience", audience)] where value.isEmpty {
            throw ValidationError("\(option) wants a text, and what it was given is empty.")
        }
        if let lifetime, !(1...31_536_000).contains(lifetime) {
            throw ValidationError("--lifetime wants seconds, from 1 to 31536000.")
        }
    }

    func run() async throws {
        let token = try await Emulator.federatedToken(
            FederatedToken(
                issuer: issuer,
                subject: subject,
                audience: audience,
                lifetime: lifetime.map { .seconds($0) },
                flaw: flaw
            ),
            port: place.port,
            stateDirectory: place.state.map { URL(fileURLWithPath: $0) }
        )
        try Terminal.output.deliver(token: token)
    }
}

extension FederatedIssuer: ExpressibleByArgument {}
extension FederatedToken.Flaw: ExpressibleByArgument {}
