// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Fetches the key of a store and uses it to verify the key list in the file.
struct KeyCheck: Sendable {
    let location: StoreLocation
    let source: any StoreKeySource

    /// Verifies the key list of a file. Before that, nothing in the file is trusted; the location of its key is only
    /// used as a hint (docs/TokenStore.md#what-of-a-file-is-trusted).
    ///
    /// - Returns: The wrapping key, whose MAC protects the rest; `nil` for a store without encryption, which has no
    ///   such protection.
    /// - Throws: `.keyUnavailable` if the app does not accept stores of this kind, or the key is unavailable or a
    ///   different one; `.unverified` if the key is right but its MAC is wrong.
    func verify(_ stored: StoredKeys, keyAccess: KeyAccessOptions) throws(StoreError) -> WrappingKey? {
        try source.admit(stored.wrapping.provider, at: location, keyAccess: keyAccess)
        guard let provider = try source.provider(stored.wrapping.provider) else { return nil }
        let key = try wrappingKey(of: stored, from: provider, keyAccess: keyAccess)
        guard !key.mac.vouches(for: stored) else { return key }
        // A key that opens a data key is the right one. If no data key is left to open, the key is assumed to be right.
        let isWrong = stored.rows.contains { !$0.wrapped.isEmpty } && !key.opensAny(of: stored.rows)
        throw isWrong ? wrongKey(stored.wrapping.provider) : StoreError.unverified(location)
    }

    /// Opens the keys of a store.
    ///
    /// - Throws: The same errors as ``verify(_:keyAccess:)``.
    func ring(_ stored: StoredKeys, keyAccess: KeyAccessOptions) throws(StoreError) -> KeyRing {
        guard let key = try verify(stored, keyAccess: keyAccess) else {
            Log.warning("The token store \(location.file) is not encrypted, as requested when it was created.")
            return try KeyRing(stored, key: nil)
        }
        let ring = try KeyRing(stored, key: key)
        // The MAC is right, but the keys are incomplete. No version of this library writes that.
        guard ring.isComplete else { throw StoreError.unverified(location) }
        return ring
    }

    /// The keys of a new store. Chooses the provider of its wrapping key and creates the key.
    ///
    /// `created`: Seconds since 1970.
    func initialKeys(
        keyID: String = KeyName.firstID,
        created: Int64,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) -> InitialKeys {
        guard let provider = try source.providerForNewStore(keyAccess) else { return .plain() }
        let name = keyName(keyID, store: UUID().uuidString.lowercased())
        return try InitialKeys(from: provider, name: name, created: created, keyAccess: keyAccess)
    }

    func keyName(_ id: String, store: String) -> KeyName {
        KeyName(group: location.group, store: store, keyID: id, directory: location.directory)
    }

    /// The wrapping key. A missing key is an error because a new one would not open anything.
    private func wrappingKey(
        of stored: StoredKeys,
        from provider: any KeyProvider,
        keyAccess: KeyAccessOptions
    ) throws(StoreError) -> WrappingKey {
        let name = keyName(stored.wrapping.id, store: stored.store)
        guard let key = try provider.key(name, keyAccess: keyAccess) else { throw missingKey(provider.kind) }
        return try WrappingKey(key, id: stored.wrapping.id, store: stored.store)
    }

    func missingKey(_ provider: KeyLocation) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: """
                The key of the token store \(location.file) is missing from \(provider.description). Restore it, \
                for instance the keyring that belongs to this home directory; without it the stored tokens cannot be \
                read. To sign in again instead: msal cache clear
                """
        )
    }

    func wrongKey(_ provider: KeyLocation) -> StoreError {
        let elsewhere =
            switch provider {
            case .credentialFile: ", or name the file that has it: \(StoreKeyChoice.variable)=credential-file:<path>"
            case .portal: " (each app in a sandbox has its own, and loses it when its data is deleted)"
            case .secretService, .keyFile, .none: ""
            }
        return StoreError(
            .keyUnavailable,
            message: """
                The key in \(provider.description) is not the one that the token store \(location.file) was encrypted \
                with. Nothing was changed. Restore the right key\(elsewhere); to sign in again instead: msal cache clear
                """
        )
    }
}
