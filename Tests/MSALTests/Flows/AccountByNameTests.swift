// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

/// Silent calls for an account of which the app knows only the user name, as its own account store may.
struct AccountByNameTests {
    private let bench = ClientBench()

    private func silent(username: String?, id: String? = nil) -> SilentRequest {
        Contoso.silent(account: AccountReference(homeAccountID: id, username: username))
    }

    private func seed(_ others: CacheRecord...) throws {
        let token = Contoso.accessToken(expiresIn: 3600, at: bench.time.now)
        try bench.seed([token, Contoso.refreshToken(), Contoso.accountRecord] + others)
    }

    private func failure(_ request: SilentRequest) async -> NSError? {
        await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(request) }?.nsError
    }

    @Test(arguments: [nil, ""])
    func `the user name finds the account in any case`(_ id: String?) async throws {
        try seed()

        let result = try await bench.client.silent.acquire(silent(username: "Amy@Contoso.Example", id: id))

        #expect(result.source == .cache)
        #expect(result.account.homeAccountID == Contoso.homeAccountID)
    }

    @Test(arguments: ["ben@contoso.example", " ", nil])
    func `an unknown user name requires interaction`(_ name: String?) async throws {
        try seed()

        let error = await failure(silent(username: name))

        #expect(error?.code == MSALError.interactionRequired.rawValue)
        #expect(bench.service.messages.isEmpty)
    }

    @Test func `a user name of two accounts is ambiguous`() async throws {
        let namesake = AccountRecord(
            homeAccountID: "user-2.\(Contoso.tenant)",
            environment: Contoso.environment,
            realm: Contoso.tenant,
            localAccountID: "user-2",
            username: Contoso.username
        )
        try seed(.account(namesake))

        let error = await failure(silent(username: Contoso.username))

        #expect(
            error?.userInfo[MSALInternalErrorCodeKey] as? Int
                == MSALInternalError.internalErrorAmbiguousAccount.rawValue
        )
    }
}
