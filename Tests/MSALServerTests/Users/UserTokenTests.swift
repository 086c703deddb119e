// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

struct UserTokenTests {
    @Test func `a token that contains the scopes comes from memory`() async throws {
        let story = try WebAppStory()
        try await story.signIn(["User.Read", "Mail.Read"], scope: "User.Read Mail.Read openid profile")

        for scopes in [["User.Read"], ["mail.read"], ["Mail.Read", "User.Read"], []] {
            let result = try await story.silent(scopes)
            #expect(result.accessToken == "at-1")
            #expect(result.source == .cache)
        }
        try story.service.verify()
    }

    @Test func `a refresh sends the refresh token with the client's secret`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        story.time.advance(by: .seconds(3400))
        story.service.append(SignInService.tokens(access: "at-2", refresh: "rt-2"))
        let result = try await story.silent()
        let form = try #require(story.service.forms.last)

        #expect(result.accessToken == "at-2")
        #expect(result.homeAccountIdentifier == SignInService.homeAccountID)
        #expect(result.idTokenClaims?["name"]?.string == "Megan Bowen")
        #expect(form["grant_type"] == "refresh_token")
        #expect(form["refresh_token"] == "rt-1")
        #expect(form["client_secret"] == "s~ecret")
        #expect(form["client_info"] == "1")
        #expect(form["scope"] == "User.Read openid profile offline_access")
    }

    @Test(arguments: [("rt-2", "rt-2"), (nil, "rt-1")] as [(String?, String)])
    func `the newest refresh token is the next to be sent`(_ successor: String?, _ next: String) async throws {
        let story = try WebAppStory()
        try await story.signIn()
        story.service.append(SignInService.tokens(access: "at-2", refresh: successor))
        _ = try await story.silent { $0.forceRefresh = true }
        story.service.append(SignInService.tokens(access: "at-3"))
        _ = try await story.silent { $0.forceRefresh = true }

        #expect(story.service.forms.last?["refresh_token"] == next)
        #expect(try await story.silent().accessToken == "at-3")
    }

    @Test func `claims bypass the memory, and the new token replaces the old one`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        story.service.append(SignInService.tokens(access: "at-2"))
        let claims = #"{"access_token":{"nbf":{"essential":true,"value":"1790000000"}}}"#
        let result = try await story.silent { $0.claims = claims }

        #expect(result.accessToken == "at-2")
        #expect(result.reason == .claims)
        #expect(story.service.forms.last?["claims"] == claims)
        #expect(try await story.silent().accessToken == "at-2")
    }

    @Test func `another tenant has separate tokens`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        story.service.append(SignInService.tokens(access: "guest"))
        let result = try await story.silent { $0.tenant = "fabrikam.example" }

        #expect(result.accessToken == "guest")
        #expect(story.service.messages.last?.url.path().hasPrefix("/fabrikam.example/") == true)
        #expect(try await story.silent().accessToken == "at-1")
    }

    @Test func `an authority of many tenants uses the user's own`() async throws {
        let issuer: [String: JSONValue] = ["issuer": .string("https://login.microsoftonline.com/{tenantid}/v2.0")]
        let story = try WebAppStory(SignInService(metadata: issuer), authority: .organizations)
        try await story.signIn()
        #expect(try await story.silent().source == .cache)
        story.service.append(SignInService.tokens(access: "at-2"))
        _ = try await story.silent { $0.forceRefresh = true }

        #expect(story.service.messages.last?.url.path().hasPrefix("/\(SignInService.tenant)/") == true)
    }

    @Test(arguments: [
        "https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/b2c_1_signin", "https://contoso.ciamlogin.com",
    ])
    func `users of B2C and External ID are signed in and renewed at their authority`(_ address: String) async throws {
        let story = try WebAppStory(authority: .url(address))
        try await story.signIn()
        #expect(try await story.silent().source == .cache)
        story.service.append(SignInService.tokens(access: "at-2"))
        let renewed = try await story.silent { $0.forceRefresh = true }

        #expect(renewed.accessToken == "at-2")
        for message in story.service.messages {
            #expect(message.url.absoluteString.hasPrefix(address))
        }
    }

    @Test func `no user is known before the sign-in, and after the tokens were removed`() async throws {
        let story = try WebAppStory()
        let before = try await failure { () async throws(MSALTokenError) in try await story.silent() }
        try await story.signIn()
        await story.application.removeTokens(homeAccountIdentifier: SignInService.homeAccountID)
        let after = try await failure { () async throws(MSALTokenError) in try await story.silent() }

        #expect(before.kind == .accountNotFound)
        #expect(after.kind == .accountNotFound)
        #expect(before.code == -50002)
        try story.service.verify()
    }

    @Test func `an error that requires interaction has its kind, and keeps the valid tokens`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        story.service.append(SignInService.refusal("interaction_required", suberror: "basic_action", code: 50076))
        let error = try await failure { () async throws(MSALTokenError) in try await story.silent(["Mail.Read"]) }

        #expect(error.kind == .interactionRequired)
        #expect(error.needsUser)
        #expect(try await story.silent().accessToken == "at-1")
    }

    @Test func `a used refresh token is not sent twice`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        story.service.append(SignInService.refusal("invalid_grant", suberror: "bad_token"))
        for _ in 0..<2 {
            let error = try await failure { () async throws(MSALTokenError) in
                try await story.silent { $0.forceRefresh = true }
            }
            #expect(error.kind == .interactionRequired)
        }

        #expect(story.service.forms.count == 2)
    }

    @Test func `a deleted user is forgotten`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        story.service.append(SignInService.refusal("invalid_grant", suberror: "user_account_deleted"))
        _ = try await failure { () async throws(MSALTokenError) in try await story.silent(["Mail.Read"]) }
        let error = try await failure { () async throws(MSALTokenError) in try await story.silent() }

        #expect(error.kind == .accountNotFound)
    }

    @Test func `a pause that the service names is observed, for this user and these scopes`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        story.service.append(
            .json(#"{"error":"throttled"}"#, status: 429, headers: ["Retry-After": "30"], to: "/token")
        )
        for _ in 0..<3 {
            let error = try await failure { () async throws(MSALTokenError) in try await story.silent(["Mail.Read"]) }
            #expect(error.kind == .throttled)
        }
        #expect(story.service.forms.count == 2)
        story.service.append(SignInService.tokens(access: "files", scope: "Files.Read"))
        #expect(try await story.silent(["Files.Read"]).accessToken == "files")
        story.time.advance(by: .seconds(31))
        story.service.append(SignInService.tokens(access: "mail", scope: "Mail.Read"))
        #expect(try await story.silent(["Mail.Read"]).accessToken == "mail")
    }

    @Test func `scopes that are not granted are named`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        story.service.append(SignInService.tokens(access: "at-2"))
        let error = try await failure { () async throws(MSALTokenError) in try await story.silent(["Mail.Send"]) }

        #expect(error.kind == .consentRequired)
        #expect(error.message.contains("Mail.Send"))
    }

    @Test(
        arguments: [
            ["client_info": .string(SignInService.clientInfo(user: "somebody-else"))], ["id_token": .string("x")],
        ] as [[String: JSONValue]]
    )
    func `a refresh response for another user keeps nothing`(_ changes: [String: JSONValue]) async throws {
        let story = try WebAppStory()
        try await story.signIn()
        story.service.append(SignInService.tokens(access: "at-2", changes: changes))
        let error = try await failure { () async throws(MSALTokenError) in
            try await story.silent { $0.forceRefresh = true }
        }

        #expect(error.kind == .invalidResponse)
        #expect(try await story.silent().accessToken == "at-1")
    }

    @Test(arguments: ["sub", "oid", "aud", "iss"])
    func `the ID token of a refresh must be of the same user, client and issuer`(_ claim: String) async throws {
        let story = try WebAppStory()
        try await story.signIn()
        let idToken = try story.service.idToken(
            nonce: nil,
            at: story.time.now,
            changes: [claim: .string("https://other.example")]
        )
        story.service.append(SignInService.tokens(access: "at-2", idToken: idToken))
        let error = try await failure { () async throws(MSALTokenError) in
            try await story.silent { $0.forceRefresh = true }
        }

        #expect(error.kind == .invalidResponse)
    }

    @Test func `two application objects that share a memory share the users`() async throws {
        let cache = MSALTokenCache()
        let first = try WebAppStory(cache: cache)
        let second = try WebAppStory(cache: cache)
        try await first.signIn()

        #expect(try await second.silent().accessToken == "at-1")
    }

    @Test func `past its refresh time a token is returned while its successor is fetched`() async throws {
        let story = try WebAppStory()
        try await story.signIn(changes: ["refresh_in": .integer(1800)])
        story.time.advance(by: .seconds(1900))
        let isFetched = OneShot<Void>()
        story.service.append(
            ScriptedTransport.Response("the successor") { _ in
                isFetched.settle(())
                return HTTPResponse(
                    status: 200,
                    body: Data(#"{"access_token":"at-2","expires_in":3600,"scope":"User.Read"}"#.utf8)
                )
            }
        )
        let result = try await story.silent()

        #expect(result.accessToken == "at-1")
        #expect(result.source == .cache)
        await isFetched.value(ifCancelled: ())
        while try await story.silent().accessToken != "at-2" { await Task.yield() }
    }
}

