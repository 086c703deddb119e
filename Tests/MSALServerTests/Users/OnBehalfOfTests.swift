// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport
import Testing

struct OnBehalfOfTests {
    private let service = SignInService()
    private static let scope = "https://graph.microsoft.com/User.Read"

    private func story(
        authority: MSALServerAuthority = .tenant(SignInService.tenant),
        cache: MSALTokenCache = MSALTokenCache(),
        configure: (inout MSALConfidentialClientConfiguration) throws -> Void = { _ in }
    ) throws -> WebAppStory {
        try WebAppStory(service, authority: authority, cache: cache, configure: configure)
    }

    /// A response for the scope of these tests.
    private func append(_ access: String, scope: String = scope, changes: [String: JSONValue] = [:]) {
        service.append(SignInService.tokens(access: access, scope: scope, changes: changes))
    }

    /// The same response, which arrives when the flag is set.
    private func append(_ access: String, heldUntil flag: AtomicFlag, for scope: String = scope) {
        let text = #"{"token_type":"Bearer","expires_in":3600,"access_token":"\#(access)","scope":"\#(scope)"}"#
        service.append(
            ScriptedTransport.Response("held", to: { $0.form["scope"]?.contains(scope) == true }) { _ in
                while !flag.isSet { await Task.yield() }
                return HTTPResponse(status: 200, body: Data(text.utf8))
            }
        )
    }

    // MARK: The memory

    @Test func `the same incoming token returns the same token`() async throws {
        let application = try story().application
        append("at-1")

        let first = try await application.token(onBehalfOf: .example(), scopes: [Self.scope])
        let second = try await application.token(onBehalfOf: .example(), scopes: [Self.scope])

        #expect([first.source, second.source] == [.service, .cache])
        #expect(second.accessToken == "at-1")
        #expect(first.homeAccountIdentifier == SignInService.homeAccountID)
        try service.verify()
    }

    @Test func `another incoming token of the same user calls the service`() async throws {
        let application = try story().application
        append("at-1")
        append("at-2")

        _ = try await application.token(onBehalfOf: .example(mark: "1"), scopes: [Self.scope])
        let other = try await application.token(onBehalfOf: .example(mark: "2"), scopes: [Self.scope])

        #expect(other.accessToken == "at-2")
    }

    @Test func `neither the application nor a signed-in user gets a token of a caller`() async throws {
        let story = try story()
        append("at-caller", scope: "User.Read")
        _ = try await story.application.token(onBehalfOf: .example(), scopes: ["User.Read"])

        append("at-app")
        let own = try await story.application.acquireTokenForClient(scopes: ["https://graph.microsoft.com/.default"])
        let user = try await failure { () async throws(MSALTokenError) in try await story.silent(["User.Read"]) }

        #expect(own.accessToken == "at-app")
        #expect(user.kind == .accountNotFound)
    }

    @Test func `two clients that share a memory share no token`() async throws {
        let cache = MSALTokenCache()
        let first = try story(cache: cache).application
        let second = try story(cache: cache) { $0.clientId = "another-client" }.application
        append("at-1")
        append("at-2")

        _ = try await first.token(onBehalfOf: .example(), scopes: [Self.scope])
        let other = try await second.token(onBehalfOf: .example(), scopes: [Self.scope])

        #expect(other.accessToken == "at-2")
    }

    @Test func `a token is not returned beyond the end of the incoming one`() async throws {
        let story = try story()
        let end = story.time.wholeSeconds + 600
        let incoming = IncomingToken.example(["exp": .integer(end)])
        append("at-1")
        append("at-2")

        _ = try await story.application.token(onBehalfOf: incoming, scopes: [Self.scope])
        story.time.advance(by: .seconds(599))
        let held = try await story.application.token(onBehalfOf: incoming, scopes: [Self.scope])
        story.time.advance(by: .seconds(1))
        let after = try await story.application.token(onBehalfOf: incoming, scopes: [Self.scope])

        #expect(held.source == .cache)
        #expect(after.source == .service && after.reason == .expired)
    }

    @Test func `a token is not returned in its last five minutes`() async throws {
        let story = try story()
        let incoming = IncomingToken.example(["exp": .integer(story.time.wholeSeconds + 86_400)])
        append("at-1")
        append("at-2")

        _ = try await story.application.token(onBehalfOf: incoming, scopes: [Self.scope])
        story.time.advance(by: .seconds(3300))
        let after = try await story.application.token(onBehalfOf: incoming, scopes: [Self.scope])

        #expect(after.accessToken == "at-2")
    }

    @Test func `equal calls share one request, and others do not wait for it`() async throws {
        let application = try story().application
        let mayAnswer = AtomicFlag()
        append("at-1", heldUntil: mayAnswer)
        append("at-2", scope: "https://graph.microsoft.com/Mail.Read")

        async let all = withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await application.token(onBehalfOf: .example(), scopes: [Self.scope]).accessToken
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        try await until(application.configuration.cache.onBehalfOfTokens.flights.callers == 20)
        let other = try await application.token(
            onBehalfOf: .example(),
            scopes: ["https://graph.microsoft.com/Mail.Read"]
        )
        mayAnswer.set()

        #expect(other.accessToken == "at-2")
        #expect(try await all == [String](repeating: "at-1", count: 20))
        try service.verify()
    }

