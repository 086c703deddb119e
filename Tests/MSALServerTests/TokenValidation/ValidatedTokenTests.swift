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

    @Test func `a token that a gateway has checked says whose it is`() throws {
        let token = try MSALValidatedToken(checkedElsewhere: user.text)

        #expect(token.tenant == "db5b5fab-8f4d-4e27-9da1-494c73cf256d")
        #expect(token.claims.client == "app")
        #expect(token.objectID == "person")
        #expect(token.kind == .user)
        #expect(token.claims.times.expiresOn == 1_790_003_000)
        #expect(token.accessToken == Secret(user.text))
    }

    @Test func `a token of an application has its own object for a subject, and no scope`() throws {
        let token = UnverifiedToken(claims: [
            "azp": .string("app"), "oid": .string("same"), "sub": .string("same"), "exp": .integer(1_790_003_000),
        ])

        #expect(try MSALValidatedToken(checkedElsewhere: token.text).kind == .application)
    }

    @Test(arguments: ["", "Bearer abc", "a.b.c", "e30.e30.", String(repeating: "e", count: 40_000)])
    func `a text that is no access token is refused`(_ text: String) async throws {
        let error = try await failure { () async throws(MSALTokenError) in
            try MSALValidatedToken(checkedElsewhere: text)
        }

        #expect(error.kind == .invalidAssertion)
    }

    @Test func `nothing of the token is printed`() throws {
        let token = try MSALValidatedToken(checkedElsewhere: user.text)
        var dumped = ""
        dump(token, to: &dumped)

        let printed = "\(token) \(String(reflecting: token)) \(dumped)"
        #expect(!printed.contains("person") && !printed.contains("eyJ") && !printed.contains(user.text))
    }

    @Test func `claims that are no JSON object do not come into a header`() throws {
        let asked = MSALTokenError(.interactionRequired, message: "A second factor.", claims: "\"\r\nX: 1")

        #expect(try #require(MSALClaimsChallenge(asked)).claims == nil)
        #expect(MSALClaimsChallenge(MSALTokenError(.network, message: "No connection.")) == nil)
    }

    @Test func `an authentication context is asked for as the service expects it`() {
        let challenge = MSALClaimsChallenge.authenticationContext("c1")

        #expect(challenge.claims == #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#)
    }
}

/// A token that nobody has signed.
struct UnverifiedToken {
    let text: String

    init(claims: [String: JSONValue]) {
        let parts = [JSONValue.object(["alg": .string("RS256")]), .object(claims)]
        text = parts.map { Base64URL.encode($0.text.utf8) + "." }.joined() + "c2ln"
    }
}
