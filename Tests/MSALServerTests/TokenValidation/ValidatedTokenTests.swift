// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import TestSupport
import Testing

struct ValidatedTokenTests {
    private let user = UnverifiedToken(claims: [
        "tid": .string("DB5B5FAB-8F4D-4E27-9DA1-494C73CF256D"), "azp": .string("app"), "oid": .string("person"),
        "sub": .string("pairwise"), "scp": .string("Orders.Read Orders.Write"), "exp": .integer(1_790_003_000),
        "preferred_username": .string("person@contoso.example"),
    ])

    @Test func `a token that a gateway has validated names its user`() throws {
        let token = try MSALValidatedToken(checkedElsewhere: user.text)

        #expect(token.tenant == "db5b5fab-8f4d-4e27-9da1-494c73cf256d")
        #expect(token.claims.client == "app")
        #expect(token.claims.objectID == "person")
        #expect(token.kind == .user)
        #expect(token.claims.times.expiresOn == 1_790_003_000)
        #expect(token.accessToken == Secret(user.text))
    }

    @Test(
        arguments: [
            "db5b5fab-8f4d-4e27-9da1-494c73cf256d", "DB5B5FAB-8F4D-4E27-9DA1-494C73CF256D", "person", "",
            "db5b5fab-8f4d-4e27-9da1-494c73cf256d ", "{db5b5fab-8f4d-4e27-9da1-494c73cf256}", nil,
        ]
    )
    func `the id of the user is returned as in the token`(_ text: String?) throws {
        #expect(TokenObjectID(text).text == text)
    }

    @Test func `the hash from the validation is used for calls on behalf of the user`() async throws {
        let api = try APIServer()
        let off = try APIServer { $0.maximumRememberedTokens = 0 }
        let text = try api.token()
        let hash = TokenDigest(of: Secret(text))

        for _ in 0..<2 { #expect(try await Self.token(of: text, at: api).digest == hash) }
        // Without the memory no hash exists.
        #expect(try await Self.token(of: text, at: off).digest == nil)
        #expect(try MSALValidatedToken(checkedElsewhere: text).digest == hash)
    }

    @Test func `a remembered token returns its own user, among others of the same client`()
        async throws
    {
        let api = try APIServer()
        let users = (0..<40).map { "db5b5fab-8f4d-4e27-9da1-0000000000\($0 + 10)" }

        for _ in 0..<2 {
            for (number, user) in users.enumerated() {
                let text = try api.token([
                    "oid": .string(user), "sub": .string("for this API \(number)"),
                    "scp": .string(number.isMultiple(of: 2) ? "Orders.Read" : "Orders.Write"),
                ])
                let principal = try await api.validator.validate(
                    authorization: ["Bearer \(text)"],
                    request: MSALRequestFacts()
                )
                #expect(principal.objectId == user)
                #expect(principal.subject == "for this API \(number)")
                #expect(principal.scopes == [number.isMultiple(of: 2) ? "Orders.Read" : "Orders.Write"])
                #expect(principal.tenant == TestIssuer.tenant)
            }
        }
        #expect(api.validator.rememberedTokens == users.count)
    }

    private static func token(of text: String, at api: APIServer) async throws -> MSALValidatedToken {
        try await api.validator.validate(authorization: ["Bearer \(text)"], request: MSALRequestFacts())
            .validatedToken
    }

    @Test func `a token of an application has its own object as subject, and no scope`() throws {
        let token = UnverifiedToken(claims: [
            "azp": .string("app"), "oid": .string("same"), "sub": .string("same"), "exp": .integer(1_790_003_000),
        ])

        #expect(try MSALValidatedToken(checkedElsewhere: token.text).kind == .application)
    }

    @Test(arguments: ["", "Bearer abc", "a.b.c", "e30.e30.", String(repeating: "e", count: 40_000)])
    func `a text that is not an access token is rejected`(_ text: String) async throws {
        let error = try await failure { () async throws(MSALTokenError) in
            try MSALValidatedToken(checkedElsewhere: text)
        }

        #expect(error.kind == .invalidAssertion)
    }

    @Test func `no part of the token is printed`() throws {
        let token = try MSALValidatedToken(checkedElsewhere: user.text)
        var dumped = ""
        dump(token, to: &dumped)

        let printed = "\(token) \(String(reflecting: token)) \(dumped)"
        #expect(!printed.contains("person") && !printed.contains("eyJ") && !printed.contains(user.text))
    }

    @Test func `claims that are not a JSON object are not sent in a header`() throws {
        let asked = MSALTokenError(kind: .interactionRequired, message: "A second factor.", claims: "\"\r\nX: 1")

        #expect(try #require(MSALClaimsChallenge(asked)).claims == nil)
        #expect(MSALClaimsChallenge(MSALTokenError(.network, message: "No connection.")) == nil)
    }

    @Test func `an authentication context is requested in the form of the service`() {
        let challenge = MSALClaimsChallenge.authenticationContext("c1")

        #expect(challenge.claims == #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#)
    }
}

/// An unsigned token.
struct UnverifiedToken {
    let text: String

    init(claims: [String: JSONValue]) {
        let parts = [JSONValue.object(["alg": .string("RS256")]), .object(claims)]
        text = parts.map { Base64URL.encode($0.text.utf8) + "." }.joined() + "c2ln"
    }
}