    @Test func `a caller that disconnects does not affect the others`() async throws {
        let application = try story().application
        let mayAnswer = AtomicFlag()
        append("at-1", heldUntil: mayAnswer)
        let tasks = (0..<2).map { _ in
            Task { try await application.token(onBehalfOf: .example(), scopes: [Self.scope]).accessToken }
        }
        let flights = application.configuration.cache.onBehalfOfTokens.flights
        try await until(flights.callers == 2)

        tasks[0].cancel()
        try await until(flights.callers == 1)
        mayAnswer.set()

        #expect(try await tasks[1].value == "at-1")
        let error = try await tokenFailure { _ = try await tasks[0].value }
        #expect(error?.kind == .cancelled)
    }

    @Test func `claims bypass the memory and replace its token`() async throws {
        let application = try story().application
        append("at-1")
        append("at-2")
        var options = MSALTokenOptions()
        options.claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

        _ = try await application.token(onBehalfOf: .example(), scopes: [Self.scope])
        let asked = try await application.token(onBehalfOf: .example(), scopes: [Self.scope], options: options)
        let held = try await application.token(onBehalfOf: .example(), scopes: [Self.scope])

        #expect(asked.reason == .claims)
        #expect([asked.accessToken, held.accessToken] == ["at-2", "at-2"])
        #expect(service.forms.last?["claims"]?.contains("acrs") == true)
    }

    @Test func `the successor of a token is fetched in the background`() async throws {
        let story = try story()
        append("at-1", changes: ["refresh_in": .integer(1800)])
        append("at-2")

        _ = try await story.application.token(onBehalfOf: .example(), scopes: [Self.scope])
        story.time.advance(by: .seconds(1801))
        let old = try await story.application.token(onBehalfOf: .example(), scopes: [Self.scope])
        try await until(service.forms.count == 2)
        while try await story.application.token(onBehalfOf: .example(), scopes: [Self.scope]).accessToken != "at-2" {
            await Task.yield()
        }

        #expect(old.accessToken == "at-1" && old.source == .cache)
    }

