// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
import Synchronization

/// Names the key set that a provider publishes for one app.
struct AppKeys: Sendable, Hashable {
    let issuer: String
    let clientID: String

    /// The key of the shared fetch.
    var text: String { "\(issuer) \(clientID)" }
}

/// Finds the keys of apps with signing keys of their own (Microsoft's "Customize claims with the claims mapping policy",
/// section "Configure a custom signing key"). Only the metadata for a request with `appid` name that key set.
extension AuthorityResolver {
    /// The keys that may have signed a token for an app. They are the provider's, and also the app's if `keyID` is not
    /// among them.
    ///
    /// - Parameters:
    ///   - authority: The authority that issued the token.
    ///   - clientID: The app. Its own set is fetched at most once in five minutes.
    ///   - keyID: The key that the token names.
    ///   - correlationID: The id of the call for the provider's logs.
    /// - Returns: The keys, whether or not `keyID` is among them.
    /// - Throws: `.invalidResponse` if the metadata name no key set or it is malformed. `.http` or `.transport` if a
    ///   set cannot be fetched, or could not in the last five minutes. It is then unknown whether the key exists.
    package func keys(
        of authority: ResolvedAuthority,
        forApp clientID: String,
        keyID: String?,
        correlationID: UUID
    ) async throws(AuthorityError) -> [JSONWebKey] {
        let app = AppKeys(issuer: authority.configuration.issuer, clientID: clientID)
        let isWanted = { (key: JSONWebKey) in key.kid == keyID }
        let now = time.now
        if keyID != nil, let known = held.withLock({ $0.appKeySets[app] }), known.keys.contains(where: isWanted),
            now.isWithin(Self.keyLifetime, after: known.fetchedAt)
        {
            return known.keys
        }
        let keys = try await keys(for: authority.configuration, keyID: keyID, correlationID: correlationID)
        guard authority.authority.kind != .oidc, keyID != nil, !keys.contains(where: isWanted) else { return keys }

        if let miss = held.withLock({ $0.appKeySets[app]?.miss }), now.isWithin(Self.missInterval, after: miss.time) {
            if let failure = miss.failure { throw failure }
            return keys
        }
        return try await keyFetches.run(app.text) {
            await self.requestKeys(of: authority, for: app, correlationID: correlationID)
        }
    }

    /// The keys in memory that may have signed a token for an app. They may be stale. No request is sent.
    package func heldKeys(of authority: ResolvedAuthority, forApp clientID: String) -> [JSONWebKey] {
        let app = AppKeys(issuer: authority.configuration.issuer, clientID: clientID)
        let own = held.withLock { $0.appKeySets[app]?.keys ?? [] }
        return own + (authority.configuration.jwksURI.flatMap(heldKeys) ?? [])
    }

    private func requestKeys(
        of authority: ResolvedAuthority,
        for app: AppKeys,
        correlationID: UUID
    ) async -> Result<[JSONWebKey], AuthorityError> {
        var query = FormBody()
        query.set(.applicationID, to: app.clientID)
        let url = query.appended(to: authority.configurationURL)
        let now = time.now
        do throws(AuthorityError) {
            let document = try await fetchConfiguration(at: url, correlationID: correlationID)
            var keys: [JSONWebKey] = []
            // Metadata of another issuer do not count, and neither does a key set at another host. The common set is known
            // already.
            if document.issuer == app.issuer, let appKeys = document.jwksURI,
                let common = authority.configuration.jwksURI,
                appKeys != common, AuthorityAddress(appKeys)?.environment == AuthorityAddress(common)?.environment
            {
                keys = try await keySet(at: appKeys, correlationID: correlationID)
            }
            held.withLock {
                $0.appKeySets[app] = CachedKeySet(keys: keys, fetchedAt: now, miss: CachedKeySet.Miss(time: now))
            }
            return .success(keys)
        } catch {
            // A failed attempt also counts for the interval, unless the caller canceled it.
            guard !Task.isCancelled else { return .failure(error) }
            // A response may mean that the provider has no keys for this app. Without a response nothing is known.
            let failure = error.isResponse ? nil : error
            held.withLock { held in
                var known = held.appKeySets[app] ?? CachedKeySet(keys: [], fetchedAt: .distantPast)
                known.miss = CachedKeySet.Miss(time: now, failure: failure)
                held.appKeySets[app] = known
            }
            return failure.map { .failure($0) } ?? .success([])
        }
    }
}

extension AuthorityError {
    /// Whether the provider sent a response that holds no metadata or keys of an app.
    fileprivate var isResponse: Bool {
        switch kind {
        case .validationFailed, .invalidResponse: true
        case .http(let status, _): status < 500 && status != 429
        case .invalidParameter, .unexpected, .transport: false
        }
    }
}
