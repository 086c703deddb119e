// Licensed under the MIT License. See LICENSE.

import MSALSupport

/// The wait for others who spend the refresh token that this call wants to spend (docs/reference/Store.md#leases).
struct LeaseWait: Sendable {
    /// Another process's commit is noticed after this long; nothing announces it.
    static let step = Duration.milliseconds(25)
    /// How long one holder is waited for.
    static let most = Duration.seconds(10)

    /// The lease that was waited for, and how long.
    private var lease: RefreshLease?
    private var waited = Duration.zero

    /// The lease to take over: its holder was given all the time there is.
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
        // Always a step at least: a store that others change all the time must not keep the caller from counting.
        repeat {
            try await time.sleep(for: Self.step)
            waited += Self.step
        } while waited < Self.most && !hasChanged()
    }
}
