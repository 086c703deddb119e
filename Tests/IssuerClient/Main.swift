// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALServer

/// `IssuerClient app|service|certificate|web ISSUER CA-FILE`: gets tokens of an OpenID Connect issuer, for `Tests/Peers/openid_issuer.py`. It
/// prints what it gets, but no token.
@main struct IssuerClient {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 4 else { stop("usage: IssuerClient app|service|certificate|web ISSUER CA-FILE") }
        let (issuer, caFile) = (arguments[2], URL(filePath: arguments[3]))
        do {
            switch arguments[1] {
            case "app": try await runApp(issuer, caFile: caFile)
            case "service": try await runService("stock", issuer, caFile: caFile)
            case "certificate": try await runService("audit", issuer, caFile: caFile)
            case "web": try await runWebApplication(issuer, caFile: caFile)
            default: stop("unknown program \(arguments[1])")
            }
        } catch let error as MSALTokenError {
            stop("\(error.kind): \(error.message)")
        } catch let error as NSError {
            let detail = error.userInfo[MSALInternalErrorCodeKey] as? Int
            stop("\(error.code) \(detail ?? 0): \(error.userInfo[MSALErrorDescriptionKey] ?? error)")
        }
    }

    /// Signs a user in, gets a stored and a new token, and signs the user out.
    private static func runApp(_ issuer: String, caFile: URL) async throws {
        guard let url = URL(string: issuer) else { stop("\(issuer) is not a URL") }
        let configuration = MSALPublicClientApplicationConfig(
            clientId: "notes",
            redirectUri: ProcessInfo.processInfo.environment["REDIRECT_URI"],
            authority: try MSALOIDCAuthority(url: url)
        )
        configuration.caFile = caFile
        configuration.interactionTimeout = .seconds(30)
        let application = try MSALPublicClientApplication(configuration: configuration)
        let parameters = MSALInteractiveTokenParameters(scopes: ["orders.read"])
        // This issuer accepts offline_access only with the user's consent (OpenID Connect Core §11).
        parameters.promptType = .consent
        let signedIn = try await application.acquireToken(with: parameters)
        print(signedIn.account.username ?? "nobody", signedIn.isIDTokenSignatureVerified, signedIn.isPersisted)

        let accounts = try application.allAccounts()
        guard let account = accounts.first, account == signedIn.account else { stop("the account is missing") }
        print(accounts.count, account.accountClaims?["name"] as? String ?? "no name")
        let silent = MSALSilentTokenParameters(scopes: ["orders.read"], account: account)
        let stored = try await application.acquireTokenSilent(with: silent)
        print(stored.source.origin.rawValue, stored.accessToken == signedIn.accessToken)
        silent.forceRefresh = true
        let renewed = try await application.acquireTokenSilent(with: silent)
        print(renewed.source.origin.rawValue, renewed.accessToken != signedIn.accessToken, renewed.account == account)

        let signOut = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        signOut.signoutFromBrowser = true
        signOut.onSignOutOutcome = { print("signed out:", $0.rawValue) }
        _ = try await application.signout(with: account, signoutParameters: signOut)
        print(try application.allAccounts().count)
    }

    private static func runService(_ clientID: String, _ issuer: String, caFile: URL) async throws {
        let application = try application(clientID, issuer, caFile: caFile)
        for _ in 1...2 {
            let result = try await application.acquireTokenForClient(scopes: ["stock.read"])
            print(result.source, result.scopes)
        }
    }

    /// Prints the address of the sign-in page, and reads the query with which the browser returns.
    private static func runWebApplication(_ issuer: String, caFile: URL) async throws {
        let application = try application("shop", issuer, caFile: caFile)
        var parameters = MSALWebSignInParameters(scopes: ["orders.read"])
        parameters.prompt = .consent
        parameters.responseMode = .query
        let request = try await application.authorizationRequest(parameters)
        print(request.url.absoluteString)
        fflush(nil)
        let result = try await application.acquireToken(
            try MSALWebSignInResponse(query: readLine() ?? ""),
            for: request
        )
        guard let user = result.homeAccountIdentifier else { stop("the result has no user") }
        print(result.idTokenClaims?["name"]?.string ?? "no name")
        var options = MSALTokenOptions()
        options.forceRefresh = true
        let renewed = try await application.acquireTokenSilent(
            homeAccountIdentifier: user,
            scopes: ["orders.read"],
            options: options
        )
        print(renewed.source, renewed.accessToken != result.accessToken, renewed.homeAccountIdentifier == user)
    }

    private static func application(
        _ clientID: String,
        _ issuer: String,
        caFile: URL
    ) throws -> MSALConfidentialClientApplication {
        let environment = ProcessInfo.processInfo.environment
        var configuration = MSALConfidentialClientConfiguration(
            clientId: clientID,
            authority: .oidc(issuer),
            credential: clientID == "audit"
                ? .certificate(path: environment["CERTIFICATE"] ?? "")
                : .secret(environment["CLIENT_SECRET"] ?? "")
        )
        configuration.caFile = caFile
        configuration.redirectUri = "https://shop.contoso.example/signin"
        return try MSALConfidentialClientApplication(configuration: configuration)
    }

    private static func stop(_ message: String) -> Never {
        // The exit status also reports the failure, in case the message cannot be read.
        try? FileHandle.standardError.write(contentsOf: Data("IssuerClient: \(message)\n".utf8))
        exit(1)
    }
}
