// Licensed under the MIT License. See LICENSE.

/// The times of an access token. They alone decide its state at a given time.
struct TokenLife: Sendable {
    let cachedAt: Date
    let expiresOn: Date
    let extendedExpiresOn: Date?
    let refreshOn: Date?

    /// The state of the token at `now` (docs/reference/Silent.md#access-token). A token with less than `buffer` left
    /// counts as expired.
    func state(at now: Date, buffer: Duration) -> AccessTokenHit.State {
        // If the clock was set back, every date of the record is doubtful, the extended one too.
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
