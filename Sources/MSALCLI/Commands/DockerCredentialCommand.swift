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
        abstract: "Provide Docker with a token for Azure Container Registry.",
        usage: "msal docker-credential <action> [options]",
        discussion: """
            A credential helper for Docker, Podman and skopeo, for registries at azurecr.io, azurecr.us and \
            azurecr.cn. get exchanges the Entra ID token for a registry token, which is kept encrypted next to the \
            token store until it expires. store and erase do nothing, and list is empty. The command never prompts.

            The account is the one in --account, or the active account, whose name is written to standard error. The \
            packages also install the command as docker-credential-msal, the name that Docker looks for.

            EXAMPLES
              msal login --scope https://containerregistry.azure.net/.default
              echo contoso.azurecr.io | docker-credential-msal get
              In ~/.docker/config.json:
                {"credHelpers": {"contoso.azurecr.io": "msal"}}
            """
    )

    @Argument(help: "The action: get, store, erase, list or version.")
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
                "\(action) is not an action of a Docker credential helper.",
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
