// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore
import SealedStore

/// Honours a `Retry-After` that another process received. A shell, for example, may start the same command in a loop.
extension RefreshFlow {
    /// The failure of this request that another process got, if the service's `Retry-After` is not over yet.
    func pausedFailure(for key: RefreshKey) -> AuthError? {
        let now = time.now
        do throws(StoreError) {
            return try tokens.cache.pause(key.pauseName, now: now).map(failure)
        } catch {
            Log.verbose("Whether the service asked for a pause cannot be read: \(error.message)")
            return nil
        }
    }

    /// The failure of a request that has to wait.
    func failure(of pause: ServicePause) -> AuthError {
        let seconds = Int(pause.until.timeIntervalSince(time.now).rounded(.up))
        var error = AuthError(
            .http(status: pause.status, headers: ["Retry-After": String(seconds)]),
            message:
                "The service responded with HTTP status \(pause.status) a while ago and asked for a pause. "
                + "Try again in \(seconds) seconds."
        )
        error.isThrottled = true
        return error
    }

    /// Tells other processes of a `Retry-After`, if there was one.
    func keepPause(after error: AuthError, for key: RefreshKey) {
        let now = time.now
        guard case .http(let status, let headers) = error.kind,
            let header = headers.first(where: { $0.key.caseInsensitiveCompare("Retry-After") == .orderedSame })?.value,
            let delay = RetryAfter.delay(header, now: now)
        else { return }
        do throws(StoreError) {
            try tokens.cache.keep(ServicePause(status: status, until: now + delay.seconds), for: key.pauseName)
        } catch {
            // The pause counts in this process all the same.
            Log.verbose("The service's Retry-After cannot be kept for other processes: \(error.message)")
        }
    }
}
