// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// Validates the access tokens that an API receives, and returns the caller with its permissions.
///
/// Create one and keep it for the lifetime of the process: it caches the issuers' keys and the tokens that it has
/// verified.
///
/// ```swift
/// let validator = try MSALTokenValidator(.init(clientId: "…", authority: .tenant("contoso.onmicrosoft.com")))
/// let caller = try await validator.validate(authorization: lines, request: MSALRequestFacts(), requiring: .scope("Orders.Read"))
/// ```
public final class MSALTokenValidator: Sendable, ServerRedactedReflection {
    private let rules: [APIRules]
    private let remembered: ValidatedTokenCache

    /// Creates a validator for tokens of one issuer, or of several, such as a workforce tenant and one for customers.
    ///
    /// A token names an issuer and a tenant. The first configuration that matches them is used for all other checks. No
    /// request is sent.
    ///
    /// - Throws: `.configuration` if a setting is invalid. The message names it.
    public convenience init(
        _ first: MSALTokenValidatorConfiguration,
        _ others: MSALTokenValidatorConfiguration...
    ) throws(MSALTokenError) {
        try self.init([first] + others) { configuration in
            var options = MSALCredentialOptions()
            options.caFile = configuration.caFile
            options.proxy = configuration.proxy
            options.logger = configuration.logger
            #if Metrics
                options.metrics = configuration.metrics
            #endif
            #if Tracing
                options.tracer = configuration.tracer
            #endif
            return ServerEnvironment.system(options).applying(options)
        }
    }

    package init(
        _ configurations: [MSALTokenValidatorConfiguration],
        environment: (MSALTokenValidatorConfiguration) -> ServerEnvironment
    ) throws(MSALTokenError) {
        var rules: [APIRules] = []
        let log = RejectionLog()
        for configuration in configurations {
            rules.append(try APIRules(configuration, environment: environment(configuration), log: log))
        }
        self.rules = rules
        remembered = ValidatedTokenCache(maximum: configurations.map(\.maximumRememberedTokens).max() ?? 0)
    }

    /// Validates the token of a request.
    ///
    /// A cached token is checked without suspension, and without leaving the caller's actor.
    ///
    /// - Parameters:
    ///   - authorization: The values of all `Authorization` header lines. A token in a query or a form is ignored.
    ///   - request: The properties of the request that verify a proof of possession. Bearer tokens need none of them.
    ///   - requirement: What the caller needs for this route.
    /// - Returns: The caller.
    /// - Throws: The rejection, with the response for the caller: ``MSALTokenRejection/status`` and
    ///   ``MSALTokenRejection/headers``.
    nonisolated(nonsending) public func validate(
        authorization: [String],
        request: MSALRequestFacts,
        requiring requirement: MSALRequirement = .anyPermission
    ) async throws(MSALTokenRejection) -> MSALPrincipal {
        let token: String
        let proof: SignedRequestProof?
        do throws(MSALTokenRejection) {
            let credential = try AuthorizationHeader.credential(of: authorization, takingProofs: takesProofs)
            proof = credential.scheme == .signedRequest ? try SignedRequestProof(credential.token) : nil
            token = proof?.accessToken ?? credential.token
        } catch {
            throw answer(error, of: rules[0], requiring: requirement) { nil }
        }
        return try await principal(of: token, proof: proof, request: request, requiring: requirement)
    }

    /// Fetches the issuers' metadata and keys, for readiness probes. Otherwise they are fetched for the first token.
    ///
    /// - Throws: `.configuration` if an authority does not exist, or if the settings would reject all its tokens;
    ///   correct the settings, as the message says. `.serviceUnavailable` if they cannot be fetched; try again later.
    ///   The log has the cause.
    public func prepare() async throws(MSALTokenError) {
        for rules in rules { try await rules.prepare() }
    }

