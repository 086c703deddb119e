// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// An app as a desktop starts it: by its user, and by the desktop with a redirect.
///
/// `EnvironmentApp ID login|private|token|REDIRECT`: `ID` is the app's name, whose scheme is registered. `login` signs in with
/// the browser, offers no other way and stays until its input ends; `private` does so in a private window; `token` asks nobody. The rest is in the environment, with the
/// names that `msal` has.
@main struct EnvironmentApp {
    /// Apps of one vendor share the group, and with it the users who signed in.
    private static let group = "com.contoso.shared"

    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { stop("usage: EnvironmentApp ID login|private|token|REDIRECT") }
        do {
            switch arguments[2] {
            case "login", "private":
                report(try await signIn(arguments[1], isPrivate: arguments[2] == "private"))
                // An app with a window stays; this one until its input ends.
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
        // Without a redirect URI the app's desktop entry says which.
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
        // Who has a session in the browser picks the account there. Without that click a browser asks before it starts an app.
        parameters.promptType = .selectAccount
        return try await application.acquireToken(with: parameters)
    }

    private static func token(_ id: String) async throws -> MSALResult {
        let application = try application(id)
        guard let account = try application.allAccounts().first else { stop("nobody is signed in") }
        return try await application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["User.Read"], account: account)
        )
    }

    /// One of the apps has the library's words, the other one its own.
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

    /// This process was started for a redirect, and another one of the app waits for it.
    private static func hand(_ text: String) throws {
        guard let url = URL(string: text),
            MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil)
        else { stop("nobody waits for that address") }
    }

    private static func report(_ result: MSALResult) {
        print("\(result.account.username ?? "nobody") by \(result.source)")
        fflush(nil)
    }

    private static func stop(_ message: String) -> Never {
        // The status tells too, should nobody be able to read this.
        try? FileHandle.standardError.write(contentsOf: Data("EnvironmentApp: \(message)\n".utf8))
        exit(1)
    }
}