struct UserRenewalTests {
    /// A response that waits until the test opens the gate, and reports when it is requested.
    private func held(
        _ access: String,
        asked: OneShot<Void>,
        gate: OneShot<Void>,
        refresh: String = "rt-2",
        scope: String = "User.Read"
    ) -> ScriptedTransport.Response {
        ScriptedTransport.Response(access) { _ in
            asked.settle(())
            await gate.value(ifCancelled: ())
            let text = """
                {"access_token":"\(access)","expires_in":3600,"scope":"\(scope)","refresh_token":"\(refresh)"}
                """
            return HTTPResponse(status: 200, body: Data(text.utf8))
        }
    }

    @Test func `equal calls share one request`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        let (asked, gate) = (OneShot<Void>(), OneShot<Void>())
        story.service.append(held("at-2", asked: asked, gate: gate, scope: "Mail.Read"))

        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await story.silent(["Mail.Read"]).accessToken } }
            await asked.value(ifCancelled: ())
            gate.settle(())
            for try await token in group { #expect(token == "at-2") }
        }
        #expect(story.service.forms.count == 2)
    }

    @Test func `calls for other scopes follow, with the newest refresh token`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        let (asked, gate) = (OneShot<Void>(), OneShot<Void>())
        story.service.append(held("mail", asked: asked, gate: gate, scope: "Mail.Read"))
        async let mail = story.silent(["Mail.Read"])
        await asked.value(ifCancelled: ())
        story.service.append(SignInService.tokens(access: "files", refresh: "rt-3", scope: "Files.Read"))
        async let files = story.silent(["Files.Read"])
        gate.settle(())

        #expect(try await mail.accessToken == "mail")
        #expect(try await files.accessToken == "files")
        #expect(story.service.forms.map { $0["refresh_token"] } == [nil, "rt-1", "rt-2"])
    }

    @Test func `a refresh that ends after the sign-out keeps nothing`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        let (asked, gate) = (OneShot<Void>(), OneShot<Void>())
        story.service.append(held("at-2", asked: asked, gate: gate))
        async let late = story.silent { $0.forceRefresh = true }
        await asked.value(ifCancelled: ())
        await story.application.removeTokens(homeAccountIdentifier: SignInService.homeAccountID)
        gate.settle(())
        _ = try await late
        let error = try await failure { () async throws(MSALTokenError) in try await story.silent() }

        #expect(error.kind == .accountNotFound)
    }

    @Test func `a sign-in during a refresh determines the refresh token`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        let (asked, gate) = (OneShot<Void>(), OneShot<Void>())
        story.service.append(held("at-2", asked: asked, gate: gate, refresh: "rt-old"))
        async let late = story.silent { $0.forceRefresh = true }
        await asked.value(ifCancelled: ())
        try await story.signIn(refresh: "rt-new")
        gate.settle(())
        _ = try await late
        story.service.append(SignInService.tokens(access: "at-4"))
        _ = try await story.silent { $0.forceRefresh = true }

        #expect(story.service.forms.last?["refresh_token"] == "rt-new")
    }
}

