// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Fetches the key of a store and checks with it the statements of the file about its keys.
struct KeyCheck: Sendable {
    let location: StoreLocation
    let source: any StoreKeySource

    /// Verifies the statements of a file about its keys. Until then nothing in the file is trusted, and only the
    /// location of its key is used as a hint (docs/TokenStore.md#what-of-a-file-is-trusted).
    ///
    /// - Returns: The wrapping key, whose MAC protects the rest; `nil` for a store without encryption, where nothing
    ///   does.
    /// - Throws: `.keyUnavailable` if the app does not take stores of this kind, or the key cannot be had, or is another;
    ///   `.unverified` if the key is right and its MAC wrong.
    func verify(_ stored: StoredKeys, patience: KeyPatience) throws(StoreError) -> WrappingKey? {
        try source.admit(stored.wrapping.provider, at: location, patience: patience)
        guard let provider = try source.provider(stored.wrapping.provider) else { return nil }
        let key = try wrappingKey(of: stored, from: provider, patience: patience)
        guard !key.mac.vouches(for: stored) else { return key }
        // A key that opens a data key is the right one. If no data key is left to open, the key counts as right.
        let isWrong = stored.rows.contains { !$0.wrapped.isEmpty } && !key.opensAny(of: stored.rows)
        throw isWrong ? wrongKey(stored.wrapping.provider) : StoreError.unverified(location)
    }

    /// The keys of a store, opened.
    ///
    /// - Throws: As ``verify(_:patience:)``.
    func ring(_ stored: StoredKeys, patience: KeyPatience) throws(StoreError) -> KeyRing {
        guard let key = try verify(stored, patience: patience) else {
            Log.warning("The token store \(location.file) is not encrypted, as was asked for when it was created.")
            return try KeyRing(stored, key: nil)
        }
        let ring = try KeyRing(stored, key: key)
        // The MAC is right, but the keys are incomplete. No version of this library writes that.
        guard ring.isComplete else { throw StoreError.unverified(location) }
        return ring
    }

    /// The keys of a new store: chooses the provider of its wrapping key, and makes the key.
    ///
    /// `created`: Seconds since 1970.
    func initialKeys(
        keyID: String = KeyName.firstID,
        created: Int64,
        patience: KeyPatience
    ) throws(StoreError) -> InitialKeys {
        guard let provider = try source.providerForNewStore(patience) else { return .plain() }
        let name = keyName(keyID, store: UUID().uuidString.lowercased())
        return try InitialKeys(from: provider, name: name, created: created, patience: patience)
    }

    func keyName(_ id: String, store: String) -> KeyName {
        KeyName(group: location.group, store: store, keyID: id, directory: location.directory)
    }

    /// The wrapping key. A missing key is a failure, because a new one would open nothing.
    private func wrappingKey(
        of stored: StoredKeys,
        from provider: any KeyProvider,
        patience: KeyPatience
    ) throws(StoreError) -> WrappingKey {
        let name = keyName(stored.wrapping.id, store: stored.store)
        guard let key = try provider.key(name, patience: patience) else { throw missingKey(provider.kind) }
        return try WrappingKey(key, id: stored.wrapping.id, store: stored.store)
    }

    func missingKey(_ provider: KeyLocation) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: """
                The key of the token store \(location.file) is not in its place any more (\(provider.description)). Restore it, \
                for instance the keyring that belongs to this home directory; without it the stored tokens cannot be read. \
                To sign in anew instead: msal cache clear
                """
        )
    }

    func wrongKey(_ provider: KeyLocation) -> StoreError {
        let elsewhere =
            switch provider {
            case .credentialFile: ", or name the file that has it: \(StoreKeyChoice.variable)=credential-file:<path>"
            case .portal: " (each app in a sandbox has its own, and loses it when its data are deleted)"
            case .secretService, .keyFile, .none: ""
            }
        return StoreError(
            .keyUnavailable,
            message: """
                The key in \(provider.description) is not the one that the token store \(location.file) was closed with. \
                Nothing was changed. Restore the right key\(elsewhere); to sign in anew instead: msal cache clear
                """
        )
    }
}
