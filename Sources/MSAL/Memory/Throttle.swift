// Licensed under the MIT License. See LICENSE.

private import Crypto
import MSALBase
import MSALCore
private import Synchronization

/// Repeats the failure of a silent request from memory for a while, so that a loop in an app does not flood the service
/// (docs/reference/Silent.md#throttling).
package final class Throttle: Sendable {
    private struct Entry {
        let error: AuthError
        let created: Date
        let until: Date
        let endsWithSignIn: Bool

        /// Whether the time has passed, or the clock was set back since it began.
        func isOver(at now: Date) -> Bool { until <= now || created > now }
    }

    private let entries = Mutex<[RefreshKey: Entry]>([:])
    private let capacity = 1000

    init() {}

    /// The remembered failure of this request, marked as such; `nil` if it may be sent.
    func failure(for key: RefreshKey, now: Date) -> AuthError? {
        entries.withLock { entries in
            for candidate in [key, key.withoutClaims] {
                guard let entry = entries[candidate] else { continue }
                if entry.isOver(at: now) {
                    entries[candidate] = nil
                    continue
                }
                var error = entry.error
                error.isThrottled = true
                return error
            }
            return nil
        }
    }

    /// Stores a failure that should be throttled.
    func remember(_ error: AuthError, for key: RefreshKey, now: Date) {
        guard let (target, delay, endsWithSignIn) = plan(error, key: key, now: now) else { return }
        entries.withLock { entries in
            // An expired entry goes at once: it may hold a token of an account that was signed out meanwhile.
            entries = entries.filter { !$0.value.isOver(at: now) }
            if entries.count >= capacity, let oldest = entries.min(by: { $0.value.created < $1.value.created })?.key {
                entries[oldest] = nil
            }
            entries[target] = Entry(error: error, created: now, until: now + delay, endsWithSignIn: endsWithSignIn)
        }
    }

    /// Called after a sign-in: requests that failed because a sign-in was required may be sent again.
    func noteSignIn() {
        entries.withLock { entries in entries = entries.filter { !$0.value.endsWithSignIn } }
    }

    private func plan(_ error: AuthError, key: RefreshKey, now: Date) -> (RefreshKey, TimeInterval, Bool)? {
        if case .http(let status, let headers) = error.kind {
            let header = headers.first { $0.key.caseInsensitiveCompare("Retry-After") == .orderedSame }?.value
            guard status == 429 || status >= 500 || header != nil else { return nil }
            guard let header else { return (key.withoutClaims, 60, false) }
            return RetryAfter.delay(header, now: now).map { (key.withoutClaims, $0.seconds, false) }
        }
        if case .declinedScopes = error.kind { return (key, 120, true) }
        guard let oauth = error.oauth else { return nil }
        if let delay = oauth.retryAfter.flatMap({ RetryAfter.delay($0, now: now) }) {
            return (key.withoutClaims, delay.seconds, false)
        }
        return (key, 120, true)
    }
}

extension Duration {
    /// This span in seconds, as Foundation's dates count.
    package var seconds: TimeInterval { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// The identity of a redemption of a refresh token. Equal redemptions at the same time are one. A redemption that
/// failed is not repeated at once.
package struct RefreshKey: Sendable, Hashable {
    /// The request as it is sent. Requests that differ in spelling only are equal.
    private(set) var request: RequestIdentity
    let endpoint: URL
    let clientID: String
    /// The digest of the refresh token. A failure is remembered for longer than the token may live, so the token itself
    /// is not kept.
    private(set) var refreshToken: Data
    /// Whether the refresh is forced. Such a refresh must not get the token that another refresh found in the store
    /// meanwhile.
    var isForced = false
    var queryParameters: [String: String] = [:]

    /// `authority`: The authority that is asked, with the account's tenant.
    init(
        _ request: RequestIdentity,
        homeAccountID: String,
        authority: Authority,
        endpoint: URL,
        clientID: String,
        refreshToken: Secret
    ) {
        self.request = RequestIdentity(
            account: AccountReference(homeAccountID: homeAccountID, username: nil),
            authority: authority,
            scopes: ScopeSet(request.scopes.normalized.sorted()),
            claims: request.claims,
            keyID: request.keyID,
            isAuthorityValidated: request.isAuthorityValidated
        )
        self.endpoint = endpoint
        self.clientID = clientID
        self.refreshToken = Self.digest(refreshToken)
    }

    private static func digest(_ token: Secret) -> Data { Data(SHA256.hash(data: Data(token.exposed.utf8))) }

    /// The key of the same request with another refresh token.
    func with(_ refreshToken: Secret) -> RefreshKey {
        var copy = self
        copy.refreshToken = Self.digest(refreshToken)
        return copy
    }

    /// The key under which a failure is remembered, however the request is repeated.
    var ofAnyRepetition: RefreshKey {
        var copy = self
        copy.isForced = false
        copy.queryParameters = [:]
        return copy
    }

    /// The key for this request with any claims. A busy service gets none of them.
    var withoutClaims: RefreshKey {
        var copy = self
        copy.request = request.withoutClaims
        return copy
    }

    /// The key as one text, for other processes.
    var pauseName: String {
        [
            endpoint.absoluteString, clientID, refreshToken.base64EncodedString(), request.scopes.text,
            request.keyID ?? "",
        ].joined(separator: "\u{1F}")
    }
}
