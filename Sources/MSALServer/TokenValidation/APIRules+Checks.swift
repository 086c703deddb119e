// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

extension CompactToken {
    private static let types: Set = ["jwt", "at+jwt", "application/jwt", "application/at+jwt"]

    /// Checks what the header says of the token, before anything of the payload is looked at (RFC 8725 §3.1 and §3.11).
    ///
    /// Keys and addresses of keys in the header are never used.
    ///
    /// - Returns: The algorithm, which is one of `algorithms`.
    /// - Throws: `.unsupportedAlgorithm`, `.unsupportedCriticalHeader`, `.wrongTokenType`.
    func checkedAlgorithm(
        among algorithms: Set<JSONWebSignature.Algorithm>
    ) throws(MSALTokenRejection) -> JSONWebSignature.Algorithm {
        guard
            let algorithm = header["alg"]?.string.flatMap(JSONWebSignature.Algorithm.init),
            algorithms.contains(algorithm)
        else { throw MSALTokenRejection(.unsupportedAlgorithm) }
        guard header["crit"] == nil else { throw MSALTokenRejection(.unsupportedCriticalHeader) }
        guard let type = header["typ"] else { return algorithm }
        // "application/" may be omitted (RFC 7515 §4.1.9).
        guard
            let name = type.string?.lowercasedASCII,
            Self.types.containsExactly(name)
        else { throw MSALTokenRejection(.wrongTokenType) }
        return algorithm
    }
}

// The order of the checks is part of the rules: docs/reference/TokenValidation.md#order.
extension APIRules {
    /// Verifies a token: header, issuer, key, signature, audience and times.
    ///
    /// - Returns: What may be remembered of it.
    func verify(_ token: CompactToken) async throws(MSALTokenRejection) -> ValidatedTokenCache.Entry {
        let algorithm = try token.checkedAlgorithm(among: configuration.algorithms)
        let issuer = try await issuer(of: token.payload)
        try tenants.check(issuer)
        guard let keyID = token.header["kid"]?.string else { throw MSALTokenRejection(.unknownKey) }
        let keys = try await issuer.keys.keys(keyID).filter { issuer.accepts($0.key) }
        guard !keys.isEmpty else { throw MSALTokenRejection(.keyNotForIssuer) }
        let signer = keys.first {
            JSONWebSignature.isValid(token.signature, of: token.signedPart, by: algorithm, with: $0.key)
        }
        guard let signer else { throw MSALTokenRejection(.invalidSignature) }
        try checkAudience(token.payload, version: issuer.version)
        let times = try TokenTimes(token.payload)
        try times.check(at: Double(environment.time.wholeSeconds), skew: clockSkew)
        return ValidatedTokenCache.Entry(
            claims: try TokenClaims(token.payload, times: times, from: issuerKind),
            key: VerificationKey(rules: self, keys: issuer.keys, id: keyID, number: signer.number)
        )
    }

    /// Checks who calls.
    ///
    /// - Throws: `.clientNotAllowed`, `.wrongTokenKind`.
    func checkCaller(_ claims: TokenClaims) throws(MSALTokenRejection) {
        guard clients?.containsExactly(claims.client.lowercasedASCII) ?? true else {
            throw MSALTokenRejection(.clientNotAllowed)
        }
        guard !claims.common.hasMixedKind else { throw MSALTokenRejection(.wrongTokenKind) }
    }

    /// Checks what the caller may do.
    ///
    /// - Throws: `.missingPermissions`, `.insufficientScope`, `.insufficientRole`, `.wrongTokenKind`,
    ///   `.insufficientClaims`.
    func checkPermission(
        of principal: MSALPrincipal,
        requiring requirement: MSALRequirement
    ) throws(MSALTokenRejection) {
        guard
            !principal.scopes.isEmpty || !principal.roles.isEmpty || configuration.allowsTokensWithoutPermissions
        else { throw MSALTokenRejection(.missingPermissions) }
        try requirement.check(principal)
    }

    /// Checks the proof of a bound token.
    ///
    /// - Throws: `.boundTokenWithoutProof`, `.invalidProof`.
    func checkProof(
        of claims: TokenClaims,
        proof: SignedRequestProof?,
        request: MSALRequestFacts
    ) throws(MSALTokenRejection) {
        guard let confirmation = claims.common.confirmation else {
            // A signed request proves nothing for a token that belongs to no key.
            guard proof == nil else { throw MSALTokenRejection(.invalidProof) }
            return
        }
        guard let proofs else { throw MSALTokenRejection(.boundTokenWithoutProof) }
        switch confirmation {
        case .key(let thumbprint):
            guard let proof, proofs.settings.acceptsSignedRequests else {
                throw MSALTokenRejection(.boundTokenWithoutProof)
            }
            try proofs.check(proof, keyThumbprint: thumbprint, request: request)
        case .certificate(let thumbprint):
            guard proof == nil, proofs.settings.acceptsCertificates else {
                throw MSALTokenRejection(.boundTokenWithoutProof)
            }
            try proofs.check(certificateThumbprint: thumbprint, request: request)
        case .other:
            throw MSALTokenRejection(.boundTokenWithoutProof)
        }
    }
}
