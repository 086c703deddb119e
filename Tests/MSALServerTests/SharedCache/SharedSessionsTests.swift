// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import MSALStoreConformance
import TestSupport
import Testing

/// Long-running sessions, the application's own tokens, and key rotation.
struct SharedSessionsTests {
    private static let scope = "https://graph.microsoft.com/User.Read"

    private func start(_ story: WebAppStory, _ session: MSALSessionKey? = nil) async throws -> MSALLongRunningStart {
        try await story.application.longRunningStart(onBehalfOf: .example(), scopes: [Self.scope], session: session)
    }

    private func token(_ story: WebAppStory, in session: MSALSessionKey) async throws -> MSALTokenResult {
        try await story.application.token(inLongRunning: session, of: nil, scopes: [Self.scope])
    }

    private func append(_ instances: ServiceInstances, _ access: String, refresh: String) {
        instances.service.append(SignInService.tokens(access: access, refresh: refresh, scope: Self.scope))
    }

    @Test func `a session survives a restart`() async throws {
        let instances = try ServiceInstances(3, authority: .organizations)
        append(instances, "at-1", refresh: "rt-1")
        let begin = try await start(instances.stories[0])
        let held = try await token(instances.stories[1], in: begin.session)
        instances.advance(by: .seconds(3500))
        append(instances, "at-2", refresh: "rt-2")
        let later = try await token(instances.stories[2], in: begin.session)

        #expect(held.accessToken == "at-1" && held.source == .cache)
        #expect(later.accessToken == "at-2" && later.source == .service)
        #expect(instances.redeemed == ["rt-1"])
    }

    @Test func `a session that ended on one instance is unknown on the others`() async throws {
        let instances = try ServiceInstances(authority: .organizations)
        append(instances, "at-1", refresh: "rt-1")
        let begin = try await start(instances.stories[0])
        _ = try await token(instances.stories[1], in: begin.session)
        try await instances.stories[0].application.endLongRunning(begin.session)
        instances.advance(by: .seconds(300))

        let error = try await tokenFailure { _ = try await token(instances.stories[1], in: begin.session) }

        #expect(error?.kind == .sessionNotFound)
    }

    @Test func `the end of a session that did not reach the store is reported`() async throws {
        let instances = try ServiceInstances(wrap: { _ in UnreachableStore() })
        let session = try MSALSessionKey("a key that nobody can guess")

        let error = try await tokenFailure { try await instances.stories[0].application.endLongRunning(session) }

        #expect(error?.kind == .cacheUnavailable)
    }

    @Test func `another user's session cannot be taken over on another instance`() async throws {
        let instances = try ServiceInstances(authority: .organizations)
        let session = try MSALSessionKey("a key that nobody can guess")
        append(instances, "at-1", refresh: "rt-1")
        _ = try await start(instances.stories[0], session)
        let stranger = "11111111-2222-3333-4444-555555555555"
        instances.service.append(
            SignInService.tokens(
                access: "at-2",
                scope: Self.scope,
                changes: ["client_info": .string(SignInService.clientInfo(user: stranger))]
            )
        )

        let error = try await tokenFailure {
            _ = try await instances.stories[1].application.longRunningStart(
                onBehalfOf: .example(["oid": .string(stranger)]),
                scopes: [Self.scope],
                session: session
            )
        }

        #expect(error?.kind == .sessionNotFound)
        #expect(try await token(instances.stories[1], in: session).accessToken == "at-1")
    }

    @Test(arguments: [true, false])
    func `an application's own token is shared on request`(_ isShared: Bool) async throws {
        let instances = try ServiceInstances(configure: { if isShared { $0.shares.insert(.application) } })
        let scopes = ["https://graph.microsoft.com/.default"]
        for number in 1...(isShared ? 1 : 2) {
            instances.service.append(SignInService.tokens(access: "app-\(number)", refresh: nil))
        }

        let tokens = try await [
            instances.stories[0].application.acquireTokenForClient(scopes: scopes),
            instances.stories[1].application.acquireTokenForClient(scopes: scopes),
        ]

        #expect(tokens.map(\.accessToken) == (isShared ? ["app-1", "app-1"] : ["app-1", "app-2"]))
        #expect(tokens[1].source == (isShared ? .cache : .service))
        #expect(instances.store.names.isEmpty == !isShared)
        try instances.service.verify()
    }

    @Test func `a client's credentials and tokens on behalf of callers are never shared`() async throws {
        let instances = try ServiceInstances(
            configure: { $0.shares = [.users, .longRunning, .application] },
            application: { $0.credential = .assertion { _ in MSALClientAssertion("an assertion") } }
        )
        append(instances, "at-caller", refresh: "rt-caller")
        _ = try await instances.stories[0].application.token(onBehalfOf: .example(), scopes: [Self.scope])
        let afterCaller = instances.store.names
        instances.service.append(SignInService.tokens(access: "at-app", refresh: nil))
        _ = try await instances.stories[0].application.acquireTokenForClient(
            scopes: ["https://graph.microsoft.com/.default"]
        )

        #expect(afterCaller.isEmpty)
        // The application's own token, and not the assertion for it.
        #expect(instances.store.names.count == 1)
    }

