// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Responses of a broker that must be rejected.
struct BrokerAcceptanceTests {
    /// A fault of a token for Amy.
    enum Fault: String, CaseIterable, Sendable {
        case otherAccount, otherClientInfo, otherObjectID, otherClient, expired, empty, bound, otherCloud
        case unreadableIDToken, unreadableClientInfo, breakInToken, breakInScope, breakInName, tooManyScopes

        /// The detail of the error.
        var detail: Int {
            switch self {
            case .otherAccount, .otherClientInfo, .otherObjectID:
                MSALInternalError.internalErrorMismatchedUser.rawValue
            case .otherClient, .expired, .empty, .bound, .otherCloud, .unreadableIDToken, .unreadableClientInfo,
                .breakInToken, .breakInScope, .breakInName, .tooManyScopes:
                MSALInternalError.internalErrorBrokerCorruptedResponse.rawValue
            }
        }

        func token(for request: BrokerTokenRequest, at now: Date) -> BrokerToken {
            var token = BrokerToken.amys(request, at: now)
            var claims = Contoso.claims(at: now)
            switch self {
            case .otherAccount:
                var request = request
                request.account = .bob
                token = .amys(request, at: now)
            case .otherClientInfo:
                let text = #"{"uid":"user-2","utid":"\#(Contoso.tenant)"}"#
                token.clientInfo = Base64URL.encode(Array(text.utf8))
            case .otherObjectID:
                claims["oid"] = .string("user-2")
                token.idToken = Secret(Contoso.idToken(claims))
            case .otherClient:
                claims["aud"] = .string("another-client")
                token.idToken = Secret(Contoso.idToken(claims))
            case .expired: token.expiresOn = now
            case .empty: token.accessToken = Secret("")
            case .bound: token.isBound = true
            case .otherCloud: token.account?.environment = "login.chinacloudapi.cn"
            case .unreadableIDToken: token.idToken = Secret("no token")
            case .unreadableClientInfo: token.clientInfo = "no client info"
            case .breakInToken: token.accessToken = Secret("secret-broker-token\r\nX-Evil: 1")
            case .breakInScope: token.scopes.append("user.read\u{1}")
            case .breakInName: token.account?.username = "amy\u{1B}[31m"
            case .tooManyScopes: token.scopes = (0...ScopeSet.most).map { "scope-\($0)" }
            }
            return token
        }
    }

    private let bench = BrokerBench()

    private func script(_ fault: Fault) {
        let now = bench.time.now
        bench.broker.change { $0.token = { fault.token(for: $0, at: now) } }
    }

    @Test(arguments: Fault.allCases)
    func `an invalid token is rejected in a silent call, and the store stays unchanged`(fault: Fault) async throws {
        script(fault)

        let failure = await bench.failure { _ = try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(failure?.detail == fault.detail)
        #expect(try bench.records().isEmpty)
    }

    @Test(arguments: Fault.allCases)
    func `a sign-in with an invalid token fails, and no browser opens`(fault: Fault) async throws {
        script(fault)

        let failure = await bench.failure { _ = try await bench.client.interactive.acquire(Contoso.interactive()) }

        #expect(failure?.detail == fault.detail)
        #expect(try bench.records().isEmpty && bench.service.messages.isEmpty)
    }

    @Test func `a rejected token does not stay in memory`() async throws {
        script(.otherAccount)
        _ = await bench.failure { _ = try await bench.client.silent.acquire(Contoso.silent()) }

        let again = await bench.failure { _ = try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(again?.detail == MSALInternalError.internalErrorMismatchedUser.rawValue)
        #expect(bench.broker.requests.count == 2)
    }

    @Test func `a broker that omits the account means the requested one`() async throws {
        let now = bench.time.now
        bench.broker.change {
            $0.token = { request in
                var token = BrokerToken.amys(request, at: now)
                (token.account, token.clientInfo) = (nil, nil)
                return token
            }
        }

        let result = try await bench.client.silent.acquire(Contoso.silent())

        #expect(result.account.homeAccountID == Contoso.homeAccountID)
        #expect(result.account.username == Contoso.username)
    }

    @Test func `a guest's token is recognized by the tenant's own id of the user`() async throws {
        let now = bench.time.now
        let tenant = "bbbbbbbb-0000-0000-0000-000000000002"
        let guest: @Sendable (String) -> @Sendable (BrokerTokenRequest) -> BrokerToken = { objectID in
            { request in
                var token = BrokerToken.amys(request, at: now)
                var claims = Contoso.claims(at: now)
                (claims["tid"], claims["oid"]) = (.string(tenant), .string(objectID))
                token.idToken = Secret(Contoso.idToken(claims))
                token.account?.realm = tenant
                token.account?.localAccountID = "guest-1"
                return token
            }
        }
        bench.broker.change { $0.token = guest("guest-2") }
        let failure = await bench.failure { _ = try await bench.client.silent.acquire(Contoso.silent()) }
        bench.broker.change { $0.token = guest("guest-1") }

        let result = try await bench.client.silent.acquire(Contoso.silent())

        #expect(failure?.detail == MSALInternalError.internalErrorMismatchedUser.rawValue)
        #expect(result.tenantProfile.tenantID == tenant && !result.tenantProfile.isHome)
        #expect(result.tenantProfile.identifier == "guest-1")
    }
}
