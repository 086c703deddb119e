// Licensed under the MIT License. See LICENSE.

/// The settings of an application's token store. Get it from a configuration, and set it before creating the
/// application.
public final class MSALCacheConfig: NSObject, NSCopying {
    /// The name of the store: applications of one user with the same group share their accounts.
    ///
    /// On Linux, it is a folder in the user's state directory. `msal.shared` by default. A name has 1 to 128
    /// characters; otherwise, the application's initializer fails with the detail -42000.
    public var keychainSharingGroup = MSALCacheConfig.defaultKeychainSharingGroup()

    /// The provider of the store's key; by default the desktop's Secret Service, if there is one. Linux only.
    public var storeProtection = MSALStoreProtection.automatic

    /// Whether to prompt the user to unlock the keyring when the store is first used; `false` by default. Linux only.
    ///
    /// Asynchronous calls then wait up to a minute for the user. Synchronous calls never prompt, nor do account queries
    /// with a completion block.
    public var allowsUnlockPrompt = false

    /// The number of records above which the oldest access tokens are deleted; 250,000 by default. Linux only.
    ///
    /// Refresh tokens and accounts are never deleted.
    public var maximumStoredRecords = 250_000

    /// A cache that the app loads and saves itself, instead of the library's store; `nil` by default. Linux only.
    ///
    /// If set, the group, protection, and limits have no effect.
    public var serializedCache: MSALSerializedCacheProvider?

    /// The app's own account stores, in the order in which they were added.
    public private(set) var externalAccountProviders: [any MSALExternalAccountProviding] = []

    package override init() {}

    /// The default name of the store: `msal.shared`.
    public static func defaultKeychainSharingGroup() -> String { "msal.shared" }

    /// Adds an account store of the app. Call it before creating the application; not thread-safe.
    public func addExternalAccountProvider(_ externalAccountProvider: any MSALExternalAccountProviding) {
        externalAccountProviders.append(externalAccountProvider)
    }

    /// Returns an independent copy; the providers are the same objects.
    public func copy(with zone: NSZone? = nil) -> Any {
        let copy = MSALCacheConfig()
        copy.keychainSharingGroup = keychainSharingGroup
        copy.storeProtection = storeProtection
        copy.allowsUnlockPrompt = allowsUnlockPrompt
        copy.maximumStoredRecords = maximumStoredRecords
        copy.serializedCache = serializedCache
        copy.externalAccountProviders = externalAccountProviders
        return copy
    }
}
