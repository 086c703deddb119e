// Licensed under the MIT License. See LICENSE.

import Glibc
import Synchronization

/// The locks of a store, in the order in which a thread may take them. A thread that holds one may take only those
/// below it. Debug builds stop at a violation; release builds do not check.
///
/// Two of them are locks of the kernel, which exclude other processes too. The locks of SQLite come after all of them:
/// no lock of this list is taken inside a transaction.
enum LockRank: UInt, Sendable {
    /// The list of stores that are closed when the process ends.
    case ending
    /// One thread at a time creates a store or fetches its key, which may take as long as the user needs.
    case keying
    /// One process at a time creates a store or changes its keys: the kernel's lock on the directory.
    case directory
    /// The open parts of a store: its connections and its keys.
    case open
    /// One process at a time mends a damaged file: the kernel's lock on `.recovery`.
    case recovery
    /// One thread of the process at a time opens a file of any store.
    case opening
    /// One thread at a time uses a reading connection.
    case reading
    /// The state that a thread last saw of a log. No other lock is taken while this one is held.
    case view

    /// Notes that this thread takes the lock. Callers use it in an `assert`, which release builds leave out.
    ///
    /// `mayWait`: Whether the thread waits for the lock if another has it. A thread that does not wait cannot be part
    /// of a deadlock.
    ///
    /// - Returns: Whether the order allows it.
    func take(mayWait: Bool = true) -> Bool {
        let held = Self.held
        Self.held = held | bit
        return !mayWait || held < bit
    }

    /// Whether the order allows this thread to take the lock.
    var mayBeTaken: Bool { Self.held < bit }

    /// Notes that this thread let go of the lock. Always `true`.
    func release() -> Bool {
        Self.held &= ~bit
        return true
    }

    private var bit: UInt { 1 << rawValue }

    /// The locks that this thread holds, one bit for each: kept in place of a pointer to them.
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

/// A mutex with a position in the order of locks.
struct OrderedMutex<Value: ~Copyable>: ~Copyable, Sendable {
    private let mutex: Mutex<Value>
    private let rank: LockRank

    init(_ value: consuming sending Value, rank: LockRank) {
        mutex = Mutex(value)
        self.rank = rank
    }

    /// Runs `body` when no other thread has the value.
    @inline(__always)
    func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        assert(rank.take(), "The order of locks: \(rank) was taken too late.")
        defer { assert(rank.release()) }
        return try mutex.withLock(body)
    }

    /// Runs `body` if no other thread has the value just now; else returns `nil`.
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
