// Licensed under the MIT License. See LICENSE.

package import Foundation

/// Why a request was rejected, with the response to its caller.
///
/// The response reveals nothing about the token: all token faults have the same text, so a caller cannot learn which
/// check failed. ``code`` has the reason, for the log. Neither it nor the description contains any part of the token.
public struct MSALTokenRejection: Error, Sendable, CustomStringConvertible {
    /// The reason. Later versions may add reasons, so a `switch` needs a `default`.
    public enum Code: String, Sendable, CaseIterable {
        // MARK: The request

        /// The request has no token.
        case absent
        /// The token comes with the scheme `DPoP` (RFC 9449), which is not supported.
        case unsupportedDPoP
        /// The `Authorization` header is malformed, or there are two.
        case malformedRequest

        // MARK: The token

        /// The token has more than 32 KiB.
        case tokenTooLarge
        /// The token is no JWT that has one meaning only.
        case malformedToken
        /// The token is encrypted, which is not supported.
        case encryptedToken
        /// The token is not signed with RS256.
        case unsupportedAlgorithm
        /// The token's header has critical extensions, which are not supported.
        case unsupportedCriticalHeader
        /// The token's header says that it is something else than an access token.
        case wrongTokenType
        /// A claim is missing that every access token has.
        case missingClaim
        /// The token's tenant is not a valid tenant ID.
        case invalidTenant
        /// The token has another issuer.
        case invalidIssuer
        /// The tenant, or personal accounts, may not use this API.
        case tenantNotAllowed
        /// The issuer does not publish the key that the token names.
        case unknownKey
        /// The signing keys cannot be fetched. The caller's token may be good.
        case keysUnavailable
        /// The key belongs to another issuer or to another cloud.
        case keyNotForIssuer
        /// The key did not make this signature.
        case invalidSignature
        /// The token is for another API.
        case invalidAudience
        /// The token's time is over.
        case expired
        /// The token's time has not begun.
        case notYetValid
        /// The token says that it was issued in the future.
        case issuedInFuture
        /// The token is an ID token.
        case notAnAccessToken
        /// The token is bound to a key or a certificate, and the request has no proof of it.
        case boundTokenWithoutProof
        /// The proof does not belong to the token or to the request, or it was used before.
        case invalidProof

        // MARK: The caller

        /// The client may not use this API.
        case clientNotAllowed
        /// The token is one of an application where one of a user is wanted, or the reverse.
        case wrongTokenKind
        /// The token has no permission at all.
        case missingPermissions
        /// The user's token lacks the scope.
        case insufficientScope
        /// The caller lacks the role.
        case insufficientRole
        /// The caller has to sign in again and to meet claims.
        case insufficientClaims
    }

    /// The reason, for logs and metrics. Do not send it to the caller.
    public let code: Code

    /// The values of `WWW-Authenticate` (RFC 6750 §3), one for each header line.
    public let authenticate: [String]

    /// The HTTP status of the response: 400, 401, 403 or 503.
    public let status: Int

    /// The time after which the caller may retry.
    public var retryAfter: Duration? { code == .keysUnavailable ? .seconds(5) : nil }

    /// The header fields of the response. It has no body.
    public var headers: [(name: String, value: String)] {
        var headers = authenticate.map { (name: "WWW-Authenticate", value: $0) }
        if let seconds = retryAfter?.components.seconds { headers.append((name: "Retry-After", value: "\(seconds)")) }
        return headers
    }

    /// The status and the reason.
    public var description: String { "The request was refused with status \(status): \(code.rawValue)" }

    /// A rejection whose response needs only the reason.
    package init(_ code: Code) {
        self.init(code, status: code.status, authenticate: code.bearerError.map { ["Bearer\($0)"] } ?? [])
    }

    private init(_ code: Code, status: Int, authenticate: [String]) {
        self.code = code
        self.status = status
        self.authenticate = authenticate
    }
}

