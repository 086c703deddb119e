// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// Checks the access token of a request to a protected API.
struct ResourceGuard: Sendable {
    /// The reason why a request is refused.
    struct Rejection: Error, Sendable {
        /// RFC 6750 §3.1.
        enum Reason: Sendable {
            case missing
            case invalid(String)
            /// The token is good but lacks this permission.
            case insufficientScope(String)
            /// The sign-in was ended, and the app can react to a claims challenge: the claims, as JSON.
            case claimsNeeded(String)
        }

        let reason: Reason
        /// The scheme of the challenge.
        var scheme = Exchange.AuthorizationScheme.bearer

        /// One sentence for a developer.
        var explanation: String {
            switch reason {
            case .missing: "Access token is empty."
            case .invalid(let reason): reason
            case .insufficientScope(let scope): "The token has none of the permissions: \(scope)."
            case .claimsNeeded: "The sign-in was ended; the app is asked for another one."
            }
        }

        /// The token is bound to a key, or is sent as if it were, and the signed request is wrong.
        static func proof(_ reason: String) -> Rejection {
            .init(reason: .invalid(reason), scheme: .proofOfPossession)
        }
    }

    let directory: Directory
    let keys: SigningKeys
    let store: EmulatorStore
    let spentRequests: SpentRequests

    /// The claims of the token, and the user that it is about.
    ///
    /// `audience`: The API; a token for another one is refused.
    /// `anyOf`: Permissions of which one is enough.
    func authorize(
        _ exchange: Exchange,
        audience: String,
        anyOf permissions: [String]
    ) async throws -> (claims: [String: JSONValue], user: User) {
        let (claims, scheme) = try await claims(of: exchange, audience: audience)
        return (claims, try await user(of: claims, sentAs: scheme, anyOf: permissions, at: exchange.now))
    }

    /// The user of a token that has been checked, if it has one of the permissions.
    func user(
        of claims: [String: JSONValue],
        sentAs scheme: Exchange.AuthorizationScheme,
        anyOf permissions: [String],
        at now: Date
    ) async throws -> User {
        func rejection(_ reason: Rejection.Reason) -> Rejection { .init(reason: reason, scheme: scheme) }
        guard let family = claims["sid"]?.string, try await !store.isRevoked(family: family) else {
            throw rejection(Self.revocation(of: claims, at: Int(now.timeIntervalSince1970)))
        }
        guard let objectID = claims["oid"]?.string, let tenantID = claims["tid"]?.string,
            let user = try await store.user(objectID: objectID, in: tenantID)
        else { throw rejection(.invalid("The user of the token no longer exists.")) }
        let scopes = (claims["scp"]?.string ?? "").split(separator: " ").map(String.init)
        guard permissions.isEmpty || scopes.contains(where: permissions.contains) else {
            throw rejection(.insufficientScope(permissions.joined(separator: " ")))
        }
        return user
    }

    /// The claims of the token, of a user or of an application, and the scheme by which it was sent.
    ///
    /// `audience`: The API; a token for another one is refused.
    func claims(
        of exchange: Exchange,
        audience: String
    ) async throws -> (claims: [String: JSONValue], scheme: Exchange.AuthorizationScheme) {
        let signed = try exchange.credentials(.proofOfPossession).map { text throws(Rejection) in
            try Self.rejectingFaults { () throws(SignedRequest.Fault) in try SignedRequest(text) }
        }
        func rejection(_ reason: Rejection.Reason) -> Rejection {
            .init(reason: reason, scheme: signed == nil ? .bearer : .proofOfPossession)
        }
        guard let token = signed?.accessToken ?? exchange.credentials(.bearer) else {
            throw rejection(.missing)
        }
        guard let claims = await keys.claims(of: token.revealed) else {
            throw rejection(.invalid("Access token validation failure. Signature is invalid."))
        }
        guard let named = claims["aud"]?.string, directory.api(identifier: named)?.audience == audience else {
            throw rejection(.invalid("Access token validation failure. Invalid audience."))
        }
        let now = Int(exchange.now.timeIntervalSince1970)
        guard let expiry = claims["exp"]?.int, expiry > now, let start = claims["nbf"]?.int, start <= now + 300 else {
            throw rejection(.invalid("Lifetime validation failed, the token is expired."))
        }
        try checkPossession(of: claims["cnf"]?["kid"]?.string, by: signed, exchange: exchange)
        return (claims, signed == nil ? .bearer : .proofOfPossession)
    }

    /// The reason for a token whose sign-in was ended (Microsoft identity platform, "Claims challenges, claims requests and
    /// client capabilities"): an app that announced `cp1` is told how to go on.
    private static func revocation(of claims: [String: JSONValue], at now: Int) -> Rejection.Reason {
        let capabilities = claims["xms_cc"]?.elements?.compactMap(\.string) ?? []
        guard capabilities.contains(where: { $0.lowercased() == "cp1" }) else {
            return .invalid("The token has been revoked.")
        }
        return .claimsNeeded(#"{"access_token":{"nbf":{"essential":true,"value":"\#(now)"}}}"#)
    }

    /// Checks that a token that is bound to a key, and no other token, is sent in a request signed with the key.
    private func checkPossession(
        of keyID: String?,
        by signed: SignedRequest?,
        exchange: Exchange
    ) throws(Rejection) {
        switch (signed, keyID) {
        case (nil, nil): return
        case (nil, .some): throw .proof("The token is bound to a key and cannot be used as a bearer token.")
        case (.some, nil): throw .proof("The token is not bound to a key.")
        case (.some(let signed), .some(let keyID)):
            try Self.rejectingFaults { () throws(SignedRequest.Fault) in
                try signed.check(exchange, keyID: keyID)
                try spentRequests.spend(signed, now: exchange.now)
            }
        }
    }

    private static func rejectingFaults<Value>(
        of check: () throws(SignedRequest.Fault) -> Value
    ) throws(Rejection) -> Value {
        do {
            return try check()
        } catch {
            throw .proof(error.reason)
        }
    }
}

extension ResourceGuard.Rejection {
    /// The parameters of a claims challenge; empty for every other reason.
    var claimsParameters: String {
        guard case .claimsNeeded(let claims) = reason else { return "" }
        return ", error=\"insufficient_claims\", claims=\"\(Data(claims.utf8).base64EncodedString())\""
    }
}
