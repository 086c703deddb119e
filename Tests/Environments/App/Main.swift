// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// An app that is started by its user, or by the desktop with a redirect.
///
/// `EnvironmentApp ID login|private|token|REDIRECT`: `ID` is the app's name, whose scheme is registered. `login` signs in with
/// the browser, offers no other sign-in mode and stays until its input ends; `private` does so in a private window; `token`
/// gets a token silently. The rest is in the environment, in the variables that `msal` uses.
@main struct EnvironmentApp {
    /// Apps of one vendor share the group, and therefore the signed-in users.
    private static let group = "com.contoso.shared"

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { stop("usage: EnvironmentApp ID login|private|token|REDIRECT") }
        do {
            switch arguments[2] {
            case "login", "private":
                report(try await signIn(arguments[1], isPrivate: arguments[2] == "private"))
                // An app with a window stays open; this one stays until its input ends.
                _ = readLine()
            case "token": report(try await token(arguments[1]))
            default: try hand(arguments[2])
            }
        } catch let error as NSError {
            let detail = error.userInfo[MSALInternalErrorCodeKey] as? Int
            stop("\(error.code) \(detail ?? 0): \(error.userInfo[MSALErrorDescriptionKey] ?? error)")
        }
    }

    private static func application(_ id: String) throws -> MSALPublicClientApplication {
        let environment = ProcessInfo.processInfo.environment
        guard let client = environment["MSAL_CLIENT_ID"], let address = environment["MSAL_AUTHORITY"],
            let authority = URL(string: address)
        else { stop("set MSAL_CLIENT_ID and MSAL_AUTHORITY") }
        // Without a redirect URI it is read from the app's desktop entry.
        let configuration = MSALPublicClientApplicationConfig(clientId: client)
        configuration.authority = try MSALAADAuthority(url: authority)
        configuration.applicationID = id
        configuration.caFile = environment["MSAL_CA_FILE"].map { URL(filePath: $0) }
        configuration.cacheConfig.keychainSharingGroup = group
        return try MSALPublicClientApplication(configuration: configuration)
    }

    private static func signIn(_ id: String, isPrivate: Bool) async throws -> MSALResult {
        let application = try application(id)
        let webview = MSALWebviewParameters()
        webview.landingPage = landingPage(id)
        webview.prefersEphemeralWebBrowserSession = isPrivate
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        // A user with a session in the browser picks the account. Without that click a browser asks before it starts an app.
        parameters.promptType = .selectAccount
        return try await application.acquireToken(with: parameters)
    }

    private static func token(_ id: String) async throws -> MSALResult {
        let application = try application(id)
        guard let account = try application.allAccounts().first else { stop("no user is signed in") }
        return try await application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        )
    }

    /// One of the apps has the library's texts, the other one its own.
    private static func landingPage(_ id: String) -> MSALLandingPage {
        guard id.hasSuffix(".notes") else { return MSALLandingPage(appName: "Contoso") }
        var page = MSALLandingPage(appName: "Contoso Notizen")
        page.language = "de"
        page.signedIn = .init(
            heading: "Willkommen",
            text: "Schließen Sie diesen Tab, und kehren Sie zu Ihren Notizen zurück."
        )
        page.failed = .init(heading: "Das hat nicht geklappt", text: "Kehren Sie zu Contoso Notizen zurück.")
        return page
    }

    /// This process was started for a redirect, for which another process of the app is waiting.
    private static func hand(_ text: String) throws {
        guard let url = URL(string: text),
            MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil)
        else { stop("no process waits for that address") }
    }

    private static func report(_ result: MSALResult) {
        print("\(result.account.username ?? "nobody") by \(result.source)")
        fflush(nil)
    }

    private static func stop(_ message: String) -> Never {
        // If this cannot be read, the exit status still shows the failure.
        try? FileHandle.standardError.write(contentsOf: Data("EnvironmentApp: \(message)\n".utf8))
        exit(1)
    }
}
