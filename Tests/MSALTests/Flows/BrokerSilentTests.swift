// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import SealedStore
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Silent tokens from an identity broker.
struct BrokerSilentTests {
    private let bench = BrokerBench()

    private func seed(_ bench: BrokerBench, _ records: CacheRecord...) throws {
        try bench.store.write(.normal) { transaction throws(StoreError) in
            for record in records { try transaction.save(record) }
        }
    }

    private func code(_ failure: NSError?) -> Int? { failure?.detail ?? failure?.code }

    @Test func `a token that is not in the store comes from the broker, and then from memory`() async throws {
        let first = try await bench.client.silent.acquire(Contoso.silent())
        let second = try await bench.client.silent.acquire(Contoso.silent())

        #expect(first.source == .broker(asksUser: false) && first.isPersisted)
        #expect(second.source == .cache && second.accessToken == first.accessToken)
        #expect(bench.broker.calls == [.accounts(clientID: Contoso.clientID), .silent(user: Contoso.username)])
        #expect(try bench.kinds() == [.account, .accountMetadata, .appMetadata])
    }

    @Test func `a sign-in serves later silent calls`() async throws {
        let application = try bench.application()
        let signIn = try await application.acquireToken(with: .init(scopes: ["user.read"]))

        let silent = try await application.acquireTokenSilent(
            with: .init(scopes: ["user.read"], account: signIn.account)
        )

        #expect(silent.source.origin == .cache && silent.account.isSSOAccount)
        #expect(bench.broker.requests.count == 1)
    }

    @Test func `an expired token is requested again, and a later process requests one, too`() async throws {
        _ = try await bench.client.silent.acquire(Contoso.silent())
        bench.time.advance(by: .seconds(3400))

        let later = try await bench.client.silent.acquire(Contoso.silent())
        let elsewhere = BrokerBench(store: bench.store, broker: bench.broker)
        let other = try await elsewhere.client.silent.acquire(Contoso.silent())

        #expect(later.source == .broker(asksUser: false) && other.source == .broker(asksUser: false))
    }

    @Test func `a stored token takes precedence over the broker's`() async throws {
        try seed(bench, Contoso.accountRecord, Contoso.accessToken(expiresIn: 3600, at: bench.time.now))

        let result = try await bench.client.silent.acquire(Contoso.silent())

        #expect(result.source == .cache)
        #expect(bench.broker.calls.isEmpty && !bench.broker.wasLookedFor)
    }

