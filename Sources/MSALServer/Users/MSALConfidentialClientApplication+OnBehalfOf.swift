// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase
package import MSALCore

extension MSALConfidentialClientApplication {
    /// Returns a token for another API, on behalf of the user whose token the API received.
    nonisolated(nonsending) package func token(
        onBehalfOf incoming: IncomingToken,
        scopes: [String],
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let tenant = try OnBehalfOfRequest.tenant(
            requested: options.tenant,
            own: ownRealm ?? incoming.tenant,
            of: authority
        )
        let key = OnBehalfOfCache.Key(
            client: partition,
            assertion: incoming.digest,
            realm: tenant,
            components: CacheKeyComponents.hash(of: options.keyComponents)
        )
        let call = Call(incoming: incoming, tenant: tenant, key: key, scopes: scopes, options: options)
        let now = environment.time.wholeSeconds
        switch onBehalfOfTokens.lookup(key, scopes: scopes, options: options, at: now) {
        case .hit(let token):
            let isRefreshDue = token.isRefreshDue(at: now)
            environment.instruments.countHit(.onBehalfOf, isRefreshDue: isRefreshDue)
            if isRefreshDue { refresh(behind: token, with: call, at: now) }
            return MSALTokenResult(token, source: .cache)
        case .miss(let reason):
            return try await environment.observed(.onBehalfOf) { [self] () throws(MSALTokenError) in
                try OnBehalfOfRequest.check(incoming, at: now)
                let mustBeNew = options.cacheBypassReason != nil
                let token = try await environment.limited(to: options.timeout) { [self] () throws(MSALTokenError) in
                    try await run(call, mustBeNew: mustBeNew)
                }
                return MSALTokenResult(token, source: .service, reason: reason)
            }
        }
    }

    /// The values of one call on behalf of a caller.
    private struct Call: Sendable {
        let incoming: IncomingToken
        let tenant: String
        let key: OnBehalfOfCache.Key
        /// The scopes as the call gave them.
        let scopes: [String]
        let options: MSALTokenOptions
    }

    private var onBehalfOfTokens: OnBehalfOfCache { configuration.cache.onBehalfOfTokens }

    /// Sends a request to the service, or waits for an equal call that is in progress.
    private func run(_ call: Call, mustBeNew: Bool) async throws(MSALTokenError) -> CachedAccessToken {
        let cache = onBehalfOfTokens
        let scopes = try OnBehalfOfRequest.scopes(call.scopes, clientID: configuration.clientId, authority: authority)
        let flight = OnBehalfOfCache.Flight(key: call.key, scopes: scopes, claims: call.options.claims)
        let ticket = mustBeNew ? cache.flights.ticket() : nil
        return try await cache.flights.run(flight, startedAfter: ticket) { [self] in
            // An equal call may have ended while this one waited for its turn.
            let now = environment.time.wholeSeconds
            let lookup = cache.lookup(call.key, scopes: call.scopes, options: call.options, at: now)
            if !mustBeNew, case .hit(let token) = lookup { return .success(token) }
            return await environment.logged(as: call.options.correlationID) {
                await Result { () async throws(MSALTokenError) in
                    try await redeem(call, scopes: scopes, in: flight)
                }
            }
        }
    }

    /// Fetches the successor of a token in the background. The caller continues immediately.
    private func refresh(behind token: CachedAccessToken, with call: Call, at now: Int64) {
        // The service does not accept an incoming token that has expired.
        guard call.incoming.expiresAt.map({ $0 > now }) ?? true else { return }
        environment.refresh(
            behind: token,
            called: "A token on behalf of a user",
            observer: configuration.options.refreshObserver
        ) {
            [self] () throws(MSALTokenError) in
            MSALTokenResult(try await run(call, mustBeNew: true), source: .service)
        }
    }

    /// Sends a request unless the service asked for a pause, and caches the token.
    private func redeem(
        _ call: Call,
        scopes: ScopeSet,
        in flight: OnBehalfOfCache.Flight
    ) async throws(MSALTokenError) -> CachedAccessToken {
        let cache = onBehalfOfTokens
        if let refusal = cache.throttling.refusal(of: flight.throttlingKey, at: environment.time.wholeSeconds) {
            throw refusal
        }
        let token: CachedAccessToken
        do throws(MSALTokenError) {
            token = try await redeem(call.incoming, scopes: scopes, tenant: call.tenant, options: call.options).token
        } catch {
            cache.throttling.note(error, of: flight.throttlingKey, at: environment.time.wholeSeconds)
            throw error
        }
        let declined = scopes.declined(grantedBy: ScopeSet(token.scopes))
        cache.store(
            token,
            for: call.key,
            scopes: declined.isEmpty ? call.scopes : token.scopes,
            until: call.incoming.expiresAt ?? .max,
            at: environment.time.wholeSeconds
        )
        try Self.check(declined, of: token)
        return token
    }
}

