// Licensed under the MIT License. See LICENSE.

/// The times of an access token, which determine its state.
package struct TokenLife: Sendable, Hashable {
    /// What a token can be used for at a given time (docs/reference/Silent.md#access-token).
    package enum State: Sendable, Hashable {
        /// The token can be returned.
        case usable
        /// The token should be renewed. It can be returned if the service is unavailable.
        case refreshDue
        /// The token has expired. If the app opted in, it can still bridge an outage.
        case extended
        /// The token has expired. It is deleted, and a refresh token is redeemed.
        case expired
    }

    package var cachedAt: Date
    /// A record without an expiry is read as expired at the epoch.
    package var expiresOn: Date
    /// The end of the period in which the token can bridge an outage of the service.
    package var extendedExpiresOn: Date?
    /// The time from which the token should be renewed although it is still valid.
    package var refreshOn: Date?

    package init(cachedAt: Date, expiresOn: Date, extendedExpiresOn: Date? = nil, refreshOn: Date? = nil) {
        self.cachedAt = cachedAt
        self.expiresOn = expiresOn
        self.extendedExpiresOn = extendedExpiresOn
        self.refreshOn = refreshOn
    }

    /// The state of the token at `now` (docs/reference/Silent.md#access-token). A token that expires within `buffer`
    /// counts as expired.
    func state(at now: Date, buffer: Duration) -> State {
        // If the clock was set back, every date of the record is unreliable, including the extended expiry.
        if cachedAt > now { return .expired }
        // A token with exactly `buffer` left is valid.
        if expiresOn >= now.addingTimeInterval(buffer / .seconds(1)) {
            return refreshOn.map { $0 < now } == true ? .refreshDue : .usable
        }
        return extendedExpiresOn.map { $0 > now } == true ? .extended : .expired
    }
}

extension Date {
    /// This time without its fraction because the cache stores whole seconds.
    var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }
}
