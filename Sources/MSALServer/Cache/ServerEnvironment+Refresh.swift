// Licensed under the MIT License. See LICENSE.

import MSALBase

extension ServerEnvironment {
    /// Fetches the successor of a token in the background, unless another call does so already. The caller goes on at
    /// once.
    ///
    /// The metrics count the refresh. A failure goes to `observer` and to the log, which shows `name` and not the
    /// token.
    func refresh(
        behind token: AppToken,
        called name: String,
        observer: AppTokens.Observer?,
        fetch: @escaping @Sendable () async throws(MSALTokenError) -> Void
    ) {
        guard token.beginRefresh(at: time.wholeSeconds) else { return }
        behind {
            var failure: MSALTokenError?
            do throws(MSALTokenError) {
                try await fetch()
            } catch {
                failure = error
            }
            countRefresh(failing: failure)
            token.endRefresh(retryAt: time.wholeSeconds + Self.pauseAfterFailedRefresh)
            guard let failure else { return }
            await logged(as: failure.correlationID) {
                Log.warning("\(name) could not be refreshed ahead of time: \(failure.message)")
            }
            observer?(failure)
        }
    }

    /// The seconds between a failed refresh and the next attempt.
    private static var pauseAfterFailedRefresh: Int64 { 30 }
}