    @Test func `an account that the broker does not have requires interaction`() async throws {
        bench.broker.change { $0.accounts = [.bob] }

        let failure = await bench.failure { _ = try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(failure?.code == MSALError.interactionRequired.rawValue)
        #expect(bench.broker.requests.isEmpty)
    }

    @Test func `a token for a signed-out account is never requested`() async throws {
        _ = try await bench.client.silent.acquire(Contoso.silent())
        try bench.client.signOut.remove(Contoso.account)
        let count = bench.broker.calls.count

        let failure = await bench.failure { _ = try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(failure?.code == MSALError.interactionRequired.rawValue)
        #expect(bench.broker.calls.count == count)
    }

    @Test func `a broker that may not be used is not looked up`() async throws {
        var configuration = ClientConfiguration.bench
        configuration.broker.isAllowed = false
        let bench = BrokerBench(configuration)

        let failure = await bench.failure { _ = try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(failure?.code == MSALError.interactionRequired.rawValue)
        #expect(!bench.broker.wasLookedFor)
    }

    @Test func `a forced refresh names the token that must not be returned again`() async throws {
        let first = try await bench.client.silent.acquire(Contoso.silent())

        _ = try await bench.client.silent.acquire(Contoso.silent(forceRefresh: true))

        #expect(bench.broker.requests.first?.accessTokenToRenew == nil)
        #expect(bench.broker.requests.last?.accessTokenToRenew == first.accessToken)
    }

    @Test func `claims are sent to the broker, merged with the client's capabilities`() async throws {
        var configuration = ClientConfiguration.bench
        configuration.app.capabilities = ["CP1"]
        let bench = BrokerBench(configuration)
        let claims = JSONValue.object(["access_token": .object(["nbf": .object(["essential": .bool(true)])])])
        let request = Contoso.silent { $0.claims = claims }

        _ = try await bench.client.silent.acquire(request)

        let sent = try #require(bench.broker.requests.first?.claims)
        #expect(sent == ClaimsRequest.merged(capabilities: ["CP1"], claims: claims))
    }

    @Test func `concurrent equal calls share one call to the broker`() async throws {
        let gate = ManualTime()
        let bench = BrokerBench(pause: { try? await gate.sleep(for: .seconds(1)) })

        let calls = (0..<20).map { _ in Task { try await bench.client.silent.acquire(Contoso.silent()) } }
        try await until(bench.client.refreshes.callers == 20)
        await gate.untilSomebodySleeps()
        gate.advance(by: .seconds(1))
        for call in calls { #expect(try await call.value.account.username == Contoso.username) }

        #expect(bench.broker.requests.count == 1)
    }

    @Test func `a rejected refresh token falls back to the broker`() async throws {
        try seed(bench, Contoso.accountRecord, Contoso.refreshToken())
        let refusal = JSONValue.object(["error": .string("invalid_grant")])
        bench.service.setLast(.reply(.json(refusal, status: 400)))

        let result = try await bench.client.silent.acquire(Contoso.silent())

        #expect(result.source == .broker(asksUser: false))
    }

    @Test func `the service's error is returned if the broker cannot help`() async throws {
        try seed(bench, Contoso.accountRecord, Contoso.refreshToken())
        let refusal = JSONValue.object(["error": .string("invalid_grant")])
        bench.service.setLast(.reply(.json(refusal, status: 400)))
        bench.broker.change { $0.silentFailure = BrokerFailure(.unreachable, message: "It hangs.") }

        let failure = await bench.failure { _ = try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(failure?.code == MSALError.interactionRequired.rawValue)
        #expect(failure?.userInfo[MSALOAuthErrorKey] as? String == "invalid_grant")
    }

    @Test func `an app can have the broker called before its own refresh token is redeemed`() async throws {
        try seed(bench, Contoso.accountRecord, Contoso.refreshToken())
        var request = Contoso.silent()
        request.mayUseOwnRefreshToken = false

        let result = try await bench.client.silent.acquire(request)
        bench.time.advance(by: .seconds(3600))
        bench.broker.change { $0.silentFailure = BrokerFailure(.noNetwork, message: "No network.") }
        let failure = await bench.failure { _ = try await bench.client.silent.acquire(request) }

        #expect(result.source == .broker(asksUser: false))
        #expect(failure?.domain == NSURLErrorDomain)
        #expect(bench.service.tokenRequests.isEmpty)
    }

    @Test(
        arguments: [
            (BrokerFailure.Kind.absent, -50002), (.unreachable, -42700), (.passedOver, -50002), (.unsupported, -50002),
            (.interactionRequired, -50002), (.unknownAccount, -50002), (.canceledByUser, -50005), (.canceled, -50005),
            (.noNetwork, -1009), (.temporary, -42007), (.invalidRequest, -42000), (.misconfigured, -50002),
            (.untrustedAuthority, -42010), (.otherUser, -42101), (.deviceNotRegistered, -50001),
            (.removalRequired, -42008), (.unexpected, -42711), (.unreadable, -42705),
        ]
    )
    func `each failure of the broker has its error, and the store stays unchanged`(
        kind: BrokerFailure.Kind,
        code: Int
    ) async throws {
        bench.broker.change { $0.silentFailure = BrokerFailure(kind, message: "As the script says.") }

        let failure = await bench.failure { _ = try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(self.code(failure) == code)
        #expect(try bench.records().isEmpty)
    }

    @Test func `the error contains the broker's version and the service's message`() async throws {
        bench.broker.change {
            var failure = BrokerFailure(.interactionRequired, message: "AADSTS50078: MFA has expired.")
            (failure.oauthError, failure.oauthSuberror) = ("invalid_grant", "basic_action")
            failure.serviceCodes = [50078]
            failure.brokerVersion = "2.0.1"
            $0.silentFailure = failure
        }

        let failure = await bench.failure { _ = try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(failure?.code == MSALError.interactionRequired.rawValue)
        #expect(failure?.userInfo[MSALBrokerVersionKey] as? String == "2.0.1")
        #expect(failure?.userInfo[MSALOAuthErrorKey] as? String == "invalid_grant")
        #expect(failure?.userInfo[MSALOAuthSubErrorKey] as? String == "basic_action")
        #expect((failure?.userInfo[MSALSTSErrorCodesKey] as? [NSNumber])?.map(\.intValue) == [50078])
        #expect(failure?.userInfo[MSALCorrelationIDKey] != nil)
    }
}
