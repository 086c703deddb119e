// Licensed under the MIT License. See LICENSE.

/// The times of an access token. They alone decide its state at a given time.
package struct TokenLife: Sendable, Hashable {
    /// The uses that a token has at a given time (docs/reference/Silent.md#access-token).
    package enum State: Sendable, Hashable {
        /// The token may be served.
        case usable
        /// The token should be renewed. It may be served if the service is unavailable.
        case refreshDue
        /// The token has expired. It may still bridge an outage if the app opted in.
        case extended
        /// The token has expired. It is deleted, and a refresh token is redeemed.
        case expired
    }

    package var cachedAt: Date
    /// A record without an end of validity is read as expired at the epoch.
    package var expiresOn: Date
    /// The end of the time in which the token may bridge an outage of the service.
    package var extendedExpiresOn: Date?
    /// The time from which the token should be renewed although it is still valid.
    package var refreshOn: Date?

    package init(cachedAt: Date, expiresOn: Date, extendedExpiresOn: Date? = nil, refreshOn: Date? = nil) {
        self.cachedAt = cachedAt
        self.expiresOn = expiresOn
        self.extendedExpiresOn = extendedExpiresOn
        self.refreshOn = refreshOn
    }

    /// The state of the token at `now` (docs/reference/Silent.md#access-token). A token with less than `buffer` left
    /// counts as expired.
    func state(at now: Date, buffer: Duration) -> State {
        // If the clock was set back, every date of the record is doubtful, the extended one too.
        if cachedAt > now { return .expired }
        // A token with exactly `buffer` left is good.
        if expiresOn >= now.addingTimeInterval(buffer / .seconds(1)) {
            return refreshOn.map { $0 < now } == true ? .refreshDue : .usable
        }
        return extendedExpiresOn.map { $0 > now } == true ? .extended : .expired
    }
}