    // MARK: - Keys

    /// An instance with these keys and a store.
    private func instance(_ keys: [MSALSealingKey], on instances: ServiceInstances) throws -> WebAppStory {
        var shared = try MSALSharedCacheConfiguration(instances.store, keys: keys)
        shared.writesThrough = true
        shared.time = instances.limits
        return try WebAppStory(instances.service, cache: MSALTokenCache(shared: shared))
    }

    @Test func `a key rotation in three steps signs no user out`() async throws {
        let (old, new) = (try MSALSealingKey.example(id: 1), try MSALSealingKey.example(id: 2))
        let instances = try ServiceInstances(0)
        let before = try instance([old], on: instances)
        let prepared = try instance([old, new], on: instances)
        let changed = try instance([new, old], on: instances)
        let after = try instance([new], on: instances)
        try await before.signIn()
        let names = instances.store.names

        // Each instance reads what the previous one wrote, and vice versa.
        #expect(try await prepared.silent().accessToken == "at-1")
        #expect(try await changed.silent().accessToken == "at-1")
        instances.advance(by: .seconds(3500))
        for story in [before, prepared, changed, after] { story.time.advance(by: .seconds(3500)) }
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        #expect(try await changed.silent().accessToken == "at-2")
        #expect(try await prepared.silent().accessToken == "at-2")
        #expect(try await after.silent().accessToken == "at-2")
        // The first access token stays under its old name until it expires.
        instances.advance(by: .seconds(200))
        #expect(instances.store.names.isDisjoint(with: names))
        #expect(instances.redeemed == ["rt-1"])
    }

    @Test func `an unreadable value under the newest name does not prevent the move from an older one`() async throws {
        let (old, new) = (try MSALSealingKey.example(id: 1), try MSALSealingKey.example(id: 2))
        let instances = try ServiceInstances(0)
        try await instance([old], on: instances).signIn()
        // A separate store shows the names under the new key.
        let other = try ServiceInstances(0)
        try await instance([new], on: other).signIn()
        for name in other.store.names {
            _ = try await instances.store.write([1], to: name, expiresIn: .seconds(86_400), if: .absent, lease: nil)
        }
        let stories = [try instance([new, old], on: instances), try instance([new], on: instances)]
        instances.advance(by: .seconds(3500))
        for story in stories { story.time.advance(by: .seconds(3500)) }
        instances.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))

        for story in stories { #expect(try await story.silent().accessToken == "at-2") }
        #expect(instances.redeemed == ["rt-1"])
    }

    @Test func `a sign-out removes the names of all keys`() async throws {
        let (old, new) = (try MSALSealingKey.example(id: 1), try MSALSealingKey.example(id: 2))
        let instances = try ServiceInstances(0)
        let before = try instance([old], on: instances)
        let changed = try instance([new, old], on: instances)
        try await before.signIn()

        try await changed.application.signOut(homeAccountIdentifier: SignInService.homeAccountID)

        #expect(instances.store.names.isEmpty)
    }

    @Test func `a retired key opens nothing`() async throws {
        let (old, new) = (try MSALSealingKey.example(id: 1), try MSALSealingKey.example(id: 2))
        let instances = try ServiceInstances(0)
        try await instance([old], on: instances).signIn()
        var shared = try MSALSharedCacheConfiguration(instances.store, keys: [new, old])
        shared.time = instances.limits
        try shared.retire(id: 1)
        let story = try WebAppStory(instances.service, cache: MSALTokenCache(shared: shared))

        let error = try await tokenFailure { _ = try await story.silent() }

        #expect(error?.kind == .accountNotFound)
        for id: UInt8 in [1, 2, 3] { #expect(throws: MSALTokenError.self) { try shared.retire(id: id) } }
    }

    @Test func `unusable keys are rejected`() throws {
        let key = try MSALSealingKey.example()
        for bytes in [[], [UInt8](1...31), [UInt8](repeating: 7, count: 32)] {
            #expect(throws: MSALTokenError.self) { try MSALSealingKey(id: 1, secret: bytes) }
        }
        for keys in [[], [key, key]] {
            let error = try #require(throws: MSALTokenError.self) {
                try MSALSharedCacheConfiguration(MSALMemoryStore(), keys: keys)
            }
            #expect(error.kind == .configuration)
        }
    }

    @Test func `a value with another prefix does not open`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        let other = MSALMemoryStore(prefix: "msal:2:")
        for name in instances.store.names {
            let value = try #require(try await instances.store.read([name])[0]).value
            _ = try await other.write(value, to: name, expiresIn: .seconds(1000), if: .always, lease: nil)
        }
        let story = try WebAppStory(
            instances.service,
            cache: MSALTokenCache(shared: MSALSharedCacheConfiguration(other, keys: [.example()]))
        )

        let error = try await tokenFailure { _ = try await story.silent() }

        #expect(error?.kind == .accountNotFound)
    }
}