    @Test func `a pause that the service names is observed`() async throws {
        let story = try story()
        service.append(
            .json(#"{"error":"temporarily_unavailable"}"#, status: 429, headers: ["Retry-After": "20"], to: "/token")
        )
        append("at-1")

        let first = try await failure { () async throws(MSALTokenError) in
            try await story.application.token(onBehalfOf: .example(), scopes: [Self.scope])
        }
        let second = try await failure { () async throws(MSALTokenError) in
            try await story.application.token(onBehalfOf: .example(), scopes: [Self.scope])
        }
        #expect(service.forms.count == 1)
        story.time.advance(by: .seconds(21))
        let third = try await story.application.token(onBehalfOf: .example(), scopes: [Self.scope])

        #expect([first.kind, second.kind] == [.throttled, .throttled])
        #expect(third.accessToken == "at-1")
    }

    @Test func `three hundred incoming tokens of a client fit into the default memory`() async throws {
        let cache = MSALTokenCache()
        let application = try story(cache: cache).application
        let text = String(repeating: "a", count: 8000)
        for number in 0..<300 { append("\(text)\(number)") }

        for number in 0..<300 {
            _ = try await application.token(onBehalfOf: .example(mark: "\(number)"), scopes: [Self.scope])
        }
        for number in 0..<300 {
            let held = try await application.token(onBehalfOf: .example(mark: "\(number)"), scopes: [Self.scope])
            #expect(held.source == .cache)
        }
    }

    @Test func `a memory stays within its limit, and keeps the most recently used tokens`() async throws {
        var limits = MSALUserTokenLimits()
        limits.maximumBytes = 100_000
        let cache = MSALTokenCache(users: limits)
        let story = try story(cache: cache)
        for number in 0..<100 {
            append("at-\(number)" + String(repeating: "a", count: 1000))
            _ = try await story.application.token(onBehalfOf: .example(mark: "\(number)"), scopes: [Self.scope])
            story.time.advance(by: .seconds(1))
        }

        let last = try await story.application.token(onBehalfOf: .example(mark: "99"), scopes: [Self.scope])

        #expect(last.source == .cache)
        #expect(cache.onBehalfOfTokens.size.bytes <= limits.maximumBytes)
        #expect(cache.onBehalfOfTokens.size.assertions > 10)
    }

    // MARK: The request

    @Test func `with the authority of all organizations the caller's tenant is requested`() async throws {
        let application = try story(authority: .organizations).application
        append("at-1")

        let result = try await application.token(onBehalfOf: .example(), scopes: [Self.scope])

        #expect(service.messages.last?.url.path() == "/\(SignInService.tenant)/oauth2/v2.0/token")
        #expect(result.tenantIdentifier == SignInService.tenant)
    }

    @Test func `without a tenant in either nothing is sent`() async throws {
        let application = try story(authority: .organizations).application

        let error = try await failure { () async throws(MSALTokenError) in
            try await application.token(onBehalfOf: .example(["tid": .null]), scopes: [Self.scope])
        }

        #expect(error.kind == .tenantRequired)
        #expect(service.messages.isEmpty)
    }

    @Test(
        arguments: [
            ["idtyp": .string("app")],
            ["scp": .null, "sub": .string(SignInService.user)],
            ["scp": .string(""), "sub": .string(SignInService.user)],
        ] as [[String: JSONValue]]
    )
    func `an application's token is rejected before any request`(_ claims: [String: JSONValue]) async throws {
        let application = try story().application

        let error = try await failure { () async throws(MSALTokenError) in
            try await application.token(onBehalfOf: .example(claims), scopes: [Self.scope])
        }

        #expect(error.kind == .userAssertionIsApplication)
        #expect(service.messages.isEmpty)
    }

    @Test func `an expired incoming token is rejected before any request`() async throws {
        let story = try story()
        let incoming = IncomingToken.example(["exp": .integer(story.time.wholeSeconds - 301)])

        let error = try await failure { () async throws(MSALTokenError) in
            try await story.application.token(onBehalfOf: incoming, scopes: [Self.scope])
        }

        #expect(error.kind == .invalidAssertion)
        #expect(service.messages.isEmpty)
    }

    @Test(arguments: [[], ["openid"], [" "]])
    func `scopes that no API has are rejected before any request`(_ scopes: [String]) async throws {
        let application = try story().application

        let error = try await failure { () async throws(MSALTokenError) in
            try await application.token(onBehalfOf: .example(), scopes: scopes)
        }

        #expect(error.kind == .invalidScopes)
        #expect(service.messages.isEmpty)
    }

    // MARK: The response

    @Test func `an interaction that the user has to perform is part of the error`() async throws {
        let application = try story().application
        let claims = #"{"access_token":{"capolids":{"essential":true,"values":["3e53"]}}}"#
        let refusal = JSONValue.object([
            "error": .string("interaction_required"), "error_codes": .array([.integer(50076)]),
            "claims": .string(claims),
        ])
        service.append(.json(refusal.text, status: 400, to: "/token"))

        let error = try await failure { () async throws(MSALTokenError) in
            try await application.token(onBehalfOf: .example(), scopes: [Self.scope])
        }

        #expect(error.kind == .interactionRequired)
        #expect(error.claims == claims)
    }

    @Test(arguments: [
        (50013, "invalidAssertion"), (500133, "invalidAssertion"), (65001, "consentRequired"),
        (7_000_114, "userAssertionIsApplication"),
    ])
    func `an error response has its kind`(_ code: Int, _ kind: String) async throws {
        let application = try story().application
        service.append(SignInService.refusal("invalid_grant", code: code))

        let error = try await failure { () async throws(MSALTokenError) in
            try await application.token(onBehalfOf: .example(), scopes: [Self.scope])
        }

        #expect(error.kind.rawValue == kind)
    }

    @Test func `tokens of another user are rejected`() async throws {
        let story = try story()
        let idToken = try service.idToken(nonce: nil, at: story.time.now, changes: ["oid": .string("somebody-else")])
        service.append(SignInService.tokens(access: "at-1", scope: Self.scope, idToken: idToken))

        let error = try await failure { () async throws(MSALTokenError) in
            try await story.application.token(onBehalfOf: .example(), scopes: [Self.scope])
        }

        #expect(error.kind == .invalidResponse)
        #expect(story.application.configuration.cache.onBehalfOfTokens.size.assertions == 0)
    }

    @Test func `a scope that was not granted yields no token`() async throws {
        let application = try story().application
        let scopes = [Self.scope, "https://graph.microsoft.com/Mail.Read"]
        append("at-1")
        append("at-2")

        for _ in 0..<2 {
            let error = try await failure { () async throws(MSALTokenError) in
                try await application.token(onBehalfOf: .example(), scopes: scopes)
            }
            #expect(error.kind == .consentRequired)
        }
        let granted = try await application.token(onBehalfOf: .example(), scopes: [Self.scope])

        #expect(granted.source == .cache)
    }

    @Test func `neither errors nor descriptions contain a token`() async throws {
        let application = try story().application
        let incoming = IncomingToken.example()
        let words = "The assertion \(incoming.assertion.exposed) is not valid."
        let refusal = JSONValue.object([
            "error": .string("invalid_grant"), "error_codes": .array([.integer(50013)]),
            "error_description": .string(words),
        ])
        service.append(.json(refusal.text, status: 400, to: "/token"))

        let error = try await failure { () async throws(MSALTokenError) in
            try await application.token(onBehalfOf: incoming, scopes: [Self.scope])
        }

        var dumped = ""
        dump(incoming, to: &dumped)
        for text in [dumped, "\(incoming)", "\(error)", error.debugDescription] {
            #expect(!text.contains(incoming.assertion.exposed))
        }
    }
}
