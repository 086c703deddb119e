// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

struct LongRunningTests {
    private let service = SignInService()
    private static let scope = "https://graph.microsoft.com/User.Read"
    private static let owner = SessionOwner(tenant: SignInService.tenant, objectID: SignInService.user)

    private func story(cache: MSALTokenCache = MSALTokenCache(), clientId: String? = nil) throws -> WebAppStory {
        try WebAppStory(service, authority: .organizations, cache: cache) { $0.clientId = clientId ?? $0.clientId }
    }

    private func append(_ access: String, refresh: String? = "rt-1", changes: [String: JSONValue] = [:]) {
        service.append(SignInService.tokens(access: access, refresh: refresh, scope: Self.scope, changes: changes))
    }

    private func start(
        _ story: WebAppStory,
        _ incoming: IncomingToken = .example(),
        session: MSALSessionKey? = nil
    ) async throws(MSALTokenError) -> MSALLongRunningStart {
        try await story.application.longRunningStart(onBehalfOf: incoming, scopes: [Self.scope], session: session)
    }

    private func token(
        _ story: WebAppStory,
        in session: MSALSessionKey,
        of owner: SessionOwner? = nil
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await story.application.token(inLongRunning: session, of: owner, scopes: [Self.scope])
    }

    @Test func `a session outlives the incoming token, and redeems each refresh token once`() async throws {
        let story = try story()
        let incoming = IncomingToken.example(["exp": .integer(story.time.wholeSeconds + 600)])
        append("at-1", refresh: "rt-1")
        append("at-2", refresh: "rt-2")
        append("at-3", refresh: "rt-3")

        let begin = try await start(story, incoming)
        let held = try await token(story, in: begin.session)
        story.time.advance(by: .seconds(3500))
        let second = try await token(story, in: begin.session, of: Self.owner)
        story.time.advance(by: .seconds(3500))
        let third = try await token(story, in: begin.session)

        #expect(begin.token.source == .service)
        #expect(held.source == .cache && held.accessToken == "at-1")
        #expect([second.accessToken, third.accessToken] == ["at-2", "at-3"])
        #expect(service.forms.map { $0["refresh_token"] } == [nil, "rt-1", "rt-2"])
        #expect(service.messages.allSatisfy { $0.url.path().contains(SignInService.tenant) })
    }

    @Test func `a session can be used for other scopes of its user`() async throws {
        let story = try story()
        append("at-1")
        service.append(SignInService.tokens(access: "at-2", scope: "https://graph.microsoft.com/Mail.Read"))

        let begin = try await start(story)
        let mail = try await story.application.token(
            inLongRunning: begin.session,
            of: nil,
            scopes: ["https://graph.microsoft.com/Mail.Read"]
        )
        let first = try await token(story, in: begin.session)

        #expect(mail.accessToken == "at-2")
        #expect(first.source == .cache)
    }

    @Test func `a key of the library is long, random, and not printed`() async throws {
        let story = try story()
        append("at-1")
        append("at-1")

        let keys = [try await start(story).session, try await start(story).session]

        #expect(keys[0] != keys[1])
        #expect(keys.allSatisfy { $0.text.utf8.count == 43 })
        var dumped = ""
        dump(keys[0], to: &dumped)
        for text in [dumped, "\(keys[0])", String(reflecting: keys[0])] { #expect(!text.contains(keys[0].text)) }
    }

    @Test(arguments: [0, 1, 15, 1025])
    func `a key of another length is rejected`(_ length: Int) throws {
        let error = try #require(throws: MSALTokenError.self) {
            try MSALSessionKey(String(repeating: "k", count: length))
        }
        #expect(error.kind == .configuration)
    }

    @Test func `an unknown key opens no session`() async throws {
        let story = try story()
        let unknown = try MSALSessionKey("a key that nobody has begun")

        let error = try await failure { () async throws(MSALTokenError) in try await token(story, in: unknown) }

        #expect(error.kind == .sessionNotFound)
        #expect(service.messages.isEmpty)
    }

