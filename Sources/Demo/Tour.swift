// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// The steps of the README. They are the same for both services.
struct Tour {
    let service: Service
    let userAgent: UserAgent
    private let narrator = Narrator()

    func run() async throws {
        narrator.step("Create the application object")
        let application = try makeApplication()
        narrator.say("It has the client ID \(service.clientID), and keeps accounts and tokens only in memory.")

        narrator.step("Sign in through the browser")
        let result = try await signIn(application)
        let user = result.account.username ?? "somebody"
        narrator.say("Signed in as \(user), with consent to \(result.scopes.joined(separator: " ")).")
        narrator.say("The ID token's signature was \(result.isIDTokenSignatureVerified ? "" : "not ")verified.")
        narrator.say(
            "The access token is valid until \(result.expiresOn.map { $0.formatted(.iso8601) } ?? "?"). It is not shown."
        )

        narrator.step("Call Graph: GET /v1.0/me")
        let graph = DemoGraphClient(certificateAuthorityFile: service.certificateAuthorityFile)
        narrator.show(try await graph.get(service.me, authorization: result.authorizationHeader))

        narrator.step("Get a second token silently")
        let silent = MSALSilentTokenParameters(scopes: ["User.Read"], account: result.account)
        let second = try await application.acquireTokenSilent(with: silent)
        narrator.say("It came from the \(second.source); the network was not used.")

        narrator.step("List the accounts")
        for account in try application.allAccounts() {
            narrator.say("\(account.username ?? "?")  (\(account.identifier ?? "?"))")
        }

        narrator.step("Sign out")
        let parameters = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        _ = try await application.signout(with: result.account, signoutParameters: parameters)
        narrator.say("Accounts left: \(try application.allAccounts().count).")
    }

    private func makeApplication() throws -> MSALPublicClientApplication {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: service.clientID,
            redirectUri: nil,
            authority: try service.authority.map { try MSALAADAuthority(url: $0) }
        )
        configuration.caFile = service.certificateAuthorityFile
        // The demo leaves nothing behind: no file, and no key in the keyring.
        configuration.cacheConfig.storeProtection = .inMemory
        // `onOpen` below passes the address to the demo's own agent, so the library must not open a browser.
        if userAgent.isOwn { configuration.browserCommand = ["true"] }
        return try MSALPublicClientApplication(configuration: configuration)
    }

    private func signIn(_ application: MSALPublicClientApplication) async throws -> MSALResult {
        let webview = MSALWebviewParameters()
        webview.onOpen = { [userAgent] url in userAgent.visit(url) }
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        parameters.promptType = .selectAccount
        return try await application.acquireToken(with: parameters)
    }
}
