// Licensed under the MIT License. See LICENSE.

import Foundation
import Testing

@testable import MSAL
@testable import MSALBase

@Suite struct TokenCacheTests {
    private let store = MemoryStore()
    private var cache: TokenCache { TokenCache(store: store, clientID: Sample.client.uppercased()) }

    private func lookup(
        _ query: AccessTokenQuery = Sample.query(),
        in cache: TokenCache? = nil,
        after: TimeInterval = 0
    ) throws -> AccessTokenHit? {
        try (cache ?? self.cache).accessToken(for: query, now: Sample.now + after, buffer: .seconds(300))
    }

    @Test func `a subset of the granted scopes is a hit in any case and under any alias`() throws {
        try store.put(.accessToken(Sample.accessToken(environment: "login.microsoftonline.com")))

        #expect(try lookup(Sample.query("USER.READ"))?.token.secret == Secret("fake-at"))
        #expect(try lookup(Sample.query("user.read mail.read")) == nil)
    }

    @Test(arguments: [
        (0.0, AccessTokenHit.State.usable), (3300, .usable), (3301, .extended), (7199, .extended), (7200, .expired),
        (-1, .expired),
    ])
    func `the state depends on the clock`(after: TimeInterval, state: AccessTokenHit.State) throws {
        try store.put(.accessToken(Sample.accessToken(extended: 7200)))

        #expect(try lookup(after: after)?.state == state)
    }

    @Test func `a token past its refresh time is due for renewal`() throws {
        try store.put(.accessToken(Sample.accessToken(refresh: 100)))

        #expect(try lookup(after: 100)?.state == .usable)
        #expect(try lookup(after: 101)?.state == .refreshDue)
    }

    @Test func `a usable token is preferred to an expired one of the better realm`() throws {
        try store.put(
            .accessToken(Sample.accessToken("fake-expired", life: 10)),
            .accessToken(Sample.accessToken("fake-good", realm: "organizations"))
        )
        let query = Sample.query(alternativeRealms: ["organizations"])

        #expect(try lookup(query)?.token.secret == Secret("fake-good"))
    }

    @Test func `the resolved realm, the exact scopes and the later expiry take precedence in this order`() throws {
        try store.put(
            .accessToken(Sample.accessToken("fake-word", realm: "organizations", target: "User.Read", life: 9000)),
            .accessToken(Sample.accessToken("fake-wide", target: "User.Read Mail.Read", life: 8000)),
            .accessToken(Sample.accessToken("fake-exact", target: "openid User.Read", life: 3600)),
            .accessToken(
                Sample.accessToken("fake-later", environment: Sample.aliases[1], target: "User.Read", life: 4000)
            )
        )

        #expect(try lookup(Sample.query(alternativeRealms: ["organizations"]))?.token.secret == Secret("fake-later"))
        #expect(try lookup(Sample.query(realm: "organizations"))?.token.secret == Secret("fake-word"))
    }

    @Test func `scheme and key are part of the match, tokens for claims match nothing`() throws {
        try store.put(
            .accessToken(Sample.accessToken("fake-pop", tokenType: "Pop", keyID: "k1")),
            .accessToken(Sample.accessToken("fake-claims", requestedClaims: "{}"))
        )

        #expect(try lookup() == nil)
        #expect(try lookup(Sample.query(tokenType: "pop", keyID: "k1"))?.token.secret == Secret("fake-pop"))
        #expect(try lookup(Sample.query(tokenType: "pop", keyID: "K1")) == nil)
    }

    @Test func `a token without account and ID token is a hit`() throws {
        try store.put(.accessToken(Sample.accessToken(realm: Sample.guestTenant)))
        let alone = try #require(try lookup(Sample.query(realm: Sample.guestTenant)))
        #expect(alone.username == nil && alone.localAccountID == nil && alone.idToken == nil)

        try store.put(.account(Sample.account()))
        #expect(try lookup(Sample.query(realm: Sample.guestTenant))?.username == Sample.account().username)
    }