extension MSALTokenRejection {
    /// Creates the response to a challenge that the application throws while it handles a request.
    ///
    /// A client that cannot handle challenges (it lacks the capability `cp1`) gets status 403, and so does one whose
    /// token already satisfies the challenge.
    ///
    /// - Parameters:
    ///   - challenge: What the caller must satisfy.
    ///   - principal: The caller.
    public init(_ challenge: MSALClaimsChallenge, for principal: MSALPrincipal) {
        guard let claims = challenge.claims else {
            self.init(.insufficientClaims, status: 401, authenticate: [#"Bearer error="invalid_token""#])
            return
        }
        guard principal.answersChallenges, !challenge.isMet(by: principal) else {
            self.init(.insufficientClaims, status: 403, authenticate: [])
            return
        }
        let encoded = Data(claims.utf8).base64EncodedString()
        let address = principal.authorizationAddress
        let value =
            #"Bearer realm="", authorization_uri="\#(address)", error="insufficient_claims", claims="\#(encoded)""#
        self.init(.insufficientClaims, status: 401, authenticate: [value])
    }

    /// This response for an API whose clients read the metadata of the protected resource (RFC 9728 §5.1).
    ///
    /// - Parameters:
    ///   - metadata: The address of the metadata.
    ///   - scopes: The scopes that would be enough, as a client asks for them.
    /// - Returns: The response with both in its challenge, if it has one.
    package func naming(_ metadata: URL, scopes: [String]) -> MSALTokenRejection {
        var fields: [String]
        switch code {
        case .absent, .unsupportedDPoP: fields = []
        case .insufficientScope: fields = [#"error="insufficient_scope""#]
        default:
            guard status == 401, code != .insufficientClaims else { return self }
            fields = [#"error="invalid_token""#]
        }
        // A client that comes without a token asks for no more than the route needs.
        if !scopes.isEmpty { fields.append(#"scope="\#(scopes.joined(separator: " "))""#) }
        fields.append(#"resource_metadata="\#(metadata.absoluteString)""#)
        var values = authenticate
        let value = "Bearer \(fields.joined(separator: ", "))"
        if values.isEmpty { values = [value] } else { values[0] = value }
        return MSALTokenRejection(code, status: status, authenticate: values)
    }

    /// This response with a nonce for the next signed request (Microsoft's `PoP` scheme).
    package func offering(nonce: String) -> MSALTokenRejection {
        guard [.absent, .unsupportedDPoP, .invalidProof].contains(code) else { return self }
        return MSALTokenRejection(code, status: status, authenticate: authenticate + [#"PoP nonce="\#(nonce)""#])
    }
}

extension MSALTokenRejection.Code {
    fileprivate var status: Int {
        switch self {
        case .malformedRequest: 400
        case .keysUnavailable: 503
        case .clientNotAllowed, .wrongTokenKind, .missingPermissions, .insufficientScope, .insufficientRole,
            .insufficientClaims:
            403
        case .absent, .unsupportedDPoP, .tokenTooLarge, .malformedToken, .encryptedToken, .unsupportedAlgorithm,
            .unsupportedCriticalHeader, .wrongTokenType, .missingClaim, .invalidTenant, .invalidIssuer,
            .tenantNotAllowed, .unknownKey, .keyNotForIssuer, .invalidSignature, .invalidAudience, .expired,
            .notYetValid, .issuedInFuture, .notAnAccessToken, .boundTokenWithoutProof, .invalidProof:
            401
        }
    }

    /// The parameters behind the scheme of the challenge (RFC 6750 §3.1); `nil` for a response without a challenge.
    fileprivate var bearerError: String? {
        switch self {
        case .absent, .unsupportedDPoP: ""
        case .malformedRequest: #" error="invalid_request""#
        case .insufficientScope: #" error="insufficient_scope""#
        case .keysUnavailable, .clientNotAllowed, .wrongTokenKind, .missingPermissions, .insufficientRole,
            .insufficientClaims:
            nil
        default: #" error="invalid_token""#
        }
    }
}
