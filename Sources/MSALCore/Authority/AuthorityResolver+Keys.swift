// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALBase
import Synchronization

/// A provider's key set in memory.
struct CachedKeySet: Sendable {
    var keys: [JSONWebKey]
    var fetchedAt: Date
    /// The last fetch that a missing key caused.
    var miss: Miss?

    struct Miss: Sendable {
        let time: Date
        /// The failure of the fetch. It is `nil` if the fetch succeeded.
        var failure: AuthorityError?
    }
}

extension AuthorityResolver {
    /// The time after which a key set is fetched again (docs/reference/Protocol.md#key-sets).
    static let keyLifetime: TimeInterval = 24 * 60 * 60
    /// The shortest time between two fetches that missing keys cause (docs/reference/Protocol.md#key-sets).
    static let missInterval: TimeInterval = 5 * 60

    /// The signing keys of a provider. They come from memory if they are fresh and contain the requested key.
    ///
    /// - Parameters:
    ///   - configuration: The provider's metadata.
    ///   - keyID: The key that a token names. If it is missing, the set is fetched again, because providers roll their
    ///     keys. That happens at most once in five minutes, because forged tokens must not cause unlimited requests.
    ///   - correlationID: The id of the call for the provider's logs.
    /// - Returns: The whole set, whether or not it holds `keyID`.
    /// - Throws: `.invalidResponse` if the metadata name no key set or it is malformed. `.http` or `.transport` if it
    ///   cannot be fetched, or could not in the last five minutes. It is then unknown whether the key exists.
    package func keys(
        for configuration: OpenIDConfiguration,
        keyID: String?,
        correlationID: UUID
    ) async throws(AuthorityError) -> [JSONWebKey] {
        guard let url = configuration.jwksURI else {
            throw AuthorityError(.invalidResponse, message: "The OpenID Connect metadata have no jwks_uri.")
        }
        let now = time.now
        guard let known = held.withLock({ $0.keySets[url] }), now.isWithin(Self.keyLifetime, after: known.fetchedAt)
        else { return try await fetchKeys(at: url, missing: nil, correlationID: correlationID) }

        guard let keyID, !known.keys.contains(where: { $0.kid == keyID }) else { return known.keys }
        if let miss = known.miss, now.isWithin(Self.missInterval, after: miss.time) {
            if let failure = miss.failure { throw failure }
            return known.keys
        }
        return try await fetchKeys(at: url, missing: now, correlationID: correlationID)
    }

    /// The keys in memory, of any age. The result is `nil` if they were never fetched. No request is sent.
    package func heldKeys(jwksURI: URL) -> [JSONWebKey]? {
        held.withLock { $0.keySets[jwksURI]?.keys }
    }

    private func fetchKeys(
        at url: URL,
        missing time: Date?,
        correlationID: UUID
    ) async throws(AuthorityError) -> [JSONWebKey] {
        try await keyFetches.run(url.absoluteString) {
            await self.requestKeys(at: url, missing: time, correlationID: correlationID)
        }
    }

    private func requestKeys(
        at url: URL,
        missing time: Date?,
        correlationID: UUID
    ) async -> Result<[JSONWebKey], AuthorityError> {
        do throws(AuthorityError) {
            let keys = try await keySet(at: url, correlationID: correlationID)
            let fetched = CachedKeySet(
                keys: keys,
                fetchedAt: self.time.now,
                miss: time.map { CachedKeySet.Miss(time: $0) }
            )
            held.withLock { $0.keySets[url] = fetched }
            return .success(keys)
        } catch {
            // A failed attempt also counts for the interval, unless the caller canceled it.
            if let time, !Task.isCancelled {
                held.withLock { $0.keySets[url]?.miss = CachedKeySet.Miss(time: time, failure: error) }
            }
            return .failure(error)
        }
    }
}

extension AuthorityResolver {
    /// Fetches the key set at `url`.
    func keySet(at url: URL, correlationID: UUID) async throws(AuthorityError) -> [JSONWebKey] {
        let response = try await send(try message(url, correlationID: correlationID))
        guard response.status == 200 else {
            throw AuthorityError(response, from: "The endpoint for signing keys at \(url.host() ?? "the authority")")
        }
        return try JSONWebKey.set(parsing: response.body)
    }
}

extension Date {
    /// Whether at most `interval` seconds have passed since `start`. The result is false if the clock was set back.
    func isWithin(_ interval: TimeInterval, after start: Date) -> Bool {
        (0...interval).contains(timeIntervalSince(start))
    }
}
