// Licensed under the MIT License. See LICENSE.

import MSAL
import MSALBase
import SealedStore
import TestSupport
import Testing

/// An app learns of accounts that another process of the same store adds and removes.
struct AccountChangesTests {
    private let store = MemoryStore()
    private let time = ManualTime()

    /// The app that watches, and another one that shares its store.
    private func benches(hasSignedIn: Bool) throws -> (app: BadInputBench, other: BadInputBench) {
        let app = try BadInputBench(store: store, hasSignedIn: hasSignedIn, time: time)
        let other = try BadInputBench(store: store, hasSignedIn: false)
        other.setResponse()
        return (app, other)
    }

    /// The next change, after the clock has moved by one interval.
    private func next(_ changes: inout AsyncStream<MSALAccountChange>.Iterator) async -> MSALAccountChange? {
        await time.untilSomebodySleeps()
        time.advance(by: .seconds(1))
        return await changes.next(isolation: #isolation)
    }

    @Test func `a sign-in in another process is reported, and a removal after it`() async throws {
        let (app, other) = try benches(hasSignedIn: false)
        var changes = try app.application.accountChanges().makeAsyncIterator()

        let account = try await other.signIn().account
        let added = await next(&changes)
        try other.application.remove(account)
        let removed = await next(&changes)

        #expect(added?.kind == .added && added?.account.username == Contoso.username)
        #expect(removed?.kind == .removed && removed?.account.identifier == account.identifier)
    }

    @Test func `an account that another client still has is signed out`() async throws {
        let (app, other) = try benches(hasSignedIn: true)
        try store.write(.normal) { (transaction) throws(StoreError) in
            let token = RefreshTokenRecord(
                homeAccountID: Contoso.homeAccountID,
                environment: Contoso.environment,
                clientID: "another-client",
                secret: Secret("secret-of-another-client")
            )
            try transaction.save(.refreshToken(token))
        }
        var changes = try app.application.accountChanges().makeAsyncIterator()

        try other.application.remove(other.application.account(forIdentifier: Contoso.homeAccountID))

        #expect(await next(&changes)?.kind == .signedOut)
    }

    @Test func `the end of an account for all clients is a removal`() async throws {
        let (app, other) = try benches(hasSignedIn: true)
        var changes = try app.application.accountChanges().makeAsyncIterator()
        let everywhere = MSALSignoutParameters()
        everywhere.wipeAccount = true

        let account = try other.application.account(forIdentifier: Contoso.homeAccountID)
        _ = try await other.application.signout(with: account, signoutParameters: everywhere)

        #expect(await next(&changes)?.kind == .removed)
    }

    @Test func `a thousand changes between two looks are reported as their result`() async throws {
        let (app, other) = try benches(hasSignedIn: true)
        var changes = try app.application.accountChanges().makeAsyncIterator()

        for _ in 0..<500 {
            try other.application.remove(other.application.account(forIdentifier: Contoso.homeAccountID))
            _ = try await other.signIn()
        }
        try other.application.remove(other.application.account(forIdentifier: Contoso.homeAccountID))

        #expect(await next(&changes)?.kind == .removed)
    }
}
