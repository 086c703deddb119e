// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// What the instances of a service share, where, and sealed with what.
///
/// ```swift
/// let key = try MSALSealingKey(id: 1, secret: Data(secret.utf8))
/// var shared = try MSALSharedCacheConfiguration(store, keys: [key])
/// shared.onFailure = { event in print("The shared cache failed: \(event)") }
/// let cache = MSALTokenCache(shared: shared)
/// ```
public struct MSALSharedCacheConfiguration: Sendable {
    /// What instances can share. Tokens of managed identities, tokens for single calls on behalf of users, and client
    /// assertions are never shared.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The tokens of the users of a web application.
        case users
        /// Long-running sessions of an API.
        case longRunning
        /// The tokens of the application itself. Each instance can get its own, so they are only worth sharing where
        /// many instances start often.
        case application
    }

    /// The store that keeps the values.
    public let store: any MSALDistributedTokenStore

    /// The first one seals and names what is written. All of them open what is read, in this order.
    public private(set) var keys: [MSALSealingKey]

    /// The kinds of values that the instances share.
    public var shares: Set<Kind> = [.users, .longRunning]

    /// The time that a call to the store may take. Beyond it the library goes on without the store.
    public var timeLimit: Duration = .milliseconds(100)

    /// The time that a client of the store has to open its connections, from the first call on, and again after 30 seconds
    /// without an answer and after ``trialAfter``. Calls that begin in this time may take what is left of it.
    public var connectTimeLimit: Duration = .seconds(5)

    /// How long the library does not call a store that has failed five times in a row. Then one call tries it again.
    public var trialAfter: Duration = .seconds(10)

    /// The time for which an instance uses what it remembers of a user before it compares that with the store. A
    /// sign-out of the user at another instance may stay unnoticed for this time. Whole seconds count: with less than
    /// one, each call compares.
    public var memoryAge: Duration = .seconds(300)

    /// Whether a call waits until its new token is in the store. Otherwise that happens behind the call.
    ///
    /// A sign-in and the begin of a long-running session wait in any case, because the next request may come to another
    /// instance.
    public var writesThrough = false

    /// Called when the store fails, when it is left alone, when it is back, and for values that cannot be read. The
    /// function must not wait.
    public var onFailure: (@Sendable (MSALSharedCacheEvent) -> Void)?

    /// Measures the limits.
    package var time: any TimeSource = SystemTime()

    /// Shares tokens through a store.
    ///
    /// - Parameters:
    ///   - store: Where the values are kept.
    ///   - keys: The first one writes, all read.
    /// - Throws: `.configuration` without a key, and for two keys with one number. Values are never kept in plain text.
    public init(_ store: any MSALDistributedTokenStore, keys: [MSALSealingKey]) throws(MSALTokenError) {
        guard !keys.isEmpty else {
            throw MSALTokenError(
                .configuration,
                message:
                    "A shared cache needs a key. Make a secret with `openssl rand 32`, and give the same one to all "
                    + "instances: MSALSealingKey(id: 1, secret: …)."
            )
        }
        guard keys.count <= Self.mostKeys, Set(keys.map(\.id)).count == keys.count else {
            throw MSALTokenError(
                .configuration,
                message: "A shared cache takes at most \(Self.mostKeys) keys, each with a number of its own."
            )
        }
        self.store = store
        self.keys = keys
    }

    /// Stops reading the values that a key has sealed.
    ///
    /// Values that are still under it are lost: their users sign in again.
    ///
    /// - Throws: `.configuration` for the first key, which writes, and for a number that no key has.
    public mutating func retire(id: UInt8) throws(MSALTokenError) {
        guard let place = keys.firstIndex(where: { $0.id == id }), place > 0 else {
            throw MSALTokenError(
                .configuration,
                message:
                    "The key \(id) cannot be retired: it is the one that seals new values, or no key has this number. "
                    + "Put its successor first, and retire it when all instances seal with the successor."
            )
        }
        keys.remove(at: place)
    }

    private static let mostKeys = 8
}
