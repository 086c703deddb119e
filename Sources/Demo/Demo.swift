// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSAL
import ScriptedAgent

/// The journey of the README against the embedded identity platform, told step by step.
@main struct Demo {
    static func main() async {
        do {
            let options = try DemoOptions(CommandLine.arguments.dropFirst(), ProcessInfo.processInfo.environment)
            try await Demo(options).run()
        } catch let error as NSError {
            Narrator.fail(error)
        }
    }

    private let options: DemoOptions
    private let narrator = Narrator()

    private init(_ options: DemoOptions) { self.options = options }

    private func run() async throws {
        narrator.step("Start the identity platform on this machine")
        let emulator = try await Emulator.start(EmulatorConfiguration())
        narrator.say("It listens at \(emulator.baseURL), loopback only, over TLS.")
        narrator.say("Its certificate authority: \(emulator.certificateAuthorityFile.path())")
        do {
            try await tour(emulator)
        } catch {
            try? await emulator.shutdown()  // The first error is the one to tell.
            throw error
        }
        try await emulator.shutdown()
        narrator.say("The platform is stopped; nothing of the demo's tokens stays on this machine.")
    }

    private func tour(_ emulator: Emulator) async throws {
        let store = FileManager.default.temporaryDirectory.appending(path: "msal-demo-\(UUID().uuidString)")
        setenv("MSAL_STORE_DIR", store.path(), 1)
        defer { try? FileManager.default.removeItem(at: store) }  // A folder that is gone already is fine.

        narrator.step("Make the application object")
        let application = try makeApplication(emulator)
        narrator.say("Against the real service this needs a client id and nothing else.")

        narrator.step("Sign in through the browser")
        let result = try await signIn(application, emulator)
        narrator.say(
            "Signed in as \(result.account.username ?? "somebody"), with consent to \(result.scopes.joined(separator: " "))."
        )
        narrator.say("The id token's signature was \(result.isIDTokenSignatureVerified ? "" : "not ")verified.")
        narrator.say(
            "The access token is good until \(result.expiresOn.map { $0.formatted(.iso8601) } ?? "?"). It is not shown."
        )

        narrator.step("Call Graph: GET /v1.0/me")
        let graph = GraphCaller(certificateAuthorityFile: emulator.certificateAuthorityFile)
        narrator.show(try await graph.get(emulator.baseURL.appending(path: "v1.0/me"), result.authorizationHeader))

        narrator.step("Get a second token without asking anybody")
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

    private func makeApplication(_ emulator: Emulator) throws -> MSALPublicClientApplication {
        let address = emulator.baseURL.appending(path: emulator.seed.tenantDomain)
        let configuration = MSALPublicClientApplicationConfig(
            clientId: emulator.seed.clientID,
            redirectUri: nil,
            authority: try MSALAADAuthority(url: address)
        )
        configuration.caFile = emulator.certificateAuthorityFile
        if options.isHeadless {
            // The scripted agent below is the browser; nothing else shall open one.
            configuration.browserCommand = ["true"]
        } else if let browser = options.browser {
            configuration.browserCommand = [browser, emulator.certificateAuthorityFile.path()]
        }
        return try MSALPublicClientApplication(configuration: configuration)
    }

    private func signIn(
        _ application: MSALPublicClientApplication,
        _ emulator: Emulator
    ) async throws -> MSALResult {
        let webview = MSALWebviewParameters()
        if options.isHeadless {
            narrator.say("No display: a scripted user agent fills in the same pages that a person would see.")
            let agent = ScriptedAgent(
                script: Script(
                    userName: emulator.seed.megan.userPrincipalName,
                    password: Script.Password(emulator.seed.password)
                ),
                certificateAuthorityFile: emulator.certificateAuthorityFile
            )
            webview.onOpen = { url in
                // Owned by nobody: it ends with the sign-in, which is awaited below, and a failure cancels that.
                Task {
                    do {
                        let outcome = try await agent.run(url)
                        Narrator().say("The agent filled in \(outcome.steps) pages and was sent back to this program.")
                    } catch {
                        Narrator().say("The scripted agent gave up: \(error)")
                        _ = MSALPublicClientApplication.cancelCurrentWebAuthSession()
                    }
                }
            }
        } else {
            narrator.say("Sign in as \(emulator.seed.megan.userPrincipalName), password \(emulator.seed.password)")
            narrator.say("A browser that does not know the certificate authority above shows a warning first.")
            webview.onOpen = { url in Narrator().say("If no browser opens, open this: \(url)") }
        }
        let parameters = MSALInteractiveTokenParameters(scopes: ["User.Read"], webviewParameters: webview)
        parameters.promptType = .selectAccount
        return try await application.acquireToken(with: parameters)
    }
}
