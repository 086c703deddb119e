// Licensed under the MIT License. See LICENSE.

/// The choice of an application's token store. Take it from a configuration, and set it before making the application.
public final class MSALCacheConfig: NSObject, NSCopying {
    /// The name of the store: applications of one user that name the same group share their accounts.
    ///
    /// On Linux it is a folder in the user's state directory. `msal.shared` by default. A name has 1 to 128 characters;
    /// with any other the application's initialiser fails with the detail -42000.
    public var keychainSharingGroup = MSALCacheConfig.defaultKeychainSharingGroup()

    /// The provider of the store's key; the desktop's Secret Service by default, where there is one. Linux only.
    public var storeProtection = MSALStoreProtection.automatic

    /// Whether the user may be asked to unlock the keyring when the store is first used; `false` by default. Linux
    /// only.
    ///
    /// Asynchronous calls then wait up to a minute for the user. Calls that return at once never ask, nor do account
    /// queries with a completion block.
    public var allowsUnlockPrompt = false

    /// The number of records beyond which the oldest access tokens are dropped; 250 000 by default. Linux only.
    ///
    /// Refresh tokens and accounts are never dropped.
    public var maximumStoredRecords = 250_000

    /// A cache that the app loads and saves itself, instead of the library's store; `nil` by default. Linux only.
    ///
    /// Group, protection and limits have no effect then.
    public var serializedCache: MSALSerializedCacheProvider?

    /// The app's own account stores, in the order in which they were added.
    public private(set) var externalAccountProviders: [any MSALExternalAccountProviding] = []

    package override init() {}

    /// The store's name unless one is set: `msal.shared`.
    public static func defaultKeychainSharingGroup() -> String { "msal.shared" }

    /// Adds an account store of the app. Call it before making the application; not safe from two threads at once.
    public func addExternalAccountProvider(_ externalAccountProvider: any MSALExternalAccountProviding) {
        externalAccountProviders.append(externalAccountProvider)
    }

    /// A copy that can be changed without changing this one; the providers are the same objects.
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
