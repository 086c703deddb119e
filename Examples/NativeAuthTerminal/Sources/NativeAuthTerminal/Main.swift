// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// A to-do client in a terminal: one native sign-in, two APIs, two access tokens.
@main struct Main {
    static func main() async {
        do {
            try await run()
        } catch let error as MSALNativeAuthStepError {
            // The service's message, and the ID that its support asks for.
            print("\(error.localizedDescription)\nCorrelation ID: \(error.correlationId)")
            exit(1)
        } catch {
            print(error.localizedDescription)
            exit(1)
        }
    }

    private static func run() async throws {
        let settings = try Settings(ProcessInfo.processInfo.environment)
        let application = try application(settings)

        // A user who signed in before is still signed in, because the tokens are in the store.
        let user: MSALNativeAuthUserAccountResult
        if let known = application.getNativeAuthUserAccount() {
            user = known
        } else {
            user =
                settings.usesV2
                ? try await SignInV2(application: application).run() : try await SignIn(application: application).run()
        }
        print("Signed in as \(user.account.username ?? "an unnamed user").")

        let work = ToDoAPI(name: "Work", address: settings.workAPI, scopes: settings.workScopes, settings, user)
        let home = ToDoAPI(name: "Home", address: settings.homeAPI, scopes: settings.homeScopes, settings, user)
        while true {
            for list in [work, home] { print("\(list.name): \(try await list.items().joined(separator: ", "))") }
            switch try Terminal.ask("(w)ork or (h)ome and something to do, (s)ign out, (q)uit: ") {
            case let line where line.hasPrefix("w "): try await work.add(String(line.dropFirst(2)))
            case let line where line.hasPrefix("h "): try await home.add(String(line.dropFirst(2)))
            case "s":
                user.signOut()
                return print("Signed out.")
            case "q": return
            default: print("For example: w Write the report")
            }
        }
    }

    private static func application(_ settings: Settings) throws -> MSALNativeAuthPublicClientApplication {
        let configuration = MSALNativeAuthPublicClientApplicationConfig(
            clientId: settings.clientID,
            authority: try MSALCIAMAuthority(url: settings.authority),
            challengeTypes: [.OOB, .password]
        )
        // This program can show these steps. Without them the service would require the browser.
        configuration.capabilities = [.mfaRequired, .registrationRequired]
        // The redirect URI, because the service may still require the browser.
        configuration.redirectUri = "http://localhost"
        configuration.caFile = settings.caFile
        return try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: configuration)
    }
}
