// Licensed under the MIT License. See LICENSE.

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