struct UserMemoryTests {
    @Test func `a user without activity for a day is forgotten`() async throws {
        let story = try WebAppStory()
        try await story.signIn(changes: ["expires_in": .integer(200_000)])
        story.time.advance(by: .seconds(86_000))
        _ = try await story.silent()
        story.time.advance(by: .seconds(86_000))
        _ = try await story.silent()
        story.time.advance(by: .seconds(86_400))
        let error = try await failure { () async throws(MSALTokenError) in try await story.silent() }

        #expect(error.kind == .accountNotFound)
        #expect(story.application.configuration.cache.userTokens.size == (0, 0))
    }

    @Test func `an infinite idle time forgets no user`() {
        var limits = MSALUserTokenLimits()
        limits.idleTime = .seconds(Int64.max)
        let cache = UserTokenCache(limits: limits)
        let client = AccessTokenCache().partition(environment: "login.microsoftonline.com", clientID: "c")
        let key = UserTokenCache.Key(client: client, homeAccountID: "u.t")
        let query = UserTokenCache.Query(realm: "t", scopes: ScopeSet(["User.Read"]))
        let token = CachedAccessToken(accessToken: Secret("at"), life: .init(until: 1_000_000), scopes: ["User.Read"])
        let user = TokenUser(homeAccountID: "u.t", claims: [:])
        cache.signIn(user, as: key, token: token, for: query, refreshToken: nil, at: 1)

        #expect(cache.token(of: key, for: query, at: 900_000) != nil)
    }