    /// Keeps the keys fresh until the task is canceled, so that no request waits for them.
    ///
    /// It can be used as a service of swift-service-lifecycle. Without it, the keys are refreshed in the background of
    /// requests.
    public func run() async {
        await withTaskGroup { group in
            for rules in rules {
                for keys in rules.allKeys {
                    group.addTask {
                        while !Task.isCancelled {
                            let pause = await keys.refreshIfDue()
                            // A canceled sleep ends the loop.
                            try? await rules.environment.time.sleep(for: pause)
                        }
                    }
                }
            }
        }
    }

    /// Waits for the refreshes that run behind requests.
    package func untilRefreshed() async {
        for keys in rules.flatMap(\.allKeys) { await keys.untilRefreshed() }
    }

    /// Whether a caller may prove that a token is its own. Without proofs no facts of a request are looked at.
    package var takesProofs: Bool { rules.contains { $0.proofs != nil } }

    /// The number of tokens in memory.
    package var rememberedTokens: Int { remembered.count }
}

// MARK: - The checks

extension MSALTokenValidator {
    /// Checks a token, whichever way it came.
    nonisolated(nonsending) package func principal(
        of token: String,
        proof: SignedRequestProof?,
        request: MSALRequestFacts,
        requiring requirement: MSALRequirement
    ) async throws(MSALTokenRejection) -> MSALPrincipal {
        var rules = rules[0]
        var isRemembered = false
        var parsed: CompactToken?
        do throws(MSALTokenRejection) {
            let claims: TokenClaims
            let digest = remembered.isOff ? nil : TokenDigest(of: Secret(token))
            if let digest, let known = known(digest) {
                rules = known.key.rules
                isRemembered = true
                claims = known.claims
                try claims.times.check(at: Double(rules.environment.time.wholeSeconds), skew: rules.clockSkew)
            } else {
                let parts = try CompactToken(token)
                parsed = parts
                rules = try await self.rules(for: parts)
                let verified = try await rules.verify(parts)
                claims = verified.claims
                if let digest, rules.configuration.maximumRememberedTokens > 0 { remembered.keep(verified, as: digest) }
            }
            try await rules.tenants.check(claims.tenant)
            try rules.checkCaller(claims)
            try rules.checkProof(of: claims, proof: proof, request: request)
            let validated = MSALValidatedToken(accessToken: Secret(token), claims: claims, digest: digest)
            let principal = MSALPrincipal(validated, of: rules)
            try rules.checkPermission(of: principal, requiring: requirement)
            rules.environment.instruments.countValidation(nil, isRemembered: isRemembered)
            return principal
        } catch {
            throw answer(error, of: rules, isRemembered: isRemembered, requiring: requirement) {
                isRemembered ? try? CompactToken(token) : parsed
            }
        }
    }

    /// A token in memory whose key still counts.
    private func known(_ digest: TokenDigest) -> ValidatedTokenCache.Entry? {
        guard let entry = remembered[digest] else { return nil }
        if entry.key.isCurrent { return entry }
        remembered.remove(digest)
        return nil
    }

    /// The configuration whose metadata name the issuer that the token has. That is not believed: it only chooses.
    nonisolated(nonsending) private func rules(for token: CompactToken) async throws(MSALTokenRejection) -> APIRules {
        guard rules.count > 1 else { return rules[0] }
        // The header is checked before the issuer, also where several configurations could check it.
        _ = try token.checkedAlgorithm(among: rules[0].configuration.algorithms)
        guard let issuer = token.payload["iss"]?.string else { throw MSALTokenRejection(.missingClaim) }
        let tenant = token.payload["tid"]?.string?.lowercased()
        let possible = rules.filter { $0.isPossible(issuer: issuer) }
        // Those that allow the tenant come first, so that the others' metadata need not be fetched.
        let ordered = possible.filter { $0.tenants.mayAllow(tenant) } + possible.filter { !$0.tenants.mayAllow(tenant) }
        var undecided: APIRules?
        for rules in ordered {
            do throws(MSALTokenRejection) {
                _ = try await rules.issuer(of: token.payload)
                return rules
            } catch {
                if error.code == .keysUnavailable, undecided == nil { undecided = rules }
            }
        }
        // It refuses the token, and gives the reason.
        guard let rules = undecided ?? ordered.first else { throw MSALTokenRejection(.invalidIssuer) }
        return rules
    }

