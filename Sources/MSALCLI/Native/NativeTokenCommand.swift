// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL

/// `msal native token`
struct NativeTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Get an access token for an API.",
        usage: "msal native token [options]",
        discussion: """
            Returns the stored token, or gets one for the API with the stored sign-in; one sign-in works for several \
            APIs. The token is a secret and is written only on request: `--output raw` writes only the token, \
            `--show-token` adds it to text and JSON. If the output goes to a program or a file, --output or \
            --show-token is required.

            EXAMPLES
              msal native token --scope api://a1.example/ToDoList.Read
              msal native token --scope api://a2.example/ToDoList.Read -o raw
            """
    )

    @OptionGroup var client: ClientOptions
    @OptionGroup var scopes: ScopeOptions
    @Option(name: OutputOptions.name, help: OutputOptions.help)
    var output: OutputFormat?

    @OptionGroup var input: InputOptions

    @Flag(help: "Renew the token even if the stored one is still valid.")
    var refresh = false

    @Flag(help: "Include the token in text and JSON output.")
    var showToken = false

    func run() async throws {
        let output = try OutputFormat.ofToken(output, isShown: showToken)
        let settings = try Settings(client, scopes: scopes.scope)
        let application = try settings.nativeApplication()
        // This call throws if the store does not open. The next call cannot tell such a store from one without
        // accounts.
        _ = try application.allAccounts()
        guard let user = application.getNativeAuthUserAccount() else {
            throw Failure.notSignedIn("Not signed in.", remedy: "Sign in: msal native sign-in USER")
        }
        let parameters = MSALNativeAuthGetAccessTokenParameters()
        parameters.scopes = settings.chosenScopes
        parameters.forceRefresh = refresh
        let token = try await WaitLine.waiting(for: .network) {
            try await settings.connected {
                do throws(MSALNativeAuthStepError) {
                    return try await user.getAccessToken(parameters: parameters)
                } catch {
                    throw Failure(error)
                }
            }
        }
        try output.show(
            TokenReport(
                account: AccountMembers(user.account),
                scopes: token.scopes,
                expiresOn: token.expiresOn ?? .distantPast,
                token: PrivateText(token.accessToken),
                showsToken: showToken
            )
        )
    }
}
