// Licensed under the MIT License. See LICENSE.

import Glibc

/// Identifies one key of one store.
package struct KeyName: Sendable, Hashable {
    /// The sharing group.
    package let group: String
    /// The store's random identifier.
    package let store: String
    /// Distinguishes the keys of one store while one replaces another.
    package let keyID: String
    /// The directory of the group.
    package let directory: String

    package init(group: String, store: String, keyID: String, directory: String) {
        self.group = group
        self.store = store
        self.keyID = keyID
        self.directory = directory
    }
}

/// How long a provider may take, and whether it may prompt the user.
package struct KeyAccessOptions: Sendable {
    /// Whether the user may be prompted to unlock something. If so, the provider waits up to a minute, otherwise two
    /// seconds.
    package var mayPrompt: Bool
    /// Whether the caller has canceled the wait; polled often.
    package var isCanceled: @Sendable () -> Bool
    /// Sleeps for 25 ms before checking again whether another thread has the key. Tests replace it.
    var pause: @Sendable () -> Void = { usleep(25_000) }

    package init(mayPrompt: Bool = false, isCanceled: @escaping @Sendable () -> Bool = { false }) {
        self.mayPrompt = mayPrompt
        self.isCanceled = isCanceled
    }
}

/// Keeps the 32-byte key that wraps a store's data keys. Calls block, within the deadlines of ``KeyAccessOptions``.
///
/// Every failure is a ``StoreError`` of kind `keyUnavailable` whose message names the provider, the reason, and a
/// remedy. A locked provider is a failure and never means "no key": a new key instead of a locked one would orphan all
/// rows (docs/reference/Store.md#key-deadlines).
package protocol KeyProvider: Sendable {
    var kind: KeyLocation { get }

    /// Returns the key of this name; `nil` only if the provider was reached, is unlocked, and has no such key.
    func key(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) -> KeyMaterial?

    /// Stores a key under a new name. It must be readable again before this returns.
    func keep(_ key: KeyMaterial, as name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError)

    /// Deletes a key that no row needs any longer. Deleting a missing key is not an error.
    func forget(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError)
}

/// Selects the provider of a store's key: once for a new store, which records the kind, and from then on only that
/// kind.
package protocol StoreKeySource: Sendable {
    /// The provider for a store that is being created; `nil` for `none`, which means plain payloads.
    ///
    /// Throws `.keyUnavailable` if no provider is suitable. The store must not be created then.
    func providerForNewStore(_ keyAccess: KeyAccessOptions) throws(StoreError) -> (any KeyProvider)?

    /// Checks whether a store with such a provider may be opened. The protection that the app requested must hold, no
    /// matter who wrote the file. Call this before trusting anything else in the file.
    ///
    /// Throws `.keyUnavailable`. The message states what was requested, what the store has, and how to change that.
    func admit(_ kind: KeyLocation, at location: StoreLocation, keyAccess: KeyAccessOptions) throws(StoreError)

    /// The provider of this kind; `nil` for `none`.
    ///
    /// Throws `.keyUnavailable` for a kind that this app does not use.
    func provider(_ kind: KeyLocation) throws(StoreError) -> (any KeyProvider)?
}

/// Uses one provider for both new and existing stores. A store that recorded another kind of provider is not opened.
package struct SingleKeySource: StoreKeySource {
    private let only: (any KeyProvider)?

    /// `provider`: `nil` for plain payloads.
    package init(_ provider: (any KeyProvider)?) { only = provider }

    package func providerForNewStore(_ keyAccess: KeyAccessOptions) throws(StoreError) -> (any KeyProvider)? { only }

    package func admit(
        _ kind: KeyLocation,
        at location: StoreLocation,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) {
        guard kind == only?.kind ?? .none else { throw Self.refusal(kind) }
    }

    package func provider(_ kind: KeyLocation) throws(StoreError) -> (any KeyProvider)? {
        if kind == .none { return nil }
        guard let only, only.kind == kind else { throw Self.refusal(kind) }
        return only
    }

    private static func refusal(_ kind: KeyLocation) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: """
                The token store was created with its key in \(kind.description), which this app is not allowed to use. Allow it, \
                or move the store to another provider explicitly.
                """
        )
    }
}