    /// The rejection as the caller gets it, which the metrics count.
    private func answer(
        _ rejection: MSALTokenRejection,
        of rules: APIRules,
        isRemembered: Bool = false,
        requiring requirement: MSALRequirement,
        parts: () -> CompactToken?
    ) -> MSALTokenRejection {
        rules.environment.instruments.countValidation(rejection.code, isRemembered: isRemembered)
        let answer = rules.answer(rejection, requiring: requirement, parts: parts)
        guard let nonce = rules.proofs?.settings.makeNonce?() else { return answer }
        return answer.offering(nonce: nonce)
    }
}

extension Instruments {
    /// Counts a token that an API received. `rejection` is `nil` for one that was accepted. `isRemembered` tells whether the
    /// signature was verified earlier.
    package func countValidation(_ rejection: MSALTokenRejection.Code?, isRemembered: Bool) {
        #if Metrics
            guard let meters else { return }
            guard let rejection else { return meters.countAccepted(isRemembered: isRemembered) }
            let labels = Meters.labels(ofValidation: rejection.rawValue, isRemembered: isRemembered)
            meters.count(Meters.validations, labels: labels)
        #endif
    }
}

/// What the `Authorization` header of a request carries (RFC 9110 §11.6.2, RFC 6750 §2.1).
package enum AuthorizationHeader {
    /// The scheme by which the token is presented.
    package enum Scheme: Sendable {
        /// The access token comes as it is.
        case bearer
        /// An access token inside a signed request (draft-ietf-oauth-signed-http-request).
        case signedRequest
        /// An access token that is bound to the certificate of the connection (Microsoft's scheme `mtls_pop`).
        case certificate
    }

    /// Reads the lines of the header.
    ///
    /// - Parameters:
    ///   - lines: The values of all header lines of this name.
    ///   - proofs: Whether the schemes with a proof are taken beside `Bearer`.
    /// - Returns: How the token is presented, and the token.
    /// - Throws: `.absent` without a token for this API; `.unsupportedDPoP`; `.malformedRequest`; `.tokenTooLarge`.
    package static func credential(
        of lines: [String],
        takingProofs proofs: Bool
    ) throws(MSALTokenRejection) -> (scheme: Scheme, token: String) {
        guard let line = lines.first else { throw MSALTokenRejection(.absent) }
        guard lines.count == 1 else { throw MSALTokenRejection(.malformedRequest) }
        let bytes = line.utf8
        let space = bytes.firstIndex(of: UInt8(ascii: " ")) ?? bytes.endIndex
        let name = line[..<space]
        guard !name.isEmpty, name.utf8.allSatisfy(\.isOfHTTPToken) else { throw MSALTokenRejection(.malformedRequest) }
        guard let scheme = scheme(name.lowercased(), takingProofs: proofs) else {
            throw MSALTokenRejection(name.lowercased() == "dpop" ? .unsupportedDPoP : .absent)
        }
        let token = String(line[space...].drop { $0 == " " })
        guard token.utf8.count <= CompactToken.maximumLength else { throw MSALTokenRejection(.tokenTooLarge) }
        guard token.isBearerToken else { throw MSALTokenRejection(.malformedRequest) }
        return (scheme, token)
    }

    private static func scheme(_ name: String, takingProofs proofs: Bool) -> Scheme? {
        switch name {
        case "bearer": .bearer
        case "pop" where proofs: .signedRequest
        case "mtls_pop" where proofs: .certificate
        default: nil
        }
    }
}
