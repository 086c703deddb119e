// Licensed under the MIT License. See LICENSE.

import MSALBase

extension ServerEnvironment {
    /// Fetches the successor of a token in the background, unless another call does so already. The caller goes on at
    /// once.
    ///
    /// The metrics count the refresh, and `observer` receives its outcome. The log shows a failure, with `name` and not
    /// the token.
    func refresh(
        behind token: CachedAccessToken,
        called name: String,
        observer: AccessTokenSource.Observer?,
        fetch: @escaping @Sendable () async throws(MSALTokenError) -> MSALTokenResult
    ) {
        guard token.beginRefresh(at: time.wholeSeconds) else { return }
        behind {
            let outcome = await Result { () async throws(MSALTokenError) in try await measured(fetch) }
            token.endRefresh(retryAt: time.wholeSeconds + Self.pauseAfterFailedRefresh)
            switch outcome {
            case .success: instruments.countBackgroundRefresh(.success)
            case .failure(let failure):
                instruments.countBackgroundRefresh(.failure)
                await logged(as: failure.correlationID) {
                    Log.warning("\(name) could not be refreshed ahead of time: \(failure.message)")
                }
            }
            observer?(outcome)
        }
    }

    /// The seconds between a failed refresh and the next attempt.
    private static var pauseAfterFailedRefresh: Int64 { 30 }
}
