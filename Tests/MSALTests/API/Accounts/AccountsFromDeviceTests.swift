// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import SealedStore
import TestSupport
import Testing

/// `accountsFromDevice` and `getCurrentAccount`, as an app calls them.
struct AccountsFromDeviceTests {
    private let store = MemoryStore()

    private func application() throws -> MSALPublicClientApplication {
        try BadInputBench(store: store, hasSignedIn: false).application
    }

    private func signIn(_ uid: String, clientID: String = Contoso.clientID) throws {
        try store.write(.normal) { transaction throws(StoreError) in
            try transaction.save(.account(of: uid))
            try transaction.save(.refreshToken(of: uid, clientID: clientID))
        }
    }

    @Test func `all filters of the parameters apply, without regard to case`() async throws {
        for uid in ["amy", "bob"] { try signIn(uid) }
        let application = try application()

        let all = try await application.accountsFromDevice(for: .init())
        let byName = try await application.accountsFromDevice(
            for: .init(identifier: nil, username: "BOB@contoso.example")
        )
        let byProfile = try await application.accountsFromDevice(for: .init(tenantProfileIdentifier: "AMY"))
        let byBoth = try await application.accountsFromDevice(
            for: .init(identifier: "amy.\(Contoso.tenant)", username: "bob@contoso.example")
        )

        #expect(all.map(\.username) == ["amy@contoso.example", "bob@contoso.example"])
        #expect(byName.map(\.identifier) == ["bob.\(Contoso.tenant)"])
        #expect(byProfile.map(\.identifier) == ["amy.\(Contoso.tenant)"])
        #expect(byBoth.isEmpty)
    }

    @Test func `the accounts of other clients are shown on request`() async throws {
        try signIn("amy", clientID: "another-client")
        let application = try application()
        let parameters = MSALAccountEnumerationParameters()

        let own = try await application.accountsFromDevice(for: parameters)
        parameters.returnOnlySignedInAccounts = false
        let all = try await application.accountsFromDevice(for: parameters)

        #expect(own.isEmpty)
        #expect(all.map(\.username) == ["amy@contoso.example"])
    }

    @Test func `with several accounts there is no current account`() async throws {
        for uid in ["amy", "bob"] { try signIn(uid) }
        let application = try application()

        let error = await #expect(throws: NSError.self) { _ = try await application.currentAccount(with: nil) }

        #expect(error?.detail == -42102)
    }

    @Test func `the result contains the current and the previous account`() async throws {
        let application = try application()
        try signIn("amy")
        let first = try await application.currentAccount(with: nil)
        try application.remove(first.0)
        try signIn("bob")

        let second = try await application.currentAccount(with: MSALParameters())

        #expect(first.0?.username == "amy@contoso.example" && first.1 == nil)
        #expect(second.0?.username == "bob@contoso.example")
        #expect(second.1?.identifier == "amy.\(Contoso.tenant)")
        #expect(second.1?.tenantProfiles == nil)
    }
}