extension MSALConfidentialClientApplication {
    /// Exchanges an incoming token for a token for another API, possibly with a refresh token.
    @concurrent func redeem(
        _ incoming: IncomingToken,
        scopes: ScopeSet,
        tenant: String,
        options: MSALTokenOptions = MSALTokenOptions()
    ) async throws(MSALTokenError) -> (token: CachedAccessToken, refreshToken: Secret?) {
        let correlationID = options.correlationID ?? .random()
        let grant = JWTBearerGrant(assertion: incoming.assertion)
        var form = FormBody()
        try options.addComponents(to: &form)
        form.set(.grantType, to: grant.grantType)
        form.set(.clientID, to: configuration.clientId)
        form.set(.scope, to: scopes.union(.openID).text)
        form.set(.claims, to: try options.claims(with: configuration.capabilities))
        form.merge(grant.parameters)
        let response = try await redeem(form, tenant: tenant, options: options, correlationID: correlationID)
        let user = TokenUser(incoming, response: response)
        let token = try accept(response, of: user, scopes: scopes, tenant: tenant, correlationID: correlationID)
        return (token, response.refreshToken)
    }

    /// Checks a response on behalf of a user before any of it is cached.
    ///
    /// - Throws: `.invalidResponse` if its ID token names another user, or if it is not a valID token response.
    func accept(
        _ response: TokenResponse,
        of user: TokenUser?,
        scopes: ScopeSet,
        tenant: String,
        correlationID: UUID
    ) throws(MSALTokenError) -> CachedAccessToken {
        // The ID token came from the service over TLS and is not kept, so its signature is not verified. A user has
        // another id in another tenant, so the ids are compared within one tenant only.
        let claims = response.idToken.flatMap { IDTokenClaims(compact: $0.exposed) }
        if let tenantID = claims?.tenantID, tenantID.isSameID(as: user?.text("tid")),
            let known = user?.text("oid"), let named = claims?.objectID, !named.isSameID(as: known)
        {
            throw MSALTokenError(
                .invalidResponse,
                message: "The service sent tokens of another user. Nothing was kept.",
                correlationID: correlationID
            )
        }
        return try CachedAccessToken(
            response,
            scopes: scopes.values,
            tenant: tenant,
            user: user,
            correlationID: correlationID,
            jitter: environment.jitter
        )
    }

    /// - Throws: `.consentRequired` if the service did not grant all requested scopes.
    static func check(_ declined: ScopeSet, of token: CachedAccessToken) throws(MSALTokenError) {
        guard declined.isEmpty else {
            throw MSALTokenError(
                .consentRequired,
                message: "The service did not grant \(declined.text). The user or an administrator has to consent.",
                correlationID: token.correlationID
            )
        }
    }
}

extension TokenUser {
    /// The caller, according to the incoming token and the response; `nil` if neither names one.
    fileprivate convenience init?(_ incoming: IncomingToken, response: TokenResponse) {
        var claims: [String: MSALClaimValue] = [:]
        claims["oid"] = incoming.objectID.map(MSALClaimValue.string)
        claims["tid"] = incoming.tenant.map(MSALClaimValue.string)
        let named = response.clientInfo.flatMap(ClientInfo.init(raw:))?.homeAccountID
        let own = incoming.objectID.flatMap { id in incoming.tenant.map { "\(id).\($0)".lowercased() } }
        guard let id = named ?? own else { return nil }
        self.init(homeAccountID: id, claims: claims)
    }
}

extension String {
    /// Whether two ids are the same, whatever the case of their letters.
    func isSameID(as other: String?) -> Bool { other.map { $0.lowercased() == lowercased() } ?? false }
}

/// Exchanges the token that an API received for one for another API (Microsoft identity platform, "OAuth 2.0
/// On-Behalf-Of flow"; RFC 7523 §2.1).
package struct JWTBearerGrant: TokenGrant {
    /// The token that the API received.
    package let assertion: Secret

    package var grantType: String { "urn:ietf:params:oauth:grant-type:jwt-bearer" }

    package var parameters: FormBody {
        var form = FormBody()
        form.set(.assertion, to: assertion.exposed)
        form.set(.requestedTokenUse, to: "on_behalf_of")
        form.set(.clientInfo, to: "1")
        return form
    }
}

extension Parameter {
    fileprivate static let assertion = Parameter(rawValue: "assertion")
    fileprivate static let requestedTokenUse = Parameter(rawValue: "requested_token_use")
}