    @Test(arguments: [
        SessionOwner(tenant: SignInService.tenant, objectID: "somebody-else"),
        SessionOwner(tenant: "another-tenant", objectID: SignInService.user),
        SessionOwner(tenant: SignInService.tenant, objectID: nil),
    ])
    func `a key of another user opens no session`(_ owner: SessionOwner) async throws {
        let story = try story()
        append("at-1")
        let begin = try await start(story)

        let error = try await failure { () async throws(MSALTokenError) in
            try await token(story, in: begin.session, of: owner)
        }

        #expect(error.kind == .sessionNotFound)
        #expect(service.messages.count == 1)
    }

    @Test func `a key of another client opens no session`() async throws {
        let cache = MSALTokenCache()
        append("at-1")
        let begin = try await start(try story(cache: cache))

        let error = try await failure { () async throws(MSALTokenError) in
            try await token(try other(cache), in: begin.session)
        }

        #expect(error.kind == .sessionNotFound)
    }

    private func other(_ cache: MSALTokenCache) throws(MSALTokenError) -> WebAppStory {
        do {
            return try story(cache: cache, clientId: "another-client")
        } catch {
            throw MSALTokenError(.configuration, message: "The story could not be created.")
        }
    }

    @Test func `a key of another user cannot be taken over`() async throws {
        let story = try story()
        let key = try MSALSessionKey("a key of the application's own")
        append("at-1")
        append("at-stranger", changes: ["client_info": .string(SignInService.clientInfo(user: "somebody-else"))])
        _ = try await start(story, session: key)

        let error = try await failure { () async throws(MSALTokenError) in
            try await start(story, .example(["oid": .string("somebody-else")]), session: key)
        }
        let held = try await token(story, in: key)

        #expect(error.kind == .sessionNotFound)
        #expect(held.accessToken == "at-1")
    }

    @Test func `the same user can restart a session`() async throws {
        let story = try story()
        let key = try MSALSessionKey("a key of the application's own")
        append("at-1", refresh: "rt-1")
        append("at-2", refresh: "rt-2")
        append("at-3")

        _ = try await start(story, session: key)
        _ = try await start(story, .example(mark: "2"), session: key)
        let held = try await token(story, in: key)
        story.time.advance(by: .seconds(3500))
        _ = try await token(story, in: key)

        #expect(held.accessToken == "at-2")
        #expect(service.forms.last?["refresh_token"] == "rt-2")
    }

    @Test func `a session that was ended is gone`() async throws {
        let story = try story()
        append("at-1")
        let begin = try await start(story)

        try await story.application.endLongRunning(begin.session)
        let error = try await failure { () async throws(MSALTokenError) in try await token(story, in: begin.session) }

        #expect(error.kind == .sessionNotFound)
    }

    @Test func `a revoked refresh token is not tried again`() async throws {
        let story = try story()
        append("at-1")
        service.append(SignInService.refusal("invalid_grant", suberror: "bad_token", code: 50173))
        let begin = try await start(story)
        story.time.advance(by: .seconds(3500))

        let first = try await failure { () async throws(MSALTokenError) in try await token(story, in: begin.session) }
        let second = try await failure { () async throws(MSALTokenError) in try await token(story, in: begin.session) }

        #expect([first.kind, second.kind] == [.interactionRequired, .interactionRequired])
        #expect(service.messages.count == 2)
    }

    @Test func `a session without use for 90 days is gone`() async throws {
        let story = try story()
        append("at-1")
        append("at-2")
        let begin = try await start(story)

        story.time.advance(by: .seconds(89 * 86_400))
        let used = try await token(story, in: begin.session)
        story.time.advance(by: .seconds(91 * 86_400))
        let error = try await failure { () async throws(MSALTokenError) in try await token(story, in: begin.session) }

        #expect(used.accessToken == "at-2")
        #expect(error.kind == .sessionNotFound)
    }

    @Test func `an application's token begins no session`() async throws {
        let story = try story()

        let error = try await failure { () async throws(MSALTokenError) in
            try await start(story, .example(["idtyp": .string("app")]))
        }

        #expect(error.kind == .userAssertionIsApplication)
        #expect(service.messages.isEmpty)
    }
}
