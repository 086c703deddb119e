// Licensed under the MIT License. See LICENSE.

/// A store outside the process, through which the instances of a service share the tokens of their users.
///
/// The library encrypts each value before it passes it to a store, and obscures each name. A store keeps bytes under
/// names, and needs no other knowledge. `MSALStoreConformance` tests an implementation.
///
/// Requirements for a store:
/// - **Time.** A value expires after its `expiresIn` by the store's own clock, never by the clock of the instance. An
///   expired value counts as absent everywhere: in reads, in conditions, and in the contents.
/// - **Versions.** Each write gives the value a version that the name has never had, even if the value was removed or
///   expired in between. The store's time in microseconds, increased if it has not advanced, is sufficient.
/// - **Conditions.** Comparing and writing are one atomic step across all instances.
/// - **Partitions.** The values of a partition are removed together. A partition has up to 40 values, which may expire
///   at different times. The expiration of a short-lived value must not remove a long-lived value of its partition.
/// - **Round trips.** Each function takes one round trip, regardless of the number of names.
/// - **Failures.** If the store cannot produce a result, it throws. A name without a value is not a failure. The
///   library abandons a call after ``MSALSharedCacheConfiguration/timeLimit`` and cancels its task; the store then
///   stops its work. An abandoned write may or may not have happened.
/// - **Threads.** A call begins on the thread of the library's caller. A store that waits suspends its task, and never
///   blocks the thread, because no time limit can end that.
///
/// All functions may be called concurrently. If the store is unreachable, a call fails only if its token cannot be
/// obtained elsewhere.
public protocol MSALDistributedTokenStore: Sendable {
    /// A prefix that distinguishes the names of this store from others in the same database, such as `msal:1:`, or the
    /// name of a table. An encrypted value is bound to it, and cannot be decrypted under another prefix. It never
    /// changes.
    var prefix: String { get }

    /// Reads the values of these names, in the same order, in one round trip. The names may be of several partitions.
    ///
    /// - Parameter names: 1 to 32 names.
    /// - Returns: As many entries as names: `nil` for a name whose value is absent or has expired.
    /// - Throws: Any error if the store does not respond, or not for all names.
    func read(_ names: [MSALStoreName]) async throws -> [MSALStoreEntry?]

    /// Writes a value, replacing any existing one, if the condition is met.
    ///
    /// With a lease, the store saves the lease's number with the value. It rejects the write if the existing value was
    /// written with a greater number, because then a later holder has written. It does not matter whether the lease has
    /// expired. Without a lease, no numbers are compared, and the value counts as written with the number 0.
    ///
    /// - Parameters:
    ///   - value: At most 64 KiB of arbitrary bytes, including zero bytes. It may be empty.
    ///   - name: The name of the value.
    ///   - expiresIn: The time after which the value expires, by the store's clock; at least one second.
    ///   - condition: The required state before the write.
    ///   - lease: The lease on this name that the writer has or had.
    /// - Returns: Whether the value was written: `false` if the condition is not met or a later holder has written.
    /// - Throws: Any error if the outcome of the write is unknown.
    func write(
        _ value: [UInt8],
        to name: MSALStoreName,
        expiresIn: Duration,
        if condition: MSALWriteCondition,
        lease: (any MSALStoreLease)?
    ) async throws -> Bool

    /// Removes the values of these names. A name without a value counts as removed.
    ///
    /// - Parameter names: 1 to 64 names, which may be of several partitions.
    /// - Throws: Any error unless all are removed.
    func remove(_ names: [MSALStoreName]) async throws

    /// Removes all values of a partition when a user signs out. Leases may remain.
    ///
    /// - Throws: Any error unless all are removed.
    func removeAll(in partition: MSALStorePartition) async throws

    /// Acquires a lease on a name, so that other instances wait for the holder's work. It does not matter whether the
    /// name has a value, and a lease does not prevent reads or writes.
    ///
    /// - Parameters:
    ///   - name: The name to lease.
    ///   - duration: The time after which the lease expires, by the store's clock.
    /// - Returns: A lease whose number is greater than that of all earlier leases on this name, including released and
    ///   expired ones; `nil` if there is another holder.
    /// - Throws: Any error if the store does not respond. If the lease was acquired nevertheless, it expires on its
    ///   own.
    func lease(on name: MSALStoreName, for duration: Duration) async throws -> (any MSALStoreLease)?

    /// Releases a lease before it expires. If it has expired, was already released, or has been taken over by another
    /// holder, that is not an error, and the other holder's lease remains.
    ///
    /// - Throws: Any error if the store does not respond.
    func release(_ lease: any MSALStoreLease) async throws
}

extension MSALDistributedTokenStore {
    /// An empty prefix, for a store that does not share its database.
    public var prefix: String { "" }
}

/// The condition of a write.
public enum MSALWriteCondition: Sendable, Hashable {
    /// Write unconditionally.
    case always
    /// Write only if no value exists.
    case absent
    /// Write only if the existing value has this version.
    case version(MSALStoreVersion)
}

/// The exclusive right to do something that other instances wait for. Each store has its own type, with what it needs
/// to recognize the holder.
public protocol MSALStoreLease: Sendable {
    /// The name that the lease is on.
    var name: MSALStoreName { get }

    /// Greater than the numbers of all earlier leases on the name, and greater than 0.
    var number: UInt64 { get }
}

/// A group of values that are removed together: those of one user, session, or application.
///
/// The library derives the text from the names with a secret (HMAC-SHA256 of RFC 2104, truncated to 16 bytes). The
/// names cannot be recovered from it, and two stores with different secrets have no texts in common.
public struct MSALStorePartition: Hashable, Sendable {
    /// 22 letters of base64url.
    public let text: String

    /// Creates a partition. The library creates its own; this initializer is for the tests of a store.
    public init(_ text: String) { self.text = text }
}

/// The name of a value in a store.
public struct MSALStoreName: Hashable, Sendable {
    /// The partition with which the value is removed.
    public let partition: MSALStorePartition

    /// 22 letters of base64url, derived in the same manner as for the partition. No two partitions have the same text
    /// for a value, so it is unique within the store.
    public let text: String

    /// Creates a name. The library creates its own; this initializer is for the tests of a store.
    public init(_ text: String, in partition: MSALStorePartition) {
        self.partition = partition
        self.text = text
    }
}

/// A value read from a store.
public struct MSALStoreEntry: Sendable, Hashable {
    /// The bytes as they were written.
    public let value: [UInt8]

    /// The version that the store assigned.
    public let version: MSALStoreVersion

    /// The remaining time until the value expires, by the store's clock at the time of reading. It never exceeds the
    /// time given when writing. The clocks of the instances need not agree.
    public let expiresIn: Duration

    /// Creates an entry.
    public init(value: [UInt8], version: MSALStoreVersion, expiresIn: Duration) {
        self.value = value
        self.version = version
        self.expiresIn = expiresIn
    }
}

/// The version of a value, which distinguishes successive writes under a name.
public struct MSALStoreVersion: Hashable, Sendable {
    /// A number that the name has never had before.
    public let number: UInt64

    /// Creates a version.
    public init(_ number: UInt64) { self.number = number }
}
