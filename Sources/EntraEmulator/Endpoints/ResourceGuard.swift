// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// Checks the access token of a request to a protected API.
struct ResourceGuard: Sendable {
    /// Why a token was not accepted; RFC 6750 §3.1.
    enum Rejection: Error, Sendable {
        case missing
        case invalid(String)
        /// The token is good but lacks this permission.
        case insufficientScope(String)
    }

    let platform: Platform

    /// What the token says about its bearer.
    ///
    /// `audience`: The API; a token for another one is refused.
    /// `anyOf`: Permissions of which one is enough.
    func authorize(
        _ exchange: Exchange,
        audience: String,
        anyOf permissions: [String]
    ) async throws -> (claims: [String: JSONValue], user: User) {
        guard let token = exchange.bearerToken else { throw Rejection.missing }
        guard let claims = await platform.issuer.keys.claims(of: token.revealed) else {
            throw Rejection.invalid("Access token validation failure. Signature is invalid.")
        }
        guard claims["aud"]?.string == audience else {
            throw Rejection.invalid("Access token validation failure. Invalid audience.")
        }
        let now = Int(exchange.now.timeIntervalSince1970)
        guard let expiry = claims["exp"]?.int, expiry > now, let start = claims["nbf"]?.int, start <= now + 300 else {
            throw Rejection.invalid("Lifetime validation failed, the token is expired.")
        }
        guard let family = claims["sid"]?.string, try await !platform.store.isRevoked(family: family) else {
            throw Rejection.invalid("The token has been revoked.")
        }
        guard let objectID = claims["oid"]?.string, let tenantID = claims["tid"]?.string,
            let user = try await platform.store.users().first(where: { $0.objectID(in: tenantID) == objectID })
        else { throw Rejection.invalid("The user of the token no longer exists.") }
        let scopes = (claims["scp"]?.string ?? "").split(separator: " ").map(String.init)
        guard permissions.isEmpty || scopes.contains(where: permissions.contains) else {
            throw Rejection.insufficientScope(permissions.joined(separator: " "))
        }
        return (claims, user)
    }
}
