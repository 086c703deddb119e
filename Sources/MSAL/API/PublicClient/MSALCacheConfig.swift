// Licensed under the MIT License. See LICENSE.

/// Which token store an application uses. Take it from a configuration, and set it before making the application.
public final class MSALCacheConfig: NSObject, NSCopying {
    /// The name of the store: applications of one user that name the same group share their accounts.
    ///
    /// On Linux it is a folder in the user's state directory. `msal.shared` by default.
    public var keychainSharingGroup = MSALCacheConfig.defaultKeychainSharingGroup()

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
        copy.externalAccountProviders = externalAccountProviders
        return copy
    }
}
