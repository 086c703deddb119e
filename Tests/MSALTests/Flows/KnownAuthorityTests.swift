// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// An app that vouches for its authority on a host that no one else knows.
struct KnownAuthorityTests {
    private static let host = "sign-in.contoso.example"

    /// A client whose configured authority is in its list of known authorities.
    private func bench(_ authority: Authority) -> ClientBench {
        var configuration = ClientConfiguration(
            clientID: Contoso.clientID,
            authority: authority,
            redirectURI: .loopback
        )
        configuration.authorityRules.known = [authority]
        let bench = ClientBench(configuration)
        let (agent, now) = (bench.agent, bench.time.now)
        bench.service.setLast(
            .made { _ throws(TransportError) in
                var claims = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                claims["iss"] = .string("https://\(Self.host)/\(Contoso.tenant)/v2.0")
                return .json(.object(Contoso.tokens(idToken: Contoso.idToken(claims))))
            }
        )
        return bench
    }

    private func silent(_ result: TokenResult, authority: Authority? = nil, forced: Bool = false) -> SilentRequest {
        var token = TokenRequest(scopes: ScopeSet(["user.read"]))
        token.authority = authority
        return SilentRequest(token: token, account: result.account.reference, forceRefresh: forced)
    }

    /// The tenant in the address changes after sign-in. The host stays the same, and so does a policy.
    private func checkSilentCalls(_ authority: Authority) async throws {
        let bench = bench(authority)

        let signedIn = try await bench.client.interactive.acquire(Contoso.interactive())
        let held = try await bench.client.silent.acquire(silent(signedIn))
        let named = try await bench.client.silent.acquire(silent(signedIn, authority: signedIn.authority))
        let renewed = try await bench.client.silent.acquire(silent(signedIn, forced: true))

        #expect(signedIn.authority != authority)
        #expect(held.source == .cache)
        #expect(named.source == .cache)
        #expect(renewed.source == .refresh(.forced))
        // No other host is asked about a host that only the app knows.
        #expect(Set(bench.service.messages.compactMap { $0.url.host() }) == [Self.host])
    }

    @Test func `a user of a tenant gets tokens silently from a known common authority`() async throws {
        try await checkSilentCalls(.aad(try #require(URL(string: "https://\(Self.host)/common"))))
    }

    @Test func `a user of a B2C tenant gets tokens silently from a known policy`() async throws {
        let url = try #require(URL(string: "https://\(Self.host)/tfp/contoso.onmicrosoft.com/B2C_1_susi"))
        try await checkSilentCalls(.b2c(url, strict: true))
    }

    @Test(arguments: [
        "https://sign-in.contoso.example/tfp/contoso.onmicrosoft.com/B2C_1_other",
        "https://sign-in.fabrikam.example/tfp/contoso.onmicrosoft.com/B2C_1_susi",
        "https://sign-in.contoso.example/contoso.onmicrosoft.com",
    ])
    func `an app that vouches for one policy does not vouch for another policy or host`(_ other: String) throws {
        let url = try #require(URL(string: "https://\(Self.host)/tfp/contoso.onmicrosoft.com/B2C_1_susi"))
        let policy = AuthorityPolicy(developerKnown: [try .b2c(url, strict: true)])

        #expect(!policy.isDeveloperKnown(try .guess(try #require(URL(string: other)))))
    }
}
