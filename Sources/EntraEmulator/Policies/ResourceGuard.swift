// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Validates the access token of a request to a protected API.
struct ResourceGuard: Sendable {
    /// The reason why a request is rejected.
    struct Rejection: Error, Sendable {
        /// RFC 6750 §3.1.
        enum Reason: Sendable {
            case missing
            case invalid(String)
            /// The token is valid but lacks this permission.
            case insufficientScope(String)
            /// The sign-in was revoked, or claims are missing. The app can react to a claims challenge with these
            /// claims, as JSON.
            case claimsNeeded(String)
        }

        let reason: Reason
        /// The scheme of the challenge.
        var scheme = Exchange.AuthorizationScheme.bearer

        /// The reason of the rejection, in one sentence for developers.
        var explanation: String {
            switch reason {
            case .missing: "Access token is empty."
            case .invalid(let reason): reason
            case .insufficientScope(let scope): "The token has none of the permissions: \(scope)."
            case .claimsNeeded: "The app has to get another token with claims."
            }
        }

        /// The token is bound to a key, or is sent as if it were, and the signed request is invalid.
        static func proof(_ reason: String) -> Rejection {
            .init(reason: .invalid(reason), scheme: .proofOfPossession)
        }

        /// The token is bound to a certificate, and the connection does not prove it (RFC 8705 §3).
        static func mutualTLS(_ reason: String) -> Rejection {
            .init(reason: .invalid(reason), scheme: .mutualTLS)
        }
    }

    let directory: ServedDirectory
    let keys: SigningKeys
    let store: EmulatorStore
    let replayCache: ReplayCache
    let identity: ServerIdentity
    let challenges: ClaimsChallenges

    /// Validates the token, and returns its claims and its user.
    ///
    /// `audience`: The API; a token for a different one is rejected.
    /// `anyOf`: Permissions, one of which is sufficient.
    func authorize(
        _ exchange: Exchange,
        audience: String,
        anyOf permissions: [String]
    ) async throws -> (claims: [String: JSONValue], user: User) {
        let (claims, scheme) = try await claims(of: exchange, audience: audience)
        return (claims, try await user(of: claims, sentAs: scheme, anyOf: permissions, at: exchange.now))
    }

    /// The user of a validated token, if it has one of the permissions.
    func user(
        of claims: [String: JSONValue],
        sentAs scheme: Exchange.AuthorizationScheme,
        anyOf permissions: [String],
        at now: Date
    ) async throws -> User {
        func rejection(_ reason: Rejection.Reason) -> Rejection { .init(reason: reason, scheme: scheme) }
        guard let family = claims["sid"]?.string else { throw rejection(.invalid("The token names no sign-in.")) }
        guard let objectID = claims["oid"]?.string, let tenantID = claims["tid"]?.string,
            let user = try await store.user(objectID: objectID, in: tenantID)
        else { throw rejection(.invalid("The user of the token no longer exists.")) }
        // Microsoft Entra, "Continuous access evaluation", "Critical event evaluation": without the capability, a token
        // is accepted until it ends.
        if Self.isCapable(claims), try await hasEnded(family, of: user, issuedAt: claims["iat"]?.int ?? 0) {
            throw rejection(Self.revocation(at: Int(now.timeIntervalSince1970)))
        }
        if let wanted = challenges.unmet(by: claims, of: user.id) {
            throw rejection(
                Self.isCapable(claims) ? .claimsNeeded(wanted) : .invalid("The token lacks claims: \(wanted).")
            )
        }
        let scopes = (claims["scp"]?.string ?? "").split(separator: " ").map(String.init)
        guard permissions.isEmpty || scopes.contains(where: permissions.contains) else {
            throw rejection(.insufficientScope(permissions.joined(separator: " ")))
        }
        return user
    }

    /// Whether an administrator has ended the sign-in of a token, or the account is disabled or has a new password.
    private func hasEnded(_ family: String, of user: User, issuedAt seconds: Int) async throws -> Bool {
        // The end of the second.
        let issued = Date(timeIntervalSince1970: TimeInterval(seconds) + 1)
        if !user.isEnabled || !user.accepts(signInAt: issued) { return true }
        return try await store.isRevoked(family: family)
    }

    /// The claims of a user token or an app-only token, and the scheme with which it was sent.
    ///
    /// `audience`: The API; a token for a different one is rejected.
    func claims(
        of exchange: Exchange,
        audience: String
    ) async throws -> (claims: [String: JSONValue], scheme: Exchange.AuthorizationScheme) {
        let presented = try PresentedToken(exchange)
        func rejection(_ reason: Rejection.Reason) -> Rejection { .init(reason: reason, scheme: presented.scheme) }
        guard let token = presented.token else { throw rejection(.missing) }
        guard let claims = await keys.claims(of: token.exposed) else {
            throw rejection(.invalid("Access token validation failure. Signature is invalid."))
        }
        guard let named = claims["aud"]?.string, directory.api(identifier: named)?.audience == audience else {
            throw rejection(.invalid("Access token validation failure. Invalid audience."))
        }
        guard isIssuer(claims["iss"]?.string ?? "", ofTenant: claims["tid"]?.string ?? "") else {
            throw rejection(.invalid("Access token validation failure. Invalid issuer."))
        }
        let now = Int(exchange.now.timeIntervalSince1970)
        guard let expiry = claims["exp"]?.int, expiry > now, let start = claims["nbf"]?.int, start <= now + 300 else {
            throw rejection(.invalid("Lifetime validation failed, the token is expired."))
        }
        try await checkPossession(of: Confirmation(claim: claims["cnf"]), by: presented, exchange: exchange)
        return (claims, presented.scheme)
    }

