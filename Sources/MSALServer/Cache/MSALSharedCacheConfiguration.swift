// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The configuration of a shared cache: the store, the keys, and which tokens the instances of a service share.
///
/// ```swift
/// let key = try MSALSealingKey(id: 1, secret: Data(secret.utf8))
/// var shared = try MSALSharedCacheConfiguration(store, keys: [key])
/// shared.onFailure = { event in print("The shared cache failed: \(event)") }
/// let cache = MSALTokenCache(shared: shared)
/// ```
public struct MSALSharedCacheConfiguration: Sendable {
    /// What instances can share. Managed identity tokens, tokens for single on-behalf-of calls, and client assertions
    /// are never shared.
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

    /// The first key encrypts and names what is written. All keys decrypt what is read, in this order.
    public private(set) var keys: [MSALSealingKey]

    /// What the instances share.
    public var shares: Set<Kind> = [.users, .longRunning]

    /// The time limit of a call to the store. After that, the library continues without the store.
    public var timeLimit: Duration = .milliseconds(100)

    /// The time limit for the store's client to open its connections, from the first call on, and again after 30
    /// seconds without a response and after ``trialAfter``. Calls that begin in this period may use the rest of it.
    public var connectTimeLimit: Duration = .seconds(5)

    /// How long the library does not call a store that has failed five times in a row. Then a single call tries it
    /// again.
    public var trialAfter: Duration = .seconds(10)

    /// How long an instance uses its own copy of a user's tokens before it compares it with the store. For this long, a
    /// sign-out at another instance may go unnoticed. The value is in whole seconds: with less than one second, each
    /// call compares.
    public var memoryAge: Duration = .seconds(300)

    /// Whether a call waits until its new token is in the store. Otherwise the token is written in the background.
    ///
    /// A sign-in and the start of a long-running session always wait, because the next request may reach another
    /// instance.
    public var writesThrough = false

    /// Called when the store fails, when it is paused, when it has recovered, and for values that cannot be read. The
    /// function must not block.
    public var onFailure: (@Sendable (MSALSharedCacheEvent) -> Void)?

    /// Measures the limits.
    package var time: any TimeSource = SystemTime()

    /// Shares tokens through a store.
    ///
    /// - Parameters:
    ///   - store: The store for the values.
    ///   - keys: The keys. The first one is used for writing, all for reading.
    /// - Throws: `.configuration` if there is no key, or if two keys have the same number. Values are never stored in
    ///   plain text.
    public init(_ store: any MSALDistributedTokenStore, keys: [MSALSealingKey]) throws(MSALTokenError) {
        guard !keys.isEmpty else {
            throw MSALTokenError(
                .configuration,
                message:
                    "A shared cache needs a key. Generate a secret with `openssl rand 32`, and use the same one for all "
                    + "instances: MSALSealingKey(id: 1, secret: …)."
            )
        }
        guard keys.count <= Self.mostKeys, Set(keys.map(\.id)).count == keys.count else {
            throw MSALTokenError(
                .configuration,
                message: "A shared cache takes at most \(Self.mostKeys) keys, each with a different number."
            )
        }
        self.store = store
        self.keys = keys
    }

    /// Stops reading the values that a key has encrypted.
    ///
    /// Values that still use the key are lost: their users have to sign in again.
    ///
    /// - Throws: `.configuration` for the first key, which is used for writing, and for an unknown number.
    public mutating func retire(id: UInt8) throws(MSALTokenError) {
        guard let place = keys.firstIndex(where: { $0.id == id }), place > 0 else {
            throw MSALTokenError(
                .configuration,
                message:
                    "The key \(id) cannot be retired: it encrypts new values, or no key has this number. "
                    + "Put its successor first, and retire it when all instances seal with the successor."
            )
        }
        keys.remove(at: place)
    }

    private static let mostKeys = 8
}
