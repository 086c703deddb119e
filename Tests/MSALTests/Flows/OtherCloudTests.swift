// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// A user whose account is in another cloud than the app's authority (docs/reference/Protocol.md#other-clouds).
struct OtherCloudTests {
    private static let host = "login.microsoftonline.us"

    /// A client whose sign-in returns the host of a cloud, and whose tokens are from that cloud.
    private func bench(
        _ configuration: ClientConfiguration = .bench,
        expectsOtherClouds: Bool = true,
        hint: String,
        issuer: String = host,
        iss: String? = nil
    ) -> ClientBench {
        var configuration = configuration
        configuration.app.multipleCloudsSupported = expectsOtherClouds
        let agent = StubAgent { visit, _ in
            var parameters = ["code": "code-1", "state": visit.expectedState, "cloud_instance_host_name": hint]
            parameters["iss"] = iss
            return parameters
        }
        let bench = ClientBench(configuration, agent: agent)
        let now = bench.time.now
        bench.service.setLast(
            .made { _ throws(TransportError) in
                var claims = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                claims["iss"] = .string("https://\(issuer)/\(Contoso.tenant)/v2.0")
                return .json(.object(Contoso.tokens(idToken: Contoso.idToken(claims))))
            }
        )
        return bench
    }

    @Test(arguments: ["login.microsoftonline.us", "Login.MicrosoftOnline.US"])
    func `the code is redeemed and the tokens are stored in the user's cloud`(_ hint: String) async throws {
        let bench = bench(hint: hint)

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        let opened = try #require(bench.agent.openedURLs.last)
        #expect(opened.host() == "login.microsoftonline.com")
        #expect(opened.parameter("instance_aware") == "true")
        #expect(bench.service.tokenRequests.map { $0.url.host() } == [Self.host])
        #expect(result.authority.url.host() == Self.host)
        #expect(result.account.environment == Self.host)
        #expect(result.isPersisted)
    }

    @Test(arguments: ["login.microsoftonline.com", host])
    func `a redirect may name the requested issuer or the cloud's`(_ issuer: String) async throws {
        let bench = bench(hint: Self.host, iss: "https://\(issuer)/\(Contoso.tenant)/v2.0")

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(result.authority.url.host() == Self.host)
    }

    @Test func `a code is not sent to an issuer outside both clouds`() async {
        let bench = bench(hint: Self.host, iss: "https://login.evil.example/\(Contoso.tenant)/v2.0")

        await #expect(throws: AuthError.self) { try await bench.client.interactive.acquire(Contoso.interactive()) }

        #expect(bench.service.tokenRequests.isEmpty)
    }

    @Test(arguments: [nil, "https://\(host)/\(Contoso.tenant)/v2.0"])
    func `an app that does not expect other clouds stays with the requested host`(_ iss: String?) async throws {
        let bench = bench(expectsOtherClouds: false, hint: Self.host, issuer: "login.microsoftonline.com", iss: iss)

        if iss == nil {
            let result = try await bench.client.interactive.acquire(Contoso.interactive())
            #expect(result.authority.url.host() == "login.microsoftonline.com")
        } else {
            // The redirect names another issuer than the requested one.
            await #expect(throws: AuthError.self) { try await bench.client.interactive.acquire(Contoso.interactive()) }
        }

        #expect(bench.service.tokenRequests.allSatisfy { $0.url.host() == "login.microsoftonline.com" })
        #expect(!bench.service.messages.contains { $0.url.host() == Self.host })
    }

    @Test(arguments: ["https://sign-in.example", "https://127.0.0.1:8443"])
    func `a private authority is not left for a Microsoft cloud`(_ origin: String) async throws {
        let authority = try Authority.aad(Authority.url("\(origin)/\(Contoso.tenant)"))
        var configuration = ClientConfiguration(
            clientID: Contoso.clientID,
            authority: authority,
            redirectURI: .loopback
        )
        configuration.authorityRules.known = [authority]
        let bench = bench(configuration, hint: Self.host, issuer: String(origin.dropFirst("https://".count)))

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(result.authority == authority)
        #expect(Set(bench.service.messages.map { $0.url.host() }) == [authority.url.host()])
    }

    @Test func `without instance discovery the code stays with the requested host`() async throws {
        var configuration = ClientConfiguration.bench
        configuration.authorityRules.isInstanceDiscoveryEnabled = false
        let bench = bench(configuration, hint: Self.host, issuer: "login.microsoftonline.com")

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(result.authority.url.host() == "login.microsoftonline.com")
        #expect(Set(bench.service.messages.map { $0.url.host() }) == ["login.microsoftonline.com"])
    }

    @Test func `later silent calls with the app's authority find the user's cloud`() async throws {
        let bench = bench(hint: Self.host)
        let result = try await bench.client.interactive.acquire(Contoso.interactive())
        var request = SilentRequest(
            token: TokenRequest(scopes: ScopeSet(["user.read"])),
            account: result.account.reference
        )

        let held = try await bench.client.silent.acquire(request)
        request.forceRefresh = true
        let renewed = try await bench.client.silent.acquire(request)

        #expect(held.source == .cache)
        #expect(renewed.source == .refresh(.forced))
        #expect(bench.service.tokenRequests.count == 2)
        #expect(bench.service.tokenRequests.last?.url.host() == Self.host)
        #expect(bench.service.tokenRequests.last?.form["refresh_token"] == "secret-new-refresh-token")
    }

    @Test(arguments: [
        "login.evil.example", "login.microsoftonline.us/evil", "user@login.microsoftonline.us",
        "login.microsoftonline.us?x", "login.microsoftonline.us#x", "",
    ])
    func `a code is not sent to an unknown host`(_ hint: String) async throws {
        let bench = bench(hint: hint, issuer: "login.microsoftonline.com")

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(bench.service.tokenRequests.map { $0.url.host() } == ["login.microsoftonline.com"])
        #expect(result.authority.url.host() == "login.microsoftonline.com")
        #expect(!bench.service.messages.contains { $0.url.host() == "login.evil.example" })
    }

    @Test func `a refresh token is never sent to another cloud`() async throws {
        let bench = ClientBench()
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        let url = try #require(URL(string: "https://login.microsoftonline.us/\(Contoso.tenant)"))
        let request = try Contoso.silent { $0.authority = try Authority.aad(url) }

        await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(request) }

        #expect(bench.service.tokenRequests.isEmpty)
    }
}
