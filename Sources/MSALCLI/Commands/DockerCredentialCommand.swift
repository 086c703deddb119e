// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation
import MSAL

/// `msal docker-credential`
struct DockerCredentialCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docker-credential",
        _superCommandName: "msal",
        abstract: "Give Docker a token for Azure Container Registry.",
        usage: "msal docker-credential <action> [options]",
        discussion: """
            A credential helper of Docker, Podman and skopeo, for registries at azurecr.io, azurecr.us and azurecr.cn. It \
            answers get: the token is exchanged at the registry for one of its own, which is kept sealed beside the token \
            store until it ends. store and erase do nothing, list is empty. Nobody is asked for anything.

            The account is that of --account, else the active one, whose name goes to standard error. The packages \
            install the command as docker-credential-msal, too, which is the name that Docker looks for.

            EXAMPLES
              msal login --scope https://containerregistry.azure.net/.default
              echo contoso.azurecr.io | docker-credential-msal get
              In ~/.docker/config.json:
                {"credHelpers": {"contoso.azurecr.io": "msal"}}
            """
    )

    @Argument(help: "get, store, erase, list or version, as Docker says it.")
    var action: String

    @OptionGroup var client: ClientOptions

    @Option(help: AccountOptions.help, completion: AccountOptions.completion)
    var account: String?

    func run() async throws {
        switch action {
        case "get":
            do {
                try write(try await credential(for: try RegistryRequest(HelperInput.read().bytes)))
            } catch {
                // Docker reads the reason from standard output.
                guard case .failure(let failure) = ErrorReport(error) else { throw error }
                try write([failure.message, failure.remedy].compactMap(\.self).joined(separator: " ").visible)
                throw ExitCode(CommandExit.failed.rawValue)
            }
        case "list": try write("{}")
        case "version": try write("docker-credential-msal \(MSALPublicClientApplication.sdkVersion ?? "")")
        case "store", "erase":
            // Docker writes its request until the pipe is full, so the command reads it.
            _ = HelperInput.read()
        default:
            throw Failure.usage(
                "Docker's helpers have no action \(action).",
                remedy: "See: msal docker-credential --help"
            )
        }
    }

    private func write(_ line: String) throws(Failure) {
        try Terminal.output.result { (output) throws(OutputError) in try output.deliver(value: line) }
    }

    private func credential(for registry: RegistryRequest) async throws -> String {
        let asked = HelperToken(client: client, scope: RegistryRequest.scope, account: account)
        let result = try await asked.result()
        try registry.check(environment: result.account.environment)
        let accessToken = PrivateText(result.accessToken)
        let tokens = try RegistryTokens(beside: CacheTarget(group: Settings.applicationID).store.directory)
        if let kept = tokens.token(for: registry.host, exchangedFor: accessToken) {
            return document(kept, of: registry)
        }
        let settings = try asked.settings()
        let token = try await settings.connected {
            let exchange = RegistryExchange(client: MSALAPIClient(caFile: settings.caFile), host: registry.host)
            return try await exchange.token(for: accessToken, tenant: result.tenantProfile.tenantId)
        }
        tokens.keep(token, for: registry.host, exchangedFor: accessToken)
        return document(token, of: registry)
    }

    private func document(_ token: PrivateText, of registry: RegistryRequest) -> String {
        JSONText.line([
            "ServerURL": registry.host, "Username": RegistryRequest.userName, "Secret": token.exposed,
        ])
    }
}
