// Licensed under the MIT License. See LICENSE.

/// The times of an access token, which alone decide what it is good for at a moment.
struct TokenLife: Sendable {
    let cachedAt: Date
    let expiresOn: Date
    let extendedExpiresOn: Date?
    let refreshOn: Date?

    /// What the token is good for at `now` (docs/reference/Silent.md#access-token), if one with less than `buffer` left counts
    /// as expired.
    func state(at now: Date, buffer: Duration) -> AccessTokenHit.State {
        // A clock that was set back makes every date of the record doubtful, the extended one too.
        if cachedAt > now { return .expired }
        // A token with exactly `buffer` left is good.
        if expiresOn >= now.addingTimeInterval(buffer / .seconds(1)) {
            return refreshOn.map { $0 < now } == true ? .refreshDue : .usable
        }
        return extendedExpiresOn.map { $0 > now } == true ? .extended : .expired
    }
}

extension AccessTokenRecord {
    var life: TokenLife {
        TokenLife(
            cachedAt: cachedAt,
            expiresOn: expiresOn,
            extendedExpiresOn: extendedExpiresOn,
            refreshOn: refreshOn
        )
    }
}
