// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

@testable import MSALBase
@testable import MSALCore

/// Fictitious people and tokens for tests.
enum Contoso {
    static let clientID = "11111111-2222-3333-4444-555555555555"
    static let tenant = "aaaaaaaa-0000-0000-0000-000000000001"
    static let homeAccountID = "user-1.\(tenant)"
    static let username = "amy@contoso.example"
    static let environment = "login.windows.net"
    static let clientInfo = Base64URL.encode(Array(#"{"uid":"user-1","utid":"\#(tenant)"}"#.utf8))
    static let account = AccountReference(homeAccountID: homeAccountID, username: username, environment: environment)

    /// The secrets that must not be in any text.
    static let secrets = [
        "secret-access-token", "secret-refresh-token", "secret-new-access-token", "secret-new-refresh-token",
    ]

    /// A device code of the service with only the required members.
    static let deviceCode = JSONValue.object([
        "device_code": .string("d"), "user_code": .string("BCDF"),
        "verification_uri": .string("https://login.contoso.example/device"),
    ])

    static func refreshToken(_ secret: String = "secret-refresh-token") -> CacheRecord {
        .refreshToken(
            RefreshTokenRecord(
                homeAccountID: homeAccountID,
                environment: environment,
                clientID: clientID,
                secret: Secret(secret)
            )
        )
    }

    static func accessToken(expiresIn seconds: Double, at now: Date) -> CacheRecord {
        .accessToken(
            AccessTokenRecord(
                homeAccountID: homeAccountID,
                environment: environment,
                clientID: clientID,
                realm: tenant,
                target: "user.read",
                secret: Secret("secret-access-token"),
                life: TokenLife(cachedAt: now.addingTimeInterval(-600), expiresOn: now.addingTimeInterval(seconds))
            )
        )
    }

    static func idTokenRecord(at now: Date) -> CacheRecord {
        .idToken(
            IDTokenRecord(
                homeAccountID: homeAccountID,
                environment: environment,
                clientID: clientID,
                realm: tenant,
                secret: Secret(idToken(claims(at: now)))
            )
        )
    }

    static var accountRecord: CacheRecord { accountRecord(named: username) }

    static func accountRecord(named username: String) -> CacheRecord {
        .account(
            AccountRecord(
                homeAccountID: homeAccountID,
                environment: environment,
                realm: tenant,
                localAccountID: "user-1",
                username: username
            )
        )
    }

    /// The claims of a valid ID token at `now`.
    static func claims(at now: Date, nonce: String? = nil) -> [String: JSONValue] {
        var claims: [String: JSONValue] = [
            "iss": .string("https://login.microsoftonline.com/\(tenant)/v2.0"),
            "aud": .string(clientID),
            "sub": .string("subject-1"),
            "oid": .string("user-1"),
            "tid": .string(tenant),
            "preferred_username": .string(username),
            "iat": .integer(Int64(now.timeIntervalSince1970)),
            "nbf": .integer(Int64(now.timeIntervalSince1970)),
            "exp": .integer(Int64(now.timeIntervalSince1970) + 3600),
        ]
        claims["nonce"] = nonce.map(JSONValue.string)
        return claims
    }

    /// An unsigned ID token.
    static func idToken(_ claims: [String: JSONValue]) -> String {
        let header = Base64URL.encode(Array(#"{"alg":"RS256","kid":"k1","typ":"JWT"}"#.utf8))
        return "\(header).\(Base64URL.encode(Array(JSONValue.object(claims).text.utf8))).c2ln"
    }

    /// Ways to remove the signature from a token.
    static let unsigned: [@Sendable (String) -> String] = [
        { "\(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)))\($0.dropFirst($0.prefix { $0 != "." }.count))" },
        { String($0.reversed().drop { $0 != "." }.reversed()) },
        { String($0.reversed().drop { $0 != "." }.dropFirst().reversed()) },
    ]

    /// A valid response of the token endpoint. With `nil`, it has no ID token.
    static func tokens(idToken: String?, _ overrides: [String: JSONValue] = [:]) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "token_type": .string("Bearer"),
            "scope": .string("user.read"),
            "expires_in": .integer(3600),
            "access_token": .string("secret-new-access-token"),
            "refresh_token": .string("secret-new-refresh-token"),
            "client_info": .string(clientInfo),
        ]
        members["id_token"] = idToken.map(JSONValue.string)
        return members.merging(overrides) { $1 }.filter { $0.value != .null }
    }

    static func silent(
        _ scopes: String = "user.read",
        account: AccountReference = account,
        forceRefresh: Bool = false
    ) -> SilentRequest {
        SilentRequest(
            token: TokenRequest(scopes: ScopeSet(parsing: scopes)),
            account: account,
            forceRefresh: forceRefresh
        )
    }

    /// `change`: Sets further parameters of the token request.
    static func silent(_ change: (inout TokenRequest) throws -> Void) rethrows -> SilentRequest {
        var token = TokenRequest(scopes: ScopeSet(["user.read"]))
        try change(&token)
        return SilentRequest(token: token, account: account)
    }

    static func interactive(_ scopes: String = "user.read") -> InteractiveRequest {
        InteractiveRequest(token: TokenRequest(scopes: ScopeSet(parsing: scopes)))
    }
}
