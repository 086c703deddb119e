// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import Testing

@testable import MSAL

/// The forms that a token response can have, and those that are rejected.
struct BrokerTokenReadingTests {
    private func read(
        _ changes: [String: JSONValue?],
        request: BrokerTokenRequest? = nil
    ) throws(BrokerFailure) -> BrokerToken {
        try BrokerResponse(BrokerSample.token(changes).text, to: .tokenSilently)
            .token(for: request ?? BrokerSample.request())
    }

    private func failure(_ changes: [String: JSONValue?], request: BrokerTokenRequest? = nil) -> BrokerFailure.Kind? {
        do throws(BrokerFailure) {
            _ = try read(changes, request: request)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test(arguments: [
        JSONValue.integer(1_767_695_142_000), .integer(1_767_695_142), .string("1767695142"), .string("1767695142000"),
        .number(1_767_695_142_000),
    ])
    func `a time is in milliseconds or in seconds, and a number or a text`(_ value: JSONValue) throws {
        let token = try read(["expiresOn": value])

        #expect(token.expiresOn == BrokerSample.expiry)
    }

    @Test func `the time in a readable token takes precedence over the broker's`() throws {
        let text = BrokerSample.token(["exp": .integer(1_800_000_000)])

        let token = try read(["accessToken": .string(text), "expiresOn": .integer(5)])

        #expect(token.expiresOn == Date(timeIntervalSince1970: 1_800_000_000))
    }

    @Test func `a token without a plausible time is rejected`() {
        let times: [JSONValue?] = [
            nil, .integer(0), .integer(-5), .string("soon"), .number(1e300), .integer(.max), .string("nan"),
            .bool(true),
        ]
        for time in times { #expect(failure(["expiresOn": time]) == .unreadable, "\(String(describing: time))") }
    }

    @Test func `scopes are one text or an array, and default to the requested ones`() throws {
        #expect(try read(["grantedScopes": .string("a  b ")]).scopes == ["a", "b"])
        #expect(
            try read(["grantedScopes": .array([.string("a"), .string("b c"), .integer(3)])]).scopes == ["a", "b", "c"]
        )
        #expect(try read(["grantedScopes": nil]).scopes == ["User.Read"])
        #expect(try read(["grantedScopes": .string("a\u{1B} b")]).scopes == ["b"])
    }

    @Test func `numbers may be texts, and unknown members are ignored`() throws {
        let token = try read([
            "accessTokenType": .string("0"), "future": .array([.object([:])]), "subError": .string(""),
        ])

        #expect(!token.isBound)
    }

    @Test func `the account comes from client info and ID token if the request names none`() throws {
        let token = try read(["account": nil])

        let account = try #require(token.account)
        #expect(account.homeAccountID == "\(BrokerSample.uid).\(BrokerSample.utid)")
        #expect(account.localAccountID == BrokerSample.uid)
        #expect(account.realm == BrokerSample.utid)
        #expect(account.environment == "login.microsoftonline.com")
        #expect(account.username == "megan@contoso.example")
        #expect(account.name == "Megan Bowen")
    }

    @Test func `a token of another account is rejected`() throws {
        let other = BrokerSample.encoded(["uid": .string("x"), "utid": .string("y")])
        var members = BrokerSample.account
        (members["homeAccountId"], members["clientInfo"]) = (.string("x.y"), .string(other))
        let request = BrokerSample.request(account: try BrokerSample.knownAccount())

        #expect(failure(["account": .object(members), "clientInfo": .string(other)], request: request) == .otherUser)
        #expect(failure(["account": nil, "clientInfo": .string(other)], request: request) == .otherUser)
        // The response contradicts itself.
        #expect(failure(["clientInfo": .string(other)]) == .otherUser)
        #expect(failure(["account": .object(["homeAccountId": .string("x")])]) == .unreadable)
    }

    @Test func `a token of another client is rejected`() {
        let other = BrokerSample.idToken(for: "00000000-0000-4000-8000-00000000000f")

        #expect(failure(["idToken": .string(other)]) == .unreadable)
    }

    @Test func `an ID token that cannot be parsed is ignored`() throws {
        #expect(try read(["idToken": .string("no token")]).idToken == nil)
        #expect(try read(["idToken": .string("")]).idToken == nil)
    }

    @Test func `a bearer token instead of a bound one is rejected`() throws {
        var request = BrokerSample.request()
        request.proof = BrokerSample.proof

        #expect(failure([:], request: request) == .unsupported)
        #expect(failure(["accessTokenType": nil], request: request) == .unsupported)
        #expect(failure(["accessTokenType": .integer(1)], request: request) == nil)
        #expect(failure(["accessTokenType": .integer(1)]) == .unreadable)
        #expect(failure(["accessTokenType": .integer(7)]) == .unreadable)
        #expect(failure(["accessTokenType": .string("pop")]) == .unreadable)
    }

    @Test func `an access token that cannot be sent in a header is rejected`() {
        let texts: [JSONValue?] = [
            nil, .null, .string(""), .string("a b"), .string("a\r\nX-Evil: 1"), .string("tök"), .integer(5), .array([]),
        ]
        for text in texts { #expect(failure(["accessToken": text]) == .unreadable) }
    }
}
