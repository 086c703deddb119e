// Licensed under the MIT License. See LICENSE.

import Glibc
import Synchronization

/// The locks of a store, in the order in which a thread may acquire them. A thread that holds one may only acquire
/// those below it. Debug builds trap on a violation; release builds do not check.
///
/// Two of them are kernel locks that also exclude other processes. SQLite's locks come last: no lock of this list is
/// acquired inside a transaction.
enum LockRank: UInt, Sendable {
    /// The list of stores to close when the process exits.
    case ending
    /// One thread at a time creates a store or fetches its key, which may involve waiting for the user.
    case keying
    /// One process at a time creates a store or changes its keys: the kernel lock on the directory.
    case directory
    /// The open resources of a store: its connections and its keys.
    case open
    /// One process at a time repairs a damaged file: the kernel lock on `.recovery`.
    case recovery
    /// One thread of the process at a time opens the file of any store.
    case opening
    /// One thread at a time uses a read connection.
    case reading
    /// The state of a log as a thread last saw it. No other lock is acquired while this one is held.
    case view

    /// Records that this thread acquires the lock. Call it in an `assert`, which release builds omit.
    ///
    /// `mayWait`: Whether the thread blocks if another thread has the lock. A thread that does not block cannot be part
    /// of a deadlock.
    ///
    /// - Returns: Whether the order permits it.
    func take(mayWait: Bool = true) -> Bool {
        let held = Self.held
        Self.held = held | bit
        return !mayWait || held < bit
    }

    /// Whether the order permits this thread to acquire the lock.
    var canBeAcquired: Bool { Self.held < bit }

    /// Records that this thread released the lock. Always `true`.
    func release() -> Bool {
        Self.held &= ~bit
        return true
    }

    private var bit: UInt { 1 << rawValue }

    /// The locks that this thread holds, one bit each, stored directly in the thread-specific pointer.
    private static var held: UInt {
        get { UInt(bitPattern: pthread_getspecific(key)) }
        set { pthread_setspecific(key, UnsafeRawPointer(bitPattern: newValue)) }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()
}

/// A mutex with a rank in the lock order.
struct OrderedMutex<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let rank: LockRank

    init(_ value: consuming sending Value, rank: LockRank) {
        mutex = Mutex(value)
        self.rank = rank
    }

    /// Runs `body` once no other thread has the value.
    @inline(__always)
    func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        assert(rank.take(), "Lock order violation: \(rank) was acquired too late.")
        defer { assert(rank.release()) }
        return try mutex.withLock(body)
    }

    /// Runs `body` if no other thread has the value at the moment; otherwise returns `nil`.
    @inline(__always)
    func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        try mutex.withLockIfAvailable { (value) throws(Failure) -> sending Result in
            assert(rank.take(mayWait: false))
            defer { assert(rank.release()) }
            return try body(&value)
        }
    }
}
