// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer
import TestSupport
import Testing

/// An API on Hummingbird that gets tokens on behalf of its callers, and the responses to callers without one.
struct OnBehalfOfOverHTTPTests {
    private static let scope = "https://graph.microsoft.com/User.Read"
    private static let invalidToken = #"Bearer error="invalid_token""#

    private let service = SignInService()

    /// Runs the test with an API that exchanges tokens, and begins and continues sessions.
    private func run(_ body: (APIServer, APIClient) async throws -> Void) async throws {
        let api = try APIServer()
        let application = try MSALConfidentialClientApplication(
            configuration: MSALConfidentialClientConfiguration(
                clientId: SignInService.clientID,
                authority: .tenant(SignInService.tenant),
                credential: .secret("s~ecret")
            ),
            environment: .double(time: api.time, transport: service)
        )
        let router = Router(context: MSALAPIContext.self)
        let routes = router.group().add(middleware: MSALAuthenticator(api.validator))
        routes.get("exchange") { _, context in
            guard let caller = context.identity else { throw HTTPError(.unauthorized) }
            _ = try await application.acquireTokenOnBehalfOf(caller.validatedToken, scopes: [Self.scope])
            return HTTPResponse.Status.ok
        }
        routes.post("jobs") { _, context -> String in
            guard let caller = context.identity else { throw HTTPError(.unauthorized) }
            return try await application.startLongRunning(caller.validatedToken, scopes: [Self.scope]).session.text
        }
        routes.get("jobs/:key") { _, context in
            guard let caller = context.identity else { throw HTTPError(.unauthorized) }
            do throws(MSALTokenError) {
                let key = try MSALSessionKey(context.parameters.get("key") ?? "")
                _ = try await application.acquireToken(inLongRunning: key, of: caller, scopes: [Self.scope])
            } catch {
                guard error.kind == .sessionNotFound || error.kind == .configuration else { throw error }
                throw HTTPError(.notFound)
            }
            return HTTPResponse.Status.ok
        }
        try await api.run(router) { client in try await body(api, client) }
    }

    private func appendTokens() {
        service.append(SignInService.tokens(access: "at-1", scope: Self.scope))
    }

    @Test(.timeLimit(.minutes(1)))
    func `an application that calls a route for users is forbidden`() async throws {
        try await run { api, client in
            let token = try api.token([
                "scp": nil, "idtyp": .string("app"), "roles": .array([.string("Orders.Read.All")]),
            ])

            let answer = try await client.send("GET", "/exchange", bearer: token)

            #expect(answer.status == 403)
            #expect(answer.values("WWW-Authenticate") == [])
        }
        #expect(service.messages.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)))
    func `an ID token and an expired token are not exchanged`() async throws {
        try await run { api, client in
            for token in [
                try api.token(["azp": nil, "scp": nil, "nonce": .string("n")]),
                try api.token(["exp": .integer(1_789_999_700)]),
            ] {
                let answer = try await client.send("GET", "/exchange", bearer: token)

                #expect(answer.status == 401)
                #expect(answer.values("WWW-Authenticate") == [Self.invalidToken])
            }
        }
        #expect(service.messages.isEmpty)
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["no JSON", "[1]", #""text""#, #"{"access_token":"#])
    func `claims that are not an object are not part of a response`(_ claims: String) async throws {
        let refusal = JSONValue.object([
            "error": .string("interaction_required"), "error_codes": .array([.integer(50076)]),
            "claims": .string(claims),
        ])
        service.append(.json(refusal.text, status: 400, to: "/token"))
        try await run { api, client in
            let able = try api.token(["xms_cc": .array([.string("cp1")])])

            let answer = try await client.send("GET", "/exchange", bearer: able)

            #expect(answer.status == 401)
            #expect(answer.values("WWW-Authenticate") == [Self.invalidToken])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a token that the service rejects is rejected here`() async throws {
        service.append(SignInService.refusal("invalid_grant", code: 500_133))
        try await run { api, client in
            let answer = try await client.send("GET", "/exchange", bearer: try api.token())

            #expect(answer.status == 401)
            #expect(answer.values("WWW-Authenticate") == [Self.invalidToken])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a session opens for its own user only`() async throws {
        appendTokens()
        try await run { api, client in
            let begun = try await client.send("POST", "/jobs", bearer: try api.token())
            let key = try #require(begun.body.split(separator: "\r\n").map(String.init).first { $0.utf8.count == 43 })
            let path = "/jobs/\(key)"

            #expect(try await client.send("GET", path, bearer: try api.token()).status == 200)
            for (path, owner) in [
                (path, "somebody-else"), ("/jobs/a-key-that-nobody-has-begun", "person"), ("/jobs/short", "person"),
            ] {
                let answer = try await client.send("GET", path, bearer: try api.token(["oid": .string(owner)]))
                #expect(answer.status == 404)
                #expect(answer.values("WWW-Authenticate") == [])
                #expect(!answer.body.contains(key))
            }
        }
        #expect(service.messages.count == 1)
    }
}
