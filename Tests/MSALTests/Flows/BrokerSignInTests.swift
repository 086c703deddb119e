// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import SealedStore
import Synchronization
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Sign-ins through an identity broker.
struct BrokerSignInTests {
    private let bench = BrokerBench()

    @Test func `a signed-in device signs the app in without a window`() async throws {
        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(result.source == .broker(asksUser: false))
        #expect(result.account.username == Contoso.username && result.account.isBrokers)
        #expect(result.tenantProfile.isHome && result.isPersisted)
        #expect(bench.broker.calls == [.accounts(clientID: Contoso.clientID), .silent(user: Contoso.username)])
        #expect(bench.service.messages.isEmpty)
    }

    @Test func `the store gets names and the sign-in, but never a token`() async throws {
        _ = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(try bench.kinds() == [.account, .accountMetadata, .appMetadata])
        #expect(!"\(try bench.records())".contains("secret-broker-token"))
        #expect(try bench.client.accounts.all().map(\.username) == [Contoso.username])
    }

    @Test func `a device that requires interaction shows its window`() async throws {
        bench.broker.change { $0.silentFailure = BrokerFailure(.interactionRequired, message: "MFA") }
        let isShown = Mutex(false)
        var request = Contoso.interactive()
        request.onBroker = { isShown.withLock { $0 = true } }

        let result = try await bench.client.interactive.acquire(request)

        #expect(result.source == .broker(asksUser: true))
        #expect(bench.broker.calls.last == .interactive(user: nil, prompt: nil))
        #expect(isShown.withLock { $0 })
    }

