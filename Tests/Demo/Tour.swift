// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import HTTPGuards
import MSAL
import NIOCore
import NIOHTTP1
import NIOSSL

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
        narrator.say("Source: \(second.source). The network was not used.")

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

/// Calls Graph with a token, like an app with an HTTP client of its choice.
struct DemoGraphClient {
    /// An additional certificate authority to trust.
    let certificateAuthorityFile: URL?

    /// Returns the response, indented for reading.
    func get(_ address: String, authorization: String) async throws -> String {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let file = certificateAuthorityFile { tls.additionalTrustRoots = [.file(file.path(percentEncoded: false))] }
        let configuration = HTTPClient.Configuration(tlsConfiguration: tls).leavingOutInterimResponses
        return try await HTTPClient.withHTTPClient(configuration: configuration) { client in
            var request = HTTPClientRequest(url: address)
            request.headers.add(name: "Authorization", value: authorization)
            let response = try await client.execute(request, timeout: .seconds(30))
            let body = try await response.body.collect(upTo: 1 << 20)
            let json = try JSONSerialization.jsonObject(with: Data(body.readableBytesView))
            let text = try JSONSerialization.data(
                withJSONObject: json,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            )
            return String(decoding: text, as: UTF8.self)
        }
    }
}
