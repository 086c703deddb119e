// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// Checks the access token of a request to a protected API.
struct ResourceGuard: Sendable {
    /// Why a request was not let in.
    struct Rejection: Error, Sendable {
        /// RFC 6750 §3.1.
        enum Reason: Sendable {
            case missing
            case invalid(String)
            /// The token is good but lacks this permission.
            case insufficientScope(String)
        }

        let reason: Reason
        /// How the token has to come, for the challenge.
        var scheme = Exchange.AuthorizationScheme.bearer

        /// The token is bound to a key, or comes as if it were, and something is wrong with the signed request.
        static func proof(_ reason: String) -> Rejection {
            .init(reason: .invalid(reason), scheme: .proofOfPossession)
        }
    }

    let platform: Platform

    /// What the token says about its bearer, or about the holder of its key.
    ///
    /// `audience`: The API; a token for another one is refused.
    /// `anyOf`: Permissions of which one is enough.
    func authorize(
        _ exchange: Exchange,
        audience: String,
        anyOf permissions: [String]
    ) async throws -> (claims: [String: JSONValue], user: User) {
        let signed = try exchange.credentials(.proofOfPossession).map { text throws(Rejection) in
            try SignedRequest(text)
        }
        func rejection(_ reason: Rejection.Reason) -> Rejection {
            .init(reason: reason, scheme: signed == nil ? .bearer : .proofOfPossession)
        }
        guard let token = signed?.accessToken ?? exchange.credentials(.bearer) else {
            throw rejection(.missing)
        }
        guard let claims = await platform.issuer.keys.claims(of: token.revealed) else {
            throw rejection(.invalid("Access token validation failure. Signature is invalid."))
        }
        guard claims["aud"]?.string == audience else {
            throw rejection(.invalid("Access token validation failure. Invalid audience."))
        }
        let now = Int(exchange.now.timeIntervalSince1970)
        guard let expiry = claims["exp"]?.int, expiry > now, let start = claims["nbf"]?.int, start <= now + 300 else {
            throw rejection(.invalid("Lifetime validation failed, the token is expired."))
        }
        try checkPossession(signed, claims["cnf"]?["kid"]?.string, exchange)
        guard let family = claims["sid"]?.string, try await !platform.store.isRevoked(family: family) else {
            throw rejection(.invalid("The token has been revoked."))
        }
        guard let objectID = claims["oid"]?.string, let tenantID = claims["tid"]?.string,
            let user = try await platform.store.users().first(where: { $0.objectID(in: tenantID) == objectID })
        else { throw rejection(.invalid("The user of the token no longer exists.")) }
        let scopes = (claims["scp"]?.string ?? "").split(separator: " ").map(String.init)
        guard permissions.isEmpty || scopes.contains(where: permissions.contains) else {
            throw rejection(.insufficientScope(permissions.joined(separator: " ")))
        }
        return (claims, user)
    }

    /// A token that is bound to a key comes in a request signed with it, and no other token does.
    private func checkPossession(
        _ signed: SignedRequest?,
        _ keyID: String?,
        _ exchange: Exchange
    ) throws(Rejection) {
        switch (signed, keyID) {
        case (nil, nil): return
        case (nil, .some): throw .proof("The token is bound to a key and cannot be used as a bearer token.")
        case (.some, nil): throw .proof("The token is not bound to a key.")
        case (.some(let signed), .some(let keyID)):
            try signed.check(exchange, key: keyID)
            try platform.spentRequests.spend(signed, now: exchange.now)
        }
    }
}