    @Test(arguments: StoreKind.allCases)
    func `a remembered hit is dropped when the store changes`(kind: StoreKind) throws {
        try kind.withStore { store in
            let cache = TokenCache(store: store, clientID: Sample.client)
            let other = TokenCache(store: store, clientID: Sample.client)
            _ = try other.save(Sample.save())
            #expect(try lookup(in: cache)?.token.secret == Secret("fake-at"))
            #expect(try lookup(in: cache)?.token.secret == Secret("fake-at"))

            _ = try other.save(Sample.save(accessToken: "fake-at-2"))
            #expect(try lookup(in: cache)?.token.secret == Secret("fake-at-2"))
            try other.signOut(homeAccountID: Sample.alice, wipeAccount: false)
            #expect(try lookup(in: cache) == nil)
            #expect(try cache.metadata(homeAccountID: Sample.alice)?.signInState == .signedOut)
        }
    }

    @Test func `a client outside the family does not use the family token`() throws {
        let environments = Sample.aliases
        try store.put(
            .refreshToken(Sample.refreshToken("fake-app")),
            .refreshToken(Sample.refreshToken("fake-family", client: Sample.otherClient, family: "1"))
        )
        func tokens() throws -> (app: RefreshTokenRecord?, family: RefreshTokenRecord?) {
            try cache.refreshTokens(homeAccountID: Sample.alice, environments: environments)
        }

        #expect(try tokens().app?.secret == Secret("fake-app"))
        #expect(try tokens().family?.secret == Secret("fake-family"))
        try cache.markNotInFamily(environment: Sample.environment, environments: environments)
        #expect(try tokens().family == nil)
        #expect(try tokens().app?.secret == Secret("fake-app"))
    }

    @Test func `a response with a family writes two refresh tokens and the app metadata`() throws {
        _ = try cache.save(Sample.save(family: "1"))

        let tokens = try cache.refreshTokens(homeAccountID: Sample.alice, environments: Sample.aliases)
        #expect(tokens.app?.familyID == nil && tokens.app?.secret == Secret("fake-rt"))
        #expect(tokens.family?.familyID == "1" && tokens.family?.secret == Secret("fake-rt"))
        #expect(try store.all(.appMetadata).first?.members["family_id"] == .string("1"))
    }

    @Test func `saving records the sign-in and the host to which the authority led`() throws {
        _ = try cache.save(Sample.save())

        let metadata = try #require(try cache.metadata(homeAccountID: Sample.alice))
        #expect(metadata.signInState == .signedIn)
        #expect(metadata.authorityMap == [Sample.authority.absoluteString: Sample.resultAuthority])
    }

    @Test func `an account keeps members that the new response omits`() throws {
        var older = Sample.account()
        older.givenName = "Alice"
        try store.put(.account(older))

        #expect(try cache.save(Sample.save()))
        guard case .account(let saved) = try store.all(.account).first else { throw CocoaError(.fileNoSuchFile) }
        #expect(saved.givenName == "Alice")
    }

    @Test func `a refresh does not restore a removed account`() throws {
        _ = try cache.save(Sample.save())
        let redeemed = try #require(
            try cache.refreshTokens(homeAccountID: Sample.alice, environments: Sample.aliases).app
        )
        try cache.signOut(homeAccountID: Sample.alice, wipeAccount: true)

        let saved = try cache.save(Sample.save(accessToken: "fake-late", redeemed: redeemed))

