// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import SealedStore
import TestSupport
import Testing

@testable import MSALBase

/// The current and the previous account, as each process sees them (docs/reference/Protocol.md#current-account).
///
/// The two clients are like two processes: they share only the store.
struct CurrentAccountTests {
    private let store = MemoryStore()
    private var here: TokenClient { ClientBench(store: store).client }
    private var elsewhere: TokenClient { ClientBench(store: store).client }

    private func signIn(_ uid: String, _ name: String) throws {
        let homeAccountID = "\(uid).\(Contoso.tenant)"
        try store.write(.normal) { transaction throws(StoreError) in
            try transaction.save(
                .account(
                    AccountRecord(
                        homeAccountID: homeAccountID,
                        environment: Contoso.environment,
                        realm: Contoso.tenant,
                        localAccountID: uid,
                        username: name
                    )
                )
            )
            try transaction.save(
                .refreshToken(
                    RefreshTokenRecord(
                        homeAccountID: homeAccountID,
                        environment: Contoso.environment,
                        clientID: Contoso.clientID,
                        secret: Secret("secret-refresh-token")
                    )
                )
            )
        }
    }

    @Test func `there is no current account and no previous one`() throws {
        let (current, previous) = try here.accounts.current()

        #expect(current == nil)
        #expect(previous == nil)
    }

    @Test func `the first sign-in has no predecessor`() throws {
        try signIn("amy", "amy@contoso.example")

        let (current, previous) = try here.accounts.current()

        #expect(current?.username == "amy@contoso.example")
        #expect(previous == nil)
    }

    @Test func `a change of the current account is reported once, even after sign-ins in another process`() throws {
        try signIn("amy", "amy@contoso.example")
        let client = here
        _ = try client.accounts.current()
        try elsewhere.signOut.remove(AccountReference(homeAccountID: "amy.\(Contoso.tenant)", username: nil))
        try signIn("bob", "bob@contoso.example")

        let (current, previous) = try client.accounts.current()
        let later = try elsewhere.accounts.current()

        #expect(current?.username == "bob@contoso.example")
        #expect(previous?.homeAccountID == "amy.\(Contoso.tenant)")
        #expect(previous?.username == nil)
        #expect(later.current?.username == "bob@contoso.example")
        #expect(later.previous == nil)
    }

    @Test func `an account that was signed out elsewhere is the previous account`() throws {
        try signIn("amy", "amy@contoso.example")
        let client = here
        _ = try client.accounts.current()
        try elsewhere.signOut.remove(AccountReference(homeAccountID: "amy.\(Contoso.tenant)", username: nil))

        let (current, previous) = try client.accounts.current()

        #expect(current == nil)
        #expect(previous?.homeAccountID == "amy.\(Contoso.tenant)")
        #expect(previous?.username == nil)
    }

    @Test func `with several accounts there is no current account`() throws {
        try signIn("amy", "amy@contoso.example")
        try signIn("bob", "bob@contoso.example")

        let error = #expect(throws: AuthError.self) { try here.accounts.current() }

        #expect(error?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42102)
    }
}
