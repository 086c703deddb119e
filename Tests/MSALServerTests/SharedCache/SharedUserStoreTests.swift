// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import MSALStoreConformance
import TestSupport
import Testing

/// Users of several instances that share a store.
struct SharedUserStoreTests {
    @Test func `a user who reaches another instance stays signed in`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()

        let result = try await instances.stories[1].silent()

        #expect(result.accessToken == "at-1")
        #expect(result.source == .cache && result.reason == nil)
        #expect(result.homeAccountIdentifier == SignInService.homeAccountID)
        #expect(result.idTokenClaims?["name"]?.string == "Megan Bowen")
        #expect(instances.service.forms.count == 1)
        try instances.service.verify()
    }

    @Test func `a token for more scopes is used on the other instance, too`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn(["User.Read", "Mail.Read"], scope: "User.Read Mail.Read openid profile")

        #expect(try await instances.stories[1].silent(["mail.read"]).accessToken == "at-1")
        try instances.service.verify()
    }

    @Test func `a refresh token is redeemed once, and its successor next`() async throws {
        let instances = try ServiceInstances(3)
        try await instances.stories[0].signIn()
        for number in 2...3 {
            instances.advance(by: .seconds(3500))
            instances.service.append(SignInService.tokens(access: "at-\(number)", refresh: "rt-\(number)"))
            for story in instances.stories { #expect(try await story.silent().accessToken == "at-\(number)") }
        }

        #expect(instances.redeemed == ["rt-1", "rt-2"])
    }

    @Test func `a refresh ahead of time is made by one instance`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn(changes: ["refresh_in": .integer(1800)])
        _ = try await instances.stories[1].silent()
        instances.advance(by: .seconds(1900))
        instances.service.append(
            SignInService.tokens(access: "at-2", refresh: "rt-2", changes: ["refresh_in": .integer(1800)])
        )
        let old = try await instances.stories[0].silent()
        #expect(await instances.stories[0].finish())

        #expect(old.accessToken == "at-1")
        for story in instances.stories { #expect(try await story.silent().accessToken == "at-2") }
        #expect(instances.redeemed == ["rt-1"])
    }

    @Test func `a user is found after 89 days of absence, and not after 91`()
        async throws
    {
        for (days, isFound) in [(89, true), (91, false)] {
            let instances = try ServiceInstances()
            try await instances.stories[0].signIn()
            instances.advance(by: .seconds(days * 86_400))
            if isFound { instances.service.append(SignInService.tokens(access: "at-2")) }

            let error = try await tokenFailure { _ = try await instances.stories[1].silent() }
            #expect(error?.kind == (isFound ? nil : .accountNotFound))
        }
    }

    @Test func `a sign-out on one instance is noticed by the other within the age of its memory`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        _ = try await instances.stories[1].silent()

        try await instances.stories[0].application.signOut(homeAccountIdentifier: SignInService.homeAccountID)
        let own = try await tokenFailure { _ = try await instances.stories[0].silent() }
        instances.advance(by: .seconds(299))
        let other = try await instances.stories[1].silent()
        instances.advance(by: .seconds(1))
        let later = try await tokenFailure { _ = try await instances.stories[1].silent() }

        #expect(own?.kind == .accountNotFound)
        #expect(other.accessToken == "at-1")
        #expect(later?.kind == .accountNotFound)
        #expect(instances.store.names.isEmpty)
    }

    @Test(arguments: [Duration.zero, .milliseconds(500)])
    func `a memory that checks its copies against the store in each call redeems no extra refresh token`(
        age: Duration
    ) async throws {
        let instances = try ServiceInstances(configure: { $0.memoryAge = age })
        try await instances.stories[0].signIn()
        for story in instances.stories + instances.stories { _ = try await story.silent() }
        #expect(instances.redeemed.isEmpty)

        try await instances.stories[0].application.signOut(homeAccountIdentifier: SignInService.homeAccountID)
        let other = try await tokenFailure { _ = try await instances.stories[1].silent() }

        #expect(other?.kind == .accountNotFound)
    }

    @Test func `a repeated sign-in replaces the refresh token everywhere`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        _ = try await instances.stories[1].silent()
        try await instances.stories[0].signIn(access: "at-2", refresh: "rt-2")
        instances.advance(by: .seconds(3500))
        instances.service.append(SignInService.tokens(access: "at-3", refresh: "rt-3"))

        #expect(try await instances.stories[1].silent().accessToken == "at-3")
        #expect(instances.redeemed == ["rt-2"])
    }

    @Test func `another client finds nothing`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        var shared = try MSALSharedCacheConfiguration(instances.store, keys: [.example()])
        shared.time = instances.limits
        let other = try WebAppStory(instances.service, cache: MSALTokenCache(shared: shared)) {
            $0.clientId = "00000000-0000-0000-0000-000000000001"
        }

        let error = try await tokenFailure { _ = try await other.silent() }

        #expect(error?.kind == .accountNotFound)
    }

    @Test func `data that is not shared stays here`() async throws {
        let instances = try ServiceInstances(configure: { $0.shares = [] })
        try await instances.stories[0].signIn()

        let error = try await tokenFailure { _ = try await instances.stories[1].silent() }

        #expect(error?.kind == .accountNotFound)
        #expect(instances.store.names.isEmpty)
    }

    @Test func `the store does not reveal its users`() async throws {
        let instances = try ServiceInstances()
        try await instances.stories[0].signIn()
        let names = Array(instances.store.names)
        let values = try await instances.store.read(names).compactMap { $0?.value }
        let dump = names.map { "\($0.partition.text) \($0.text)" } + values.map { String(decoding: $0, as: UTF8.self) }

        #expect(names.count == 2)
        for text in [
            SignInService.tenant, SignInService.user, SignInService.clientID, "User.Read", "at-1", "rt-1", "Megan",
        ] {
            #expect(!dump.contains { $0.localizedCaseInsensitiveContains(text) }, "\(text)")
        }
        #expect(names.allSatisfy { $0.text.utf8.count == 22 && $0.partition.text.utf8.count == 22 })
    }

    @Test func `stores with different secrets have nothing in common`() async throws {
        let stores = try (0...1).map { try ServiceInstances(1, keys: [.example(seed: $0)]) }
        for instances in stores { try await instances.stories[0].signIn() }

        #expect(stores[0].store.names.isDisjoint(with: stores[1].store.names))
    }
}

extension WebAppStory {
    /// Waits for background work. Returns whether all of it has ended.
    func finish() async -> Bool {
        await application.environment.background.finish(within: .seconds(60), time: SystemTime())
    }
}