        #expect(!saved)
        #expect(try store.secrets().isEmpty)
        #expect(try store.all(.account).isEmpty)
    }

    // Only the sign-in state shows it: the family's token stays, because another client saved it last.
    @Test func `a refresh with the family's token does not restore a user who signed out of this client`() throws {
        let family = Sample.refreshToken("fake-f", client: Sample.otherClient, family: "1")
        try store.put(.refreshToken(family))
        try cache.signOut(homeAccountID: Sample.alice, wipeAccount: false)

        let saved = try cache.save(Sample.save(accessToken: "fake-late", family: "1", redeemed: family))

        #expect(!saved)
        #expect(try store.secrets() == ["fake-f"])
        #expect(try cache.metadata(homeAccountID: Sample.alice)?.signInState == .signedOut)
    }

    // Only the missing token shows it: everything else about the account was deleted with it.
    @Test func `a refresh does not restore a user whom the directory deleted`() throws {
        _ = try cache.save(Sample.save())
        try cache.removeAccountOfDeletedUser(homeAccountID: Sample.alice)

        let saved = try cache.save(Sample.save(accessToken: "fake-late", redeemed: Sample.refreshToken("fake-rt")))

        #expect(!saved)
        #expect(try store.secrets().isEmpty)
        #expect(try cache.metadata(homeAccountID: Sample.alice) == nil)
    }

    @Test func `a refresh is saved if another process rotated the token in the meantime`() throws {
        _ = try cache.save(Sample.save(refreshToken: "fake-rotated"))

        let saved = try cache.save(Sample.save(accessToken: "fake-2", redeemed: Sample.refreshToken("fake-before")))

        #expect(saved)
    }

    @Test func `a rejected refresh token is removed only if it is still the stored one`() throws {
        _ = try cache.save(Sample.save(refreshToken: "fake-new"))

        try cache.remove(Sample.refreshToken("fake-old"))
        #expect(try store.secrets().contains("fake-new"))
        try cache.remove(Sample.refreshToken("fake-new"))
        #expect(try !store.secrets().contains("fake-new"))
    }

    @Test func `a rejected access token is removed only if it is still the stored one`() throws {
        try store.put(.accessToken(Sample.accessToken("fake-new")))

        try cache.remove(Sample.accessToken("fake-old"))
        #expect(try store.secrets() == ["fake-new"])
        try cache.remove(Sample.accessToken("fake-new"))
        #expect(try store.secrets().isEmpty)
    }

    @Test func `sign-out removes this client's tokens and keeps shared ones`() throws {
        _ = try cache.save(Sample.save(family: "1"))
        try store.put(
            .accessToken(Sample.accessToken("fake-claims", target: "X", requestedClaims: "{}")),
            .accessToken(Sample.accessToken("fake-other", client: Sample.otherClient))
        )

        try cache.signOut(homeAccountID: Sample.alice.uppercased(), wipeAccount: false)

        #expect(try store.secrets() == ["fake-other"])
        #expect(try store.all(.account).count == 1)
        #expect(try store.all(.appMetadata).count == 1)
        #expect(try cache.accounts(environments: nil, onlySignedIn: true).isEmpty)
        #expect(try cache.accounts(environments: nil, onlySignedIn: false).count == 1)
    }

    @Test func `the names of an account are deleted with its last token, whichever client has it`() throws {
        let other = TokenCache(store: store, clientID: Sample.otherClient)
        _ = try cache.save(Sample.save())
        _ = try other.save(Sample.save())
        let alice = PrincipalAccount(
            homeAccountID: Sample.alice.uppercased(),
            username: "alice@contoso.example",
            environment: Sample.environment
        )
        for client in [cache, other] { try client.setPrincipalAccount(alice) }

        try cache.signOut(homeAccountID: Sample.alice, wipeAccount: false)
        #expect(try store.all(.account).count == 1)
        #expect(try cache.principalAccount() == alice)

        try other.signOut(homeAccountID: Sample.alice, wipeAccount: false)
        #expect(try store.all(.account).isEmpty)
        for client in [cache, other] {
            let remembered = try client.principalAccount()
            #expect(remembered?.homeAccountID == alice.homeAccountID && remembered?.username == nil)
        }
        for kind in RecordKind.allCases {
            for record in try store.all(kind) { #expect(!record.members.description.contains("alice@")) }
        }
    }

    @Test func `names without any token are deleted when all users sign out`() throws {
        _ = try cache.save(Sample.save())
        let bob = AccountRecord(homeAccountID: "b.b", environment: Sample.environment, realm: "b", username: "bob@x")
        try store.put(.account(bob))

        try cache.forgetUnusedNames()

        #expect(try store.all(.account).count == 1)
        #expect(try cache.accounts(environments: nil, onlySignedIn: true).count == 1)
    }

    @Test func `a family token that another client saved last survives sign-out`() throws {
        try store.put(.refreshToken(Sample.refreshToken("fake-f", client: Sample.otherClient, family: "1")))

        try cache.signOut(homeAccountID: Sample.alice, wipeAccount: false)

        #expect(try store.secrets() == ["fake-f"])
    }

    @Test func `wiping deletes every account and client`() throws {
        _ = try cache.save(Sample.save())
        try cache.wipe()

        for kind in RecordKind.allCases { #expect(try store.all(kind).isEmpty) }
    }

    @Test func `an account is listed with its own token, a family token, or a sign-in`() throws {
        try store.put(.account(Sample.account()))
        #expect(try cache.accounts(environments: nil, onlySignedIn: true).isEmpty)

        try store.put(.refreshToken(Sample.refreshToken("fake-f", client: Sample.otherClient, family: "1")))
        #expect(try cache.accounts(environments: nil, onlySignedIn: true).map(\.isFamilyOnly) == [true])
        try cache.markNotInFamily(environment: Sample.environment, environments: Sample.aliases)
        #expect(try cache.accounts(environments: nil, onlySignedIn: true).isEmpty)

        try store.put(.refreshToken(Sample.refreshToken()))
        #expect(try cache.accounts(environments: Sample.aliases, onlySignedIn: true).map(\.isFamilyOnly) == [false])
        #expect(try cache.accounts(environments: ["other.example"], onlySignedIn: true).isEmpty)
    }

    @Test func `records of one home account are one account with the name of its home tenant`() throws {
        try store.put(
            .account(Sample.account(realm: Sample.guestTenant, username: "guest")),
            .account(Sample.account()),
            .refreshToken(Sample.refreshToken())
        )

        let accounts = try cache.accounts(environments: nil, onlySignedIn: true)

        #expect(accounts.map(\.username) == ["alice@contoso.example"])
        #expect(accounts.first?.records.map(\.realm) == [Sample.tenant, Sample.guestTenant])
        #expect(try cache.homeAccountIDs(username: "GUEST", environments: nil) == [Sample.alice])
    }

    @Test func `the principal account is remembered`() throws {
        let principal = PrincipalAccount(homeAccountID: Sample.alice, username: "alice", environment: "h")
        try cache.setPrincipalAccount(principal)
        #expect(try cache.principalAccount() == principal)

        try cache.setPrincipalAccount(nil)
        #expect(try cache.principalAccount() == nil)
    }

    @Test func `each account has its own state`() throws {
        var bob = Sample.save()
        bob.homeAccountID = "bob.\(Sample.tenant)"
        _ = try cache.save(Sample.save())
        _ = try cache.save(bob)

        try cache.signOut(homeAccountID: Sample.alice, wipeAccount: false)

        #expect(try cache.metadata(homeAccountID: Sample.alice)?.signInState == .signedOut)
        #expect(try cache.metadata(homeAccountID: bob.homeAccountID)?.signInState == .signedIn)
        #expect(try cache.metadata(homeAccountID: bob.homeAccountID)?.authorityMap.count == 1)
        try cache.removeAccountOfDeletedUser(homeAccountID: Sample.alice)
        #expect(try cache.metadata(homeAccountID: Sample.alice) == nil)
    }

    @Test func `an account's own record takes precedence over the client's`() throws {
        let shared = AccountMetadataRecord(
            clientID: Sample.client,
            accounts: [Sample.alice: AccountMetadata(signInState: .signedIn)]
        )
        try store.put(.accountMetadata(shared))
        #expect(try cache.metadata(homeAccountID: Sample.alice)?.signInState == .signedIn)

        try cache.signOut(homeAccountID: Sample.alice, wipeAccount: false)
        #expect(try cache.metadata(homeAccountID: Sample.alice)?.signInState == .signedOut)

        try cache.removeAccountOfDeletedUser(homeAccountID: Sample.alice)
        #expect(try cache.metadata(homeAccountID: Sample.alice) == nil)
    }
}
