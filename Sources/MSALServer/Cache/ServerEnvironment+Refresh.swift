// Licensed under the MIT License. See LICENSE.

import MSALBase

extension ServerEnvironment {
    /// Fetches the successor of a token in the background, unless another call does so already. The caller goes on at
    /// once.
    ///
    /// The metrics count the refresh. A failure goes to `observer` and to the log, which shows `name` and not the
    /// token.
    func refresh(
        behind token: CachedAccessToken,
        called name: String,
        observer: AccessTokenSource.Observer?,
        fetch: @escaping @Sendable () async throws(MSALTokenError) -> Void
    ) {
        guard token.beginRefresh(at: time.wholeSeconds) else { return }
        behind { await endRefresh(behind: token, called: name, observer: observer, outcome: Result(catching: fetch)) }
    }

    /// Ends the refresh of a token: counts it, and reports a failure.
    func endRefresh<Value>(
        behind token: CachedAccessToken,
        called name: String,
        observer: AccessTokenSource.Observer?,
        outcome: Result<Value, MSALTokenError>
    ) async {
        token.endRefresh(retryAt: time.wholeSeconds + Self.pauseAfterFailedRefresh)
        guard case .failure(let failure) = outcome else { return instruments.countBackgroundRefresh(.success) }
        instruments.countBackgroundRefresh(.failure)
        await logged(as: failure.correlationID) {
            Log.warning("\(name) could not be refreshed ahead of time: \(failure.message)")
        }
        observer?(failure)
    }

    /// The seconds between a failed refresh and the next attempt.
    private static var pauseAfterFailedRefresh: Int64 { 30 }
}
