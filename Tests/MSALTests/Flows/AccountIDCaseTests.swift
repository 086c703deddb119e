// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// The identifier of an account is in lower case, but its parts keep the case of the service
/// (docs/reference/Protocol.md#account-identity).
struct AccountIDCaseTests {
    private static let (uid, utid) = ("User-1", Contoso.tenant.uppercased())

    private func check(_ account: AccountSnapshot, sourceLocation: SourceLocation = #_sourceLocation) {
        let id = MSALAccount(account, hasProfiles: false).homeAccountId
        #expect(id?.identifier == Contoso.homeAccountID, sourceLocation: sourceLocation)
        #expect(id?.objectId == Self.uid, sourceLocation: sourceLocation)
        #expect(id?.tenantId == Self.utid, sourceLocation: sourceLocation)
    }

    @Test func `the parts keep their case in results and queries, new and stored`() async throws {
        let bench = ClientBench()
        let (agent, now) = (bench.agent, bench.time.now)
        let info = Base64URL.encode(Array(#"{"uid":"\#(Self.uid)","utid":"\#(Self.utid)"}"#.utf8))
        bench.service.setLast(
            .made { _ throws(TransportError) in
                let claims = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                let tokens = Contoso.tokens(idToken: Contoso.idToken(claims), ["client_info": .string(info)])
                return .json(.object(tokens))
            }
        )

        check(try await bench.client.interactive.acquire(Contoso.interactive()).account)
        let stored = try await bench.client.silent.acquire(Contoso.silent())
        #expect(stored.source == .cache)
        check(stored.account)
        check(try #require(try bench.client.accounts.all().first))
    }

    @Test func `the parts come from the identifier if the client info is missing, invalid or another account's`() {
        let other = Base64URL.encode(Array(#"{"uid":"A","utid":"B"}"#.utf8))
        for info in [nil, "no base64url!", other] {
            var account = AccountSnapshot(homeAccountID: "a.b.c", username: "", environment: "")
            account.clientInfo = info
            #expect(MSALAccount(account, hasProfiles: false).homeAccountId?.objectId == nil)
            account.homeAccountID = "u.t"
            #expect(MSALAccount(account, hasProfiles: false).homeAccountId?.tenantId == "t")
        }
    }
}
