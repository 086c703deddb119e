// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import SealedStore

/// Failures caused by the developer, the machine or the user. ServiceMisbehaviorTests has the table of all bad input.
struct MachineFailureTests {
    @Test(arguments: [
        "http://login.microsoftonline.com/common", "login.microsoftonline.com/common", "https://", "https:///common",
        "https://login.microsoftonline.com", "https://login.microsoftonline.com/",
    ])
    func `a malformed authority is rejected with a message`(_ text: String) throws {
        let url = try #require(URL(string: text))

        let error = try #require(nsError { _ = try MSALAADAuthority(url: url) })

        #expect(error.domain == MSALErrorDomain)
        #expect(error.code == -50000)
        #expect(error.words.count > 20)
    }

    @Test(arguments: [
        ("http://localhost:8400/a#b", -42008), ("http://localhost:8400/?a=b", -42011), ("no redirect", -42011),
        ("msauth.other.app://auth", -42001), ("http://example.org/", -42011),
    ])
    func `a malformed redirect is rejected with a message`(_ text: String, _ detail: Int) throws {
        let error = try #require(
            nsError {
                _ = try BadInputBench { configuration in
                    configuration.redirectUri = text
                    configuration.applicationID = "com.contoso.app"
                }
            }
        )

        #expect(error.detail == detail)
        #expect(error.words.count > 20)
    }

    @Test func `a browser that returns no response counts as canceled`() async throws {
        let time = ManualTime()
        let application = try application(time: time)
        let webview = MSALWebviewParameters()
        webview.onOpen = { _ in }
        async let outcome = failure(of: application, webview, modes: [.browser])

        await time.untilSomebodySleeps()
        time.advance(by: .seconds(300))

        let error = try #require(await outcome)
        #expect(error.code == MSALError.userCanceled.rawValue)
        #expect(error.words.contains("within 5 min"))
        #expect(error.words.contains("A closed tab cannot be detected"))
        #expect(error.words.hasSuffix("Try again."))
    }

    @Test func `a port in use is reported with its owner`() async throws {
        let holder = try LoopbackPort()
        let port = holder.number
        defer { close(holder.descriptor) }
        let application = try application(redirectURI: "http://localhost:\(port)") { $0.browserCommand = ["true"] }

        let error = try #require(await failure(of: application, MSALWebviewParameters()))

        #expect(error.detail == -42011)
        #expect(error.words.contains("Port \(port)"))
        #expect(error.words.contains("(process \(getpid()))"))
    }

    @Test func `a CI build does not wait for a user to open the address`() async throws {
        let webview = MSALWebviewParameters()
        webview.onOpen = { _ in Issue.record("The address was shown.") }

        let error = try #require(await failure(of: try application(environment: ["CI": "true"]), webview))

        #expect(error.detail == -42008)
        #expect(error.words.contains("no user can open the address: an automatic build runs the program"))
    }

    @Test func `on a machine without a browser the error names the variable to set`() async throws {
        // A port in use is not the reason.
        let holder = try LoopbackPort()
        defer { close(holder.descriptor) }
        let application = try application(redirectURI: "http://localhost:\(holder.number)")

        let error = try #require(await failure(of: application, MSALWebviewParameters()))

        #expect(error.detail == -42008)
        #expect(error.words.contains("BROWSER") && error.words.contains("paste: the app has no prompt"))
    }

    @Test func `a failure of the browser command is reported to the app`() async throws {
        let time = ManualTime()
        let application = try application(time: time) { $0.browserCommand = ["true"] }
        let (told, continuation) = AsyncStream.makeStream(of: Bool.self)
        let webview = MSALWebviewParameters()
        webview.onLaunch = { continuation.yield($0) }
        async let outcome = failure(of: application, webview)

        var iterator = told.makeAsyncIterator()
        let hasStarted = await iterator.next()
        await time.untilSomebodySleeps()
        time.advance(by: .seconds(300))
        _ = await outcome

        #expect(hasStarted == true)
    }

    // `/proc` does not allow new directories, not even for root.
    @Test(arguments: [["MSAL_STORE_DIR": "/proc/msal"], ["XDG_STATE_HOME": "/proc"]])
    func `a sign-in returns the tokens and an error if the store cannot be created`(
        _ environment: [String: String]
    ) async throws {
        let store = try SystemMachine.store(group: "bad-input", environment)
        let bench = try BadInputBench(store: store, hasSignedIn: false)
        bench.setResponse()

        let result = try await bench.signIn()

        let token: String = result.accessToken
        #expect(token == "secret-new-access-token")
        #expect(!result.isPersisted)
        let later = try BadInputBench(
            store: try SystemMachine.store(group: "bad-input", environment),
            hasSignedIn: false
        )
        #expect(try later.application.allAccounts().isEmpty)
    }

    @Test func `a damaged store is moved aside unchanged, and a sign-in is kept in a new one`() async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let folder = directory.url
        let environment = ["MSAL_STORE_DIR": directory.path]
        let file = try StoreLocation(group: "bad-input", environment: environment).file
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let damage = Data(String(repeating: "no database ", count: 500).utf8)
        #expect(FileManager.default.createFile(atPath: file, contents: damage, attributes: [.posixPermissions: 0o600]))
        let store = try SystemMachine.store(group: "bad-input", environment)
        let bench = try BadInputBench(store: store, hasSignedIn: false)
        bench.setResponse()

        let result = try await bench.signIn()

        #expect(result.isPersisted)
        #expect(try bench.application.allAccounts().map(\.username) == [Contoso.username])
        let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.path()).filter { name in
            // Directories have no contents.
            (try? Data(contentsOf: folder.appending(path: name))) == damage
        }
        #expect(kept.count == 1)
        #expect(kept.first?.contains("corrupt-") == true)
    }

    @Test func `a removal that cannot be written throws and removes nothing`() async throws {
        let store = LockedStore()
        let bench = try BadInputBench(store: store)
        let account = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        store.lock()

        let removal = try await bench.failure { try bench.application.remove(account) }
        let parameters = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        let signOut = try await bench.failure {
            try await bench.application.signout(with: account, signoutParameters: parameters)
        }

        for error in [removal, signOut] {
            #expect(error.detail == -42008)
            #expect(error.words.contains("The disk is full"))
            #expect(error.userInfo[NSUnderlyingErrorKey] != nil)
        }
        #expect(bench.agent.openedURLs.isEmpty)
    }

    /// An app with the real redirect receiver and a service that implements only discovery.
    private func application(
        redirectURI: String? = nil,
        time: ManualTime = ManualTime(),
        environment: [String: String] = [:],
        _ configure: (MSALPublicClientApplicationConfig) -> Void = { _ in }
    ) throws -> MSALPublicClientApplication {
        let configuration = MSALPublicClientApplicationConfig(clientId: Contoso.clientID)
        configuration.redirectUri = redirectURI
        configure(configuration)
        return try MSALPublicClientApplication(
            configuration: configuration,
            platform: Platform(
                transport: StandInService(),
                agent: SystemBrowserAgent(environment: environment, inbox: RedirectInbox(), time: time),
                time: time
            ),
            store: MemoryStore(),
            session: CurrentSession()
        )
    }

    private func failure(
        of application: MSALPublicClientApplication,
        _ webview: MSALWebviewParameters,
        modes: [MSALSignInMode]? = nil
    ) async -> NSError? {
        let parameters = MSALInteractiveTokenParameters(scopes: ["user.read"], webviewParameters: webview)
        parameters.modes = modes
        do {
            _ = try await application.acquireToken(with: parameters)
            return nil
        } catch {
            return error as NSError
        }
    }
}
