// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import SealedStore
import TestSupport
import Testing

@testable import MSALCore

/// The calls of MSAL 0.x and 1.x that need no browser do what their documentation says.
@Suite(.timeLimit(.minutes(1)))
struct DeprecatedCallsTests {
    private let deprecated: DeprecatedBench
    private var bench: BadInputBench { deprecated.bench }
    private var amy: MSALAccount { deprecated.amy }
    private var application: MSALPublicClientApplication { bench.application }

    init() throws {
        deprecated = try DeprecatedBench()
    }

    @available(*, deprecated)
    @Test func `a stored token is returned, and none without an account`() async throws {
        let token = await deprecated.token {
            application.acquireTokenSilent(forScopes: ["user.read"], account: amy, completionBlock: $0)
        }
        let error = await deprecated.failure {
            application.acquireTokenSilent(forScopes: ["user.read"], account: nil, completionBlock: $0)
        }

        #expect(token == "secret-access-token")
        #expect(error.first == MSALError.interactionRequired.rawValue)
        #expect(bench.service.tokenRequests.isEmpty)
    }

    @available(*, deprecated)
    @Test func `a request goes to the other authority`() async throws {
        let other = "bbbbbbbb-0000-0000-0000-000000000002"
        let url = try #require(URL(string: "https://login.microsoftonline.com/\(other)"))
        let authority = try MSALAADAuthority(url: url)

        _ = await deprecated.token {
            application.acquireTokenSilent(
                forScopes: ["user.read"],
                account: amy,
                authority: authority,
                completionBlock: $0
            )
        }

        #expect(bench.service.tokenRequests.map { $0.url.path() } == ["/\(other)/oauth2/v2.0/token"])
    }

    @available(*, deprecated)
    @Test func `claims, a forced renewal and a correlation ID reach the service`() async throws {
        let id = UUID()
        let claims = MSALClaimsRequest(jsonString: #"{"access_token":{"nbf":{"essential":true}}}"#, error: nil)

        _ = await deprecated.token {
            application.acquireTokenSilent(
                forScopes: ["user.read"],
                account: amy,
                authority: nil,
                claimsRequest: nil,
                forceRefresh: true,
                correlationId: id,
                completionBlock: $0
            )
        }
        _ = await deprecated.token {
            application.acquireTokenSilent(
                forScopes: ["user.read"],
                account: amy,
                authority: nil,
                claimsRequest: claims,
                forceRefresh: false,
                correlationId: nil,
                completionBlock: $0
            )
        }

        let requests = bench.service.tokenRequests
        #expect(requests.count == 2)
        #expect(requests.first?.headers["client-request-id"] == id.uuidString)
        #expect(requests.first?.form["claims"] == nil)
        let own = try #require(requests.last?.headers["client-request-id"].flatMap(UUID.init(uuidString:)))
        #expect(own != id)
        #expect(requests.last?.form["claims"] == #"{"access_token":{"nbf":{"essential":true}}}"#)
    }

    @available(*, deprecated)
    @Test func `a renewal can be forced without claims`() async throws {
        let id = UUID()

        let token = await deprecated.token {
            application.acquireTokenSilent(
                forScopes: ["user.read"],
                account: amy,
                authority: nil,
                forceRefresh: true,
                correlationId: id,
                completionBlock: $0
            )
        }

        #expect(token == "secret-new-access-token")
        #expect(bench.service.tokenRequests.map { $0.headers["client-request-id"] } == [id.uuidString])
    }

    @available(*, deprecated)
    @Test func `the filtered accounts are those of the authority's cloud`() async throws {
        try bench.store.write(.normal) { transaction throws(StoreError) in
            try transaction.save(.account(of: "chen", environment: "login.chinacloudapi.cn"))
            try transaction.save(.refreshToken(of: "chen", environment: "login.chinacloudapi.cn"))
        }

        let names = await withCheckedContinuation { continuation in
            application.allAccountsFiltered { accounts, _ in
                continuation.resume(returning: accounts?.map(\.username))
            }
        }

        #expect(try application.allAccounts().count == 2)
        #expect(names == [Contoso.username])
    }

    @available(*, deprecated)
    @Test func `an account is found by its home account ID`() throws {
        #expect(try application.account(forHomeAccountId: Contoso.homeAccountID) == amy)
        #expect(nsError { _ = try application.account(forHomeAccountId: "nobody") }?.detail == -42106)
    }

    @available(*, deprecated)
    @Test func `the former initializers set the properties that they name`() throws {
        let url = try #require(URL(string: "https://login.microsoftonline.com/contoso.example"))
        let authority = try MSALAADAuthority(url: url)

        let short = try MSALPublicClientApplication(clientId: "client", authority: authority)
        let long = try MSALPublicClientApplication(
            clientId: "client",
            keychainGroup: "com.contoso.group",
            authority: nil,
            redirectUri: "http://localhost:7071"
        )

        #expect(short.configuration.authority == authority)
        #expect(short.configuration.cacheConfig.keychainSharingGroup == "msal.shared")
        #expect(long.configuration.cacheConfig.keychainSharingGroup == "com.contoso.group")
        #expect(long.configuration.redirectUri == "http://localhost:7071")
        let redirectURI = try long.client().configuration.browser.redirectURI
        #expect("\(redirectURI)".contains("7071"))
    }
}
