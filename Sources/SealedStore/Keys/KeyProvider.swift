// Licensed under the MIT License. See LICENSE.

import Glibc

/// Names one key of one store.
package struct KeyName: Sendable, Hashable {
    /// The sharing group.
    package let group: String
    /// The store's own random identifier.
    package let store: String
    /// The name that distinguishes the keys of one store while one replaces the other.
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

/// The time that a provider may take, and whether it may ask the user.
package struct KeyPatience: Sendable {
    /// Whether the user may be asked to unlock something; then up to a minute is waited, else two seconds.
    package var mayPrompt: Bool
    /// Whether the wait is cancelled; asked often.
    package var isCanceled: @Sendable () -> Bool
    /// Waits 25 ms before the next look at whether another thread has the key; tests need not wait.
    var pause: @Sendable () -> Void = { usleep(25_000) }

    package init(mayPrompt: Bool = false, isCanceled: @escaping @Sendable () -> Bool = { false }) {
        self.mayPrompt = mayPrompt
        self.isCanceled = isCanceled
    }
}

/// Keeps the 32-byte key that wraps a store's data keys. Calls block, within the deadlines of ``KeyPatience``.
///
/// Every failure is a ``StoreError`` of kind `keyUnavailable` whose text names provider, reason and remedy. A locked
/// provider is a failure and never means "no key". A new key in place of a locked one would orphan all rows
/// (docs/reference/Store.md#key-deadlines).
package protocol KeyProvider: Sendable {
    var kind: KeyLocation { get }

    /// The key of this name; `nil` only if the provider was reached, is unlocked and holds none.
    func key(_ name: KeyName, patience: KeyPatience) throws(StoreError) -> KeyMaterial?

    /// Stores a key under a new name. It must be readable again before this returns.
    func keep(_ key: KeyMaterial, as name: KeyName, patience: KeyPatience) throws(StoreError)

    /// Forgets a key that no row needs any more. Forgetting one that is not there is no failure.
    func forget(_ name: KeyName, patience: KeyPatience) throws(StoreError)
}

/// Gives a store the provider of its key: once for a new store, which records the kind, and from then on for that kind
/// and no other.
package protocol StoreKeySource: Sendable {
    /// The provider for a store that is being created; `nil` stands for `none`, plain payloads.
    ///
    /// Throws `.keyUnavailable` if none is right: no store is created then.
    func providerForNewStore(_ patience: KeyPatience) throws(StoreError) -> (any KeyProvider)?

    /// Checks whether a store with such a provider may be opened. The protection that the app asked for has to hold,
    /// whoever wrote the file. Call this before anything else in the file is trusted.
    ///
    /// Throws `.keyUnavailable`. The error says what was asked for, what the store has, and how to change that.
    func admit(_ kind: KeyLocation, at location: StoreLocation, patience: KeyPatience) throws(StoreError)

    /// The provider of this kind; `nil` for `none`.
    ///
    /// Throws `.keyUnavailable` for a kind that this app does not use.
    func provider(_ kind: KeyLocation) throws(StoreError) -> (any KeyProvider)?
}

/// Opens new stores and old ones with one provider. A store that recorded another kind of provider stays closed.
package struct SingleKeySource: StoreKeySource {
    private let only: (any KeyProvider)?

    /// `provider`: `nil` for plain payloads.
    package init(_ provider: (any KeyProvider)?) {
        only = provider
    }

    package func providerForNewStore(_ patience: KeyPatience) throws(StoreError) -> (any KeyProvider)? { only }

    package func admit(
        _ kind: KeyLocation,
        at location: StoreLocation,
        patience: KeyPatience
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
