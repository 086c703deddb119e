// Licensed under the MIT License. See LICENSE.

// Apps of macOS use these names to keep their token cache in a file. The classes behind the names are those of Linux.
// The text of the cache has the format that Microsoft's libraries share. It is not an archive of ADAL.

/// The name that `MSALSerializedCacheProvider` has on macOS.
@available(*, deprecated, renamed: "MSALSerializedCacheProvider")
public typealias MSALSerializedADALCacheProvider = MSALSerializedCacheProvider

/// The name that `MSALSerializedCacheProviderDelegate` has on macOS.
@available(*, deprecated, renamed: "MSALSerializedCacheProviderDelegate")
public typealias MSALSerializedADALCacheProviderDelegate = MSALSerializedCacheProviderDelegate

extension MSALCacheConfig {
    /// The name that ``serializedCache`` has on macOS.
    @available(*, deprecated, renamed: "serializedCache")
    public var serializedADALCache: MSALSerializedCacheProvider? {
        get { serializedCache }
        set { serializedCache = newValue }
    }
}
