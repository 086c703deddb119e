// Licensed under the MIT License. See LICENSE.

import Synchronization

/// The turn of one thread to create a store or to fetch its key, which may take long. Only threads that need the same
/// key wait for it.
struct KeyTurn: ~Copyable, Sendable {
    private let turn = OrderedMutex((), rank: .keying)
    /// Whether the thread whose turn it is may be waiting for the user.
    private let isAskingUser = Atomic(false)

    /// Runs `work` while no other thread has its turn.
    ///
    /// - Throws: `.keyUnavailable` if the call is cancelled while it waits. A call that may not ask the user throws it,
    ///   too, if it has waited two seconds for a call that may be asking the user. Besides these, the errors of `work`.
    func take<R>(
        _ patience: KeyPatience,
        file: String,
        work: () throws(StoreError) -> R
    ) throws(StoreError) -> R {
        assert(LockRank.keying.mayBeTaken, "The order of locks: the key was asked for too late.")
        var pauses = 0
        while true {
            let result = try turn.withLockIfAvailable { _ throws(StoreError) -> R in
                isAskingUser.store(patience.mayPrompt, ordering: .relaxed)
                defer { isAskingUser.store(false, ordering: .relaxed) }
                return try work()
            }
            if let result { return result }
            let isInVain = !patience.mayPrompt && isAskingUser.load(ordering: .relaxed) && pauses >= 80
            if isInVain || patience.isCanceled() {
                throw StoreError(
                    .keyUnavailable,
                    message: "Another call is asking for the key of the token store \(file). Try again."
                )
            }
            patience.pause()
            pauses += 1
        }
    }
}
