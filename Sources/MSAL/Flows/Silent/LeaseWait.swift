// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The wait for others who redeem the refresh token that this call wants to redeem (docs/reference/Store.md#leases).
struct LeaseWait: Sendable {
    /// The time between two looks for another process's commit, which nothing announces.
    static let step = Duration.milliseconds(25)
    /// The longest wait for one holder.
    static let most = Duration.seconds(10)

    /// The lease that was waited for, and the length of the wait.
    private var lease: RefreshLease?
    private var waited = Duration.zero

    /// The lease to take over, once its holder was waited for 10 seconds; `nil` before.
    var abandoned: RefreshLease? { waited >= Self.most ? lease : nil }

    /// Waits until the store changes, or the holder of `lease` has had its time.
    ///
    /// - Throws: `CancellationError` if the caller gave up.
    mutating func wait(
        for lease: RefreshLease,
        by time: any TimeSource,
        until hasChanged: () -> Bool
    ) async throws(CancellationError) {
        if lease != self.lease {
            self.lease = lease
            waited = .zero
        }
        // Sleeps at least once. Otherwise a store that changes constantly would never let `waited` grow.
        repeat {
            try await time.sleep(for: Self.step)
            waited += Self.step
        } while waited < Self.most && !hasChanged()
    }
}
