// Licensed under the MIT License. See LICENSE.

public import ArgumentParser
import CommandOutput
public import EntraEmulator
import Foundation

/// `entra-emulator federated-token`: prints a token of an external issuer, for example for a pod's token file.
struct FederatedTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "federated-token",
        abstract: "Print a token of an external issuer, such as GitHub Actions or a Kubernetes cluster.",
        discussion: """
            An application with a federated credential for issuer and subject can use it as its client assertion, with an \
            emulator that was started with --issuers and the same state folder. The emulator does not have to run yet.
            """
    )

    @Option(help: "The issuer.")
    var issuer = FederatedIssuer.kubernetes

    @Option(help: "The subject, such as system:serviceaccount:default:app or repo:contoso/app:ref:refs/heads/main.")
    var subject: String

    @Option(help: "The audience.")
    var audience = EmulatorDirectory.FederatedCredential.standardAudience

    @Option(help: ArgumentHelp("The lifetime. Defaults to that of the issuer.", valueName: "seconds"))
    var lifetime: Int?

    @Option(help: "Make it invalid in this way, so that the token endpoint has to reject it.")
    var flaw: FederatedToken.Flaw?

    @OptionGroup var place: EmulatorLocationOptions

    func validate() throws {
        for (option, value) in [("--subject", subject), ("--audience", audience)] where value.isEmpty {
            throw ValidationError("\(option) must not be empty.")
        }
        if let lifetime, !(1...31_536_000).contains(lifetime) {
            throw ValidationError("--lifetime must be from 1 to 31536000 seconds.")
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