    /// Whether an issuer belongs to a tenant, under any host name of the emulator.
    private func isIssuer(_ issuer: String, ofTenant tenantID: String) -> Bool {
        if issuer == TokenIssuer.issuerOfVersion1(tenantID: tenantID) { return true }
        guard let address = RedirectAddress(issuer), address.scheme == "https" else { return false }
        return identity.covers(address.host) && ["/\(tenantID)/v2.0", "/\(tenantID)/v2.0/"].contains(address.rest)
    }

    /// The reason for a token whose sign-in was revoked (Microsoft identity platform, "Claims challenges, claims
    /// requests and client capabilities").
    private static func revocation(at now: Int) -> Rejection.Reason {
        .claimsNeeded(#"{"access_token":{"nbf":{"essential":true,"value":"\#(now)"}}}"#)
    }

    /// Whether the app of a token has announced that it handles claims challenges.
    private static func isCapable(_ claims: [String: JSONValue]) -> Bool {
        let capabilities = claims["xms_cc"]?.array?.compactMap(\.string) ?? []
        return capabilities.contains { $0.lowercased() == "cp1" }
    }

    /// Checks that a token bound to a key or a certificate is sent with a proof of it, and any other token without.
    private func checkPossession(
        of bond: Confirmation?,
        by presented: PresentedToken,
        exchange: Exchange
    ) async throws(Rejection) {
        switch (presented, bond) {
        case (.bearer, nil): return
        case (.signed(let signed), .key(let keyID)):
            try PresentedToken.rejectingFaults { () throws(SignedRequest.Fault) in
                try signed.check(exchange, keyID: keyID)
                try replayCache.recordUse(signed, now: exchange.now)
            }
        case (.overMutualTLS, .certificate(let thumbprint)):
            guard let certificate = await exchange.connection?.certificate() else {
                throw .mutualTLS("The client presented no certificate in the TLS handshake.")
            }
            guard certificate.sha256Thumbprint == thumbprint else {
                throw .mutualTLS("The token is bound to a different certificate than the connection.")
            }
        case (.bearer, .key): throw .proof("The token is bound to a key and cannot be used as a bearer token.")
        case (.bearer, .certificate):
            throw .mutualTLS("The token is bound to a certificate and cannot be used as a bearer token.")
        case (.signed, nil), (.signed, .certificate): throw .proof("The token is not bound to a key.")
        case (.overMutualTLS, nil), (.overMutualTLS, .key):
            throw .mutualTLS("The token is not bound to a certificate.")
        }
    }
}

/// The access token in the `Authorization` header of a request, not yet validated, with its scheme.
private enum PresentedToken {
    /// The token is `nil` if the header contains none.
    case bearer(Secret?)
    case signed(SignedRequest)
    case overMutualTLS(Secret)

    /// - Throws: A rejection if a signed request is malformed.
    init(_ exchange: Exchange) throws(ResourceGuard.Rejection) {
        if let text = exchange.credentials(.proofOfPossession) {
            self = .signed(try Self.rejectingFaults { () throws(SignedRequest.Fault) in try SignedRequest(text) })
        } else if let token = exchange.credentials(.mutualTLS) {
            self = .overMutualTLS(token)
        } else {
            self = .bearer(exchange.credentials(.bearer))
        }
    }

    var token: Secret? {
        switch self {
        case .bearer(let token): token
        case .signed(let request): request.accessToken
        case .overMutualTLS(let token): token
        }
    }

    var scheme: Exchange.AuthorizationScheme {
        switch self {
        case .bearer: .bearer
        case .signed: .proofOfPossession
        case .overMutualTLS: .mutualTLS
        }
    }

    static func rejectingFaults<Value>(
        of check: () throws(SignedRequest.Fault) -> Value
    ) throws(ResourceGuard.Rejection) -> Value {
        do {
            return try check()
        } catch {
            throw .proof(error.reason)
        }
    }
}

extension ResourceGuard.Rejection {
    /// The parameters of a claims challenge; empty for all other reasons.
    var claimsParameters: String {
        guard case .claimsNeeded(let claims) = reason else { return "" }
        return ", error=\"insufficient_claims\", claims=\"\(Data(claims.utf8).base64EncodedString())\""
    }
}
