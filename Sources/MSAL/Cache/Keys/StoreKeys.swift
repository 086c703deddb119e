// Licensed under the MIT License. See LICENSE.

/// The key providers a store may use.
///
/// A store asks ``choose`` once, when it is created, and records the kind of the answer; from then on it asks
/// ``provider`` for that kind and for no other (token-store-linux.md R16).
package struct StoreKeys: Sendable {
    /// The provider of a new store. Throws `.keyUnavailable` if none is right: no store is created then.
    package var choose: @Sendable (_ name: KeyName, _ patience: KeyPatience) throws(StoreError) -> any KeyProvider
    /// The provider of a kind that an existing store names. Throws `.keyUnavailable` for one this app cannot use.
    package var provider: @Sendable (_ kind: KeyProviderKind) throws(StoreError) -> any KeyProvider

    package init(
        choose: @escaping @Sendable (KeyName, KeyPatience) throws(StoreError) -> any KeyProvider,
        provider: @escaping @Sendable (KeyProviderKind) throws(StoreError) -> any KeyProvider
    ) {
        self.choose = choose
        self.provider = provider
    }

    /// One provider for everything; a store that names another kind stays closed.
    package static func only(_ provider: any KeyProvider) -> StoreKeys {
        StoreKeys(
            choose: { (_, _) throws(StoreError) in provider },
            provider: { (kind) throws(StoreError) in
                guard kind == provider.kind else {
                    throw StoreError(
                        .keyUnavailable,
                        """
                        The token store was created with its key in \(kind.rawValue), and this app allows only \
                        \(provider.kind.rawValue). Allow \(kind.rawValue), or move the store to the other explicitly.
                        """
                    )
                }
                return provider
            }
        )
    }
}