    @Test(
        arguments: [
            (RequestedPrompt.selectAccount, nil, nil), (.login, .login, Contoso.username),
            (.consent, .consent, Contoso.username),
        ] as [(RequestedPrompt, BrokerPrompt?, String?)]
    )
    func `a prompt is shown to the user at once`(
        prompt: RequestedPrompt,
        sent: BrokerPrompt?,
        user: String?
    ) async throws {
        var request = Contoso.interactive()
        request.prompt = prompt
        request.account = Contoso.account

        let result = try await bench.client.interactive.acquire(request)

        #expect(result.source == .broker(asksUser: true))
        #expect(
            bench.broker.calls.filter { $0 != .accounts(clientID: Contoso.clientID) } == [
                .interactive(user: user, prompt: sent)
            ]
        )
    }

    @Test func `a user who closes the window cancels, and no browser opens`() async throws {
        bench.broker.change {
            $0.silentFailure = BrokerFailure(.interactionRequired, message: "MFA")
            $0.interactiveFailure = BrokerFailure(.canceledByUser, message: "The user closed the window.")
        }

        let failure = await bench.failure { _ = try await bench.client.interactive.acquire(Contoso.interactive()) }

        #expect(failure?.code == MSALError.userCanceled.rawValue)
        #expect(bench.service.messages.isEmpty)
        #expect(try bench.records().isEmpty)
    }

    /// A sign-in on a device that requires interaction, and how often the app was notified of a window.
    private func windows(
        _ bench: BrokerBench,
        loginHint: String? = nil,
        prompt: RequestedPrompt = .promptIfNecessary
    ) async -> (count: Int, failure: NSError?) {
        let count = Mutex(0)
        var request = Contoso.interactive()
        (request.loginHint, request.prompt) = (loginHint, prompt)
        request.onBroker = { count.withLock { $0 += 1 } }
        let prepared = request
        let failure = await bench.failure { _ = try await bench.client.interactive.acquire(prepared) }
        return (count.withLock { $0 }, failure)
    }

    @Test func `a broker that requires an account is called once more, and its window is announced then`()
        async throws
    {
        let bench = BrokerBench(time: ManualTime())
        bench.broker.change {
            $0.silentFailure = BrokerFailure(.interactionRequired, message: "Failed to authenticate user")
            $0.needsAccount = true
        }

        let (count, failure) = await windows(bench)

        #expect(failure == nil && count == 1)
        #expect(
            bench.broker.calls.suffix(3) == [
                .interactive(user: nil, prompt: nil), .accounts(clientID: Contoso.clientID),
                .interactive(user: Contoso.username, prompt: nil),
            ]
        )
        #expect(try bench.client.accounts.all().map(\.username) == [Contoso.username])
    }

    @Test func `of several accounts the hint's is used, and without a hint the next mode follows`() async {
        let bench = BrokerBench(time: ManualTime())
        bench.broker.change {
            $0.accounts = [.amy, .bob]
            $0.silentFailure = BrokerFailure(.interactionRequired, message: "Failed to authenticate user")
            $0.needsAccount = true
        }

        let hinted = await windows(bench, loginHint: "bob@contoso.example")
        let user = bench.broker.calls.last
        let unnamed = await windows(bench)

        #expect(hinted.failure == nil && hinted.count == 1)
        #expect(user == .interactive(user: "bob@contoso.example", prompt: nil))
        // The user cancels in the browser.
        #expect(unnamed.failure?.code == MSALError.userCanceled.rawValue && unnamed.count == 0)
        #expect(unnamed.failure?.localizedDescription.contains("broker: Missing account") == true)
    }

    @Test func `a user who wants to choose is not limited to the only account of such a broker`() async {
        let bench = BrokerBench(time: ManualTime())
        bench.broker.change { $0.needsAccount = true }

        let (count, failure) = await windows(bench, prompt: .selectAccount)

        #expect(count == 0 && failure?.code == MSALError.userCanceled.rawValue)
        #expect(bench.broker.calls == [.interactive(user: nil, prompt: nil)])
    }

    @Test(arguments: [BrokerFailure.Kind.unknownAccount, .unexplained, .accountNeeded])
    func `a broker that cannot sign the user in falls back to the browser, and no window is announced`(
        kind: BrokerFailure.Kind
    ) async {
        let bench = BrokerBench(time: ManualTime())
        bench.broker.change {
            $0.accountsFailure = BrokerFailure(kind, message: "Unable to find account")
            $0.interactiveFailure = BrokerFailure(kind, message: "As the script says.")
        }

        let (count, failure) = await windows(bench)

        #expect(count == 0)
        #expect(failure?.code == MSALError.userCanceled.rawValue)
        #expect(failure?.localizedDescription.contains("broker: As the script says.") == true)
    }

    @Test func `a window is announced while it is open`() async {
        let time = ManualTime()
        let (told, telling) = AsyncStream.makeStream(of: Void.self)
        // The broker responds after the app was notified.
        let broker = ScriptedBroker(
            token: { .amys($0, at: time.now) },
            window: {
                for await _ in told { break }
            }
        )
        let bench = BrokerBench(broker: broker, time: time)
        var request = Contoso.interactive()
        request.prompt = .selectAccount
        request.onBroker = { telling.yield() }
        let prepared = request
        let signIn = Task { try await bench.client.interactive.acquire(prepared) }
        await time.untilSomebodySleeps()
        #expect(time.sleeps == [.milliseconds(500)])

        time.advance(by: .milliseconds(500))

        await #expect(throws: Never.self) { try await signIn.value }
    }

    @Test(arguments: [BrokerFailure.Kind.absent, .passedOver, .unsupported, .misconfigured])
    func `a broker that cannot be used falls back to the browser`(kind: BrokerFailure.Kind) async throws {
        bench.broker.change { $0.silentFailure = BrokerFailure(kind, message: "As the script says.") }

        let failure = await bench.failure { _ = try await bench.client.interactive.acquire(Contoso.interactive()) }

        // The user cancels in the browser, and the error describes the previous failure.
        #expect(failure?.code == MSALError.userCanceled.rawValue)
        #expect(failure?.localizedDescription.contains("broker: As the script says.") == true)
    }

    @Test func `a broker that hangs before it shows a window falls back to the browser`() async throws {
        bench.broker.change { $0.accountsFailure = BrokerFailure(.unreachable, message: "It hangs.") }

        let failure = await bench.failure { _ = try await bench.client.interactive.acquire(Contoso.interactive()) }

        #expect(failure?.code == MSALError.userCanceled.rawValue)
        #expect(failure?.localizedDescription.contains("broker: It hangs.") == true)
    }

    @Test func `a broker that dies while its window is open ends the sign-in`() async throws {
        bench.broker.change {
            $0.silentFailure = BrokerFailure(.interactionRequired, message: "MFA")
            $0.interactiveFailure = BrokerFailure(.unreachable, message: "It left the bus.")
        }

        let failure = await bench.failure { _ = try await bench.client.interactive.acquire(Contoso.interactive()) }

        #expect(failure?.detail == MSALInternalError.internalErrorBrokerResponseNotReceived.rawValue)
    }

    @Test func `a required broker that is missing fails at once, with the reason`() async throws {
        bench.broker.change { $0.availability = .absent("no identity broker is on the session bus") }
        var request = Contoso.interactive()
        request.modes = [.broker]

        let failure = await bench.failure { _ = try await bench.client.interactive.acquire(request) }

        #expect(failure?.detail == MSALInternalError.internalErrorUnexpected.rawValue)
        #expect(failure?.localizedDescription.contains("no identity broker is on the session bus") == true)
    }

    @Test func `the account of the login hint signs in, and with several accounts none is guessed`() async throws {
        bench.broker.change { $0.accounts = [.amy, .bob] }
        var request = Contoso.interactive()
        request.loginHint = "BOB@contoso.example"

        let hinted = try await bench.client.interactive.acquire(request)
        let asked = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(hinted.account.username == "bob@contoso.example" && hinted.source == .broker(asksUser: false))
        #expect(asked.source == .broker(asksUser: true))
    }

    @Test func `an account that was signed out of this app is not used without interaction`() async throws {
        _ = try await bench.client.interactive.acquire(Contoso.interactive())
        try bench.client.signOut.remove(Contoso.account)

        let unnamed = try await bench.client.interactive.acquire(Contoso.interactive())
        try bench.client.signOut.remove(Contoso.account)
        var request = Contoso.interactive()
        request.account = Contoso.account
        _ = try await bench.client.interactive.acquire(request)

        #expect(unnamed.source == .broker(asksUser: true))
        #expect(bench.broker.calls.last == .interactive(user: Contoso.username, prompt: .login))
        #expect(try bench.client.accounts.all().map(\.username) == [Contoso.username])
    }

    @Test func `a user other than the requested one is rejected, and nothing is stored`() async throws {
        let now = bench.time.now
        bench.broker.change {
            $0.silentFailure = BrokerFailure(.interactionRequired, message: "MFA")
            $0.token = { request in
                var request = request
                request.account = .bob
                return .amys(request, at: now)
            }
        }
        var request = Contoso.interactive()
        request.account = Contoso.account

        let failure = await bench.failure { _ = try await bench.client.interactive.acquire(request) }

        #expect(failure?.detail == MSALInternalError.internalErrorMismatchedUser.rawValue)
        #expect(try bench.records().isEmpty)
    }

    @Test func `extra scopes are shown to the user, and the scopes of the token are compared`() async throws {
        let now = bench.time.now
        bench.broker.change {
            $0.token = { request in
                var token = BrokerToken.amys(request, at: now)
                token.scopes = ["User.Read", "openid"]
                return token
            }
        }
        var request = Contoso.interactive("user.read mail.read")
        request.extraScopesToConsent = ScopeSet(["calendars.read"])

        let failure = await bench.failure { _ = try await bench.client.interactive.acquire(request) }

        #expect(bench.broker.requests.map(\.scopes) == [["user.read", "mail.read", "calendars.read"]])
        #expect(failure?.code == MSALError.serverDeclinedScopes.rawValue)
        #expect(failure?.userInfo[MSALDeclinedScopesKey] as? [String] == ["mail.read"])
        let result = try #require(failure?.userInfo[MSALInvalidResultKey] as? MSALResult)
        #expect(result.source.origin == .broker && result.isPersisted)
    }

    @Test func `a token for one request is signed by the broker, and a bearer token is rejected`() async throws {
        var request = Contoso.interactive()
        let url = try #require(URL(string: "https://api.contoso.example/me"))
        request.token.proof = SignedHTTPRequest(method: "GET", url: url, nonce: nil)

        let result = try await bench.client.interactive.acquire(request)
        let now = bench.time.now
        bench.broker.change {
            $0.token = { request in
                var request = request
                request.proof = nil
                return .amys(request, at: now)
            }
        }
        let failure = await bench.failure { _ = try await bench.client.interactive.acquire(request) }

        #expect(result.tokenType == "Pop" && result.accessToken.exposed.hasPrefix("secret-broker-token"))
        #expect(failure?.code == MSALError.userCanceled.rawValue)
        #expect(failure?.localizedDescription.contains("bearer token instead of a token bound to one request") == true)
    }

    @Test func `a token for the app's own key is not requested from the broker`() async throws {
        let application = try bench.application()
        let signIn = try await application.acquireToken(with: .init(scopes: ["user.read"]))
        let parameters = MSALSilentTokenParameters(scopes: ["mail.read"], account: signIn.account)
        parameters.authenticationScheme = MSALAuthenticationSchemePop(
            httpMethod: .GET,
            request: try #require(URL(string: "https://api.contoso.example/me")),
            nonce: nil,
            additionalParameters: nil,
            externalKeyPair: try MSALExternalKeyPair(privateKeyPEM: SharedKeys.pem("app"))
        )

        let failure = await bench.failure { _ = try await application.acquireTokenSilent(with: parameters) }

        #expect(failure?.code == MSALError.interactionRequired.rawValue)
        #expect(bench.broker.requests.count == 1)
    }

    @Test func `two clients share the sign-in of the device`() async throws {
        let other = "99999999-2222-3333-4444-555555555555"
        let first = try bench.application()
        let second = try bench.application(clientID: other)

        for application in [first, second] {
            let result = try await application.acquireToken(with: .init(scopes: ["user.read"]))
            #expect(result.source.origin == .broker && result.account.isSSOAccount)
            #expect(try application.allAccounts().map(\.username) == [Contoso.username])
        }

        #expect(bench.service.messages.isEmpty)
        #expect(bench.broker.requests.map(\.clientID) == [Contoso.clientID, other])
    }

    @Test func `telemetry reports when the broker is called, and the outcome`() async throws {
        bench.broker.change {
            $0.accounts = []
            $0.interactiveFailure = BrokerFailure(.canceledByUser, message: "The user closed the window.")
        }
        let heard = Mutex<[String]>([])
        let parameters = MSALInteractiveTokenParameters(scopes: ["user.read"])
        parameters.webviewParameters.onBroker = { heard.withLock { $0.append("asked") } }
        let names = [MSALWebAuthWillSwitchToBrokerApp, MSALWebAuthDidReceiveResponseFromBroker]
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: .init(name), object: nil, queue: nil) { note in
                let response = note.userInfo?["response"] as? String
                heard.withLock { $0.append(response ?? name) }
            }
        }
        defer { observers.forEach(NotificationCenter.default.removeObserver) }

        let failure = await bench.failure {
            _ = try await bench.application().acquireToken(with: parameters)
        }

        #expect(failure?.code == MSALError.userCanceled.rawValue)
        let all = heard.withLock { $0 }
        #expect(all.contains(MSALWebAuthWillSwitchToBrokerApp) && all.contains("asked"))
        #expect(all.contains("canceledByUser"))
    }
}