    @Test func `beyond the limit the least recently used users are removed`() {
        var limits = MSALUserTokenLimits()
        limits.maximumBytes = 100_000
        let cache = UserTokenCache(limits: limits)
        let client = AccessTokenCache().partition(environment: "login.microsoftonline.com", clientID: "c")
        let query = UserTokenCache.Query(realm: "t", scopes: ScopeSet(["User.Read"]))
        func key(_ number: Int) -> UserTokenCache.Key {
            UserTokenCache.Key(client: client, homeAccountID: "\(number).t")
        }
        func signIn(_ number: Int) {
            let user = TokenUser(homeAccountID: "\(number).t", claims: [:])
            let token = CachedAccessToken(
                accessToken: Secret("at"),
                life: .init(until: 10_000),
                scopes: ["User.Read"],
                user: user
            )
            let now = Int64(number)
            cache.signIn(user, as: key(number), token: token, for: query, refreshToken: Secret("rt"), at: now)
        }
        for number in 0..<30 { signIn(number) }
        #expect(cache.token(of: key(0), for: query, at: 100) != nil)
        for number in 101..<120 { signIn(number) }

        #expect(cache.size.bytes <= 100_000)
        #expect(cache.token(of: key(0), for: query, at: 200) != nil)
        #expect(cache.token(of: key(1), for: query, at: 200) == nil)
        #expect(cache.token(of: key(119), for: query, at: 200) != nil)
    }

    @Test func `the sum of bytes is zero when all users are gone`() async throws {
        let story = try WebAppStory()
        try await story.signIn()
        try await story.signIn(access: "at-longer", refresh: "rt-longer")
        story.service.append(SignInService.tokens(access: "at-2", refresh: "rt"))
        _ = try await story.silent { $0.forceRefresh = true }
        let cache = story.application.configuration.cache.userTokens
        #expect(cache.size.users == 1)
        await story.application.removeTokens(homeAccountIdentifier: SignInService.homeAccountID.uppercased())

        #expect(cache.size == (0, 0))
    }
}
