// Licensed under the MIT License. See LICENSE.

import Synchronization

/// Lets one thread at a time create a store or fetch its key, which may take long. Only threads that need the same key
/// wait for it.
struct KeyAccessLock: ~Copyable, Sendable {
    private let turn = OrderedMutex((), rank: .keying)
    /// Whether the thread that has access may be waiting for the user.
    private let isAskingUser = Atomic(false)

    /// Runs `work` with exclusive access.
    ///
    /// - Throws: `.keyUnavailable` if the call is canceled while it waits, or if it may not prompt the user and has
    ///   waited two seconds for a call that may. Also the errors of `work`.
    func take<R>(
        _ keyAccess: KeyAccessOptions,
        file: String,
        work: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        assert(LockRank.keying.canBeAcquired, "Lock order violation: the key was requested too late.")
        var pauses = 0
        while true {
            let result = try turn.withLockIfAvailable { _ throws(StoreError) -> R in
                isAskingUser.store(keyAccess.mayPrompt, ordering: .relaxed)
                defer { isAskingUser.store(false, ordering: .relaxed) }
                return try work()
            }
            if let result { return result }
            let isInVain = !keyAccess.mayPrompt && isAskingUser.load(ordering: .relaxed) && pauses >= 80
            if isInVain || keyAccess.isCanceled() {
                throw StoreError(
                    .keyUnavailable,
                    message: "Another call is fetching the key of the token store \(file). Try again."
                )
            }
            keyAccess.pause()
            pauses += 1
        }
    }
}
