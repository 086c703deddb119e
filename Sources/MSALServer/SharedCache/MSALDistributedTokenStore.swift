// Licensed under the MIT License. See LICENSE.

/// A store outside the process, in which the instances of a service share the tokens of their users.
///
/// The library seals each value before it gives it to a store, and blinds each name. A store keeps bytes under names, and
/// has to know nothing else. `MSALStoreConformance` checks one.
///
/// What a store promises:
/// - **Time.** A value ends after its `expiresIn` by the store's own clock, never by the clock of the instance. An ended
///   value is absent everywhere: in reads, in conditions, in what it holds.
/// - **Versions.** Each write gives the value a version that the name has never had, also if the value was removed or ended
///   in between. The time of the store in microseconds, raised if it has not grown, will do.
/// - **Conditions.** The comparison and the write are one step, for all instances.
/// - **Partitions.** Values of one partition are removed together. A partition has as many as 40 values, which may end at
///   different times. A short-lived value must not take a long-lived one of its partition with it.
/// - **Round trips.** Each function is one round trip, however many names it is given.
/// - **Failures.** What cannot be answered is thrown. A name without a value is no failure. The library gives up a call
///   after ``MSALSharedCacheConfiguration/timeLimit`` and cancels its task; the store ends its work then. A write that was
///   given up may have happened or not.
/// - **Threads.** A call begins on the thread of the library's caller. A store that waits suspends its task, and never
///   blocks the thread: no time limit can end that.
///
/// All functions may be called at the same time. A store that the library cannot reach never fails a call for a token that
/// can be had elsewhere.
public protocol MSALDistributedTokenStore: Sendable {
    /// The text that tells the names of this store apart from others in the same engine, such as `msal:1:`, or the name
    /// of a table. A sealed value is bound to it, so that the value opens in no other place. It never changes.
    var prefix: String { get }

    /// The values of these names, in the same order, in one round trip. The names may be of several partitions.
    ///
    /// - Parameter names: One name at least, and 32 at most.
    /// - Returns: As many entries as names: `nil` for a name that has no value, or one that ended.
    /// - Throws: Any error if the store does not answer, or not for all names.
    func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?]

    /// Keeps a value in place of the one that was there, if the condition holds.
    ///
    /// With a lease, the store notes the lease's number beside the value. It refuses the write if the value that is there
    /// was written with a greater number: a later holder has written. Whether the lease has ended does not matter. Without a
    /// lease no number is compared, and the value counts as written with the number 0.
    ///
    /// - Parameters:
    ///   - value: At most 64 KiB. All bytes may be in it, also zero, and it may be empty.
    ///   - name: Where it is kept.
    ///   - expiresIn: The time after which the value ends, by the store's clock. It is a second at least.
    ///   - condition: What must be there before.
    ///   - lease: The lease on this name that the writer has or had.
    /// - Returns: Whether it was written: `false` if the condition does not hold or a later holder has written.
    /// - Throws: Any error if it is not known to be written.
    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool

    /// Removes the values of these names. A name without a value is removed already.
    ///
    /// - Parameter names: One name at least, and 64 at most, perhaps of several partitions.
    /// - Throws: Any error unless all are removed.
    func remove(_ names: [MSALStoreName]) async throws

    /// Removes all values of a partition, because a user signs out. Leases may stay.
    ///
    /// - Throws: Any error unless all are removed.
    func removeAll(in partition: MSALStorePartition) async throws

    /// Takes a lease on a name, so that other instances wait for what this one does. Whether the name has a value does not
    /// matter, and a lease keeps nobody from reading or writing.
    ///
    /// - Parameters:
    ///   - name: What the lease is for.
    ///   - duration: The time after which the lease ends by itself, by the store's clock.
    /// - Returns: A lease whose number is greater than that of all earlier ones on this name, those included that were
    ///   released or have ended; `nil` if somebody holds one.
    /// - Throws: Any error if the store does not answer. A lease that was given nevertheless ends by itself.
    func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)?

    /// Gives a lease back before its end. One that has ended, that was released already or that another holder has taken
    /// over since is no failure, and the other's lease stays.
    ///
    /// - Throws: Any error if the store does not answer.
    func release(_ lease: any MSALStoreLease) async throws
}

extension MSALDistributedTokenStore {
    /// The empty text, because the store is alone in its engine.
    public var prefix: String { "" }
}

/// The condition under which a value is written.
public enum MSALWriteCondition: Sendable, Hashable {
    /// The value is written whatever is there.
    case always
    /// The value is written if none is there.
    case absent
    /// The value is written if the value of this version is there.
    case version(MSALStoreVersion)
}
