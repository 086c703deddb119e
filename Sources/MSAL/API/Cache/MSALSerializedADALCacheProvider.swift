// Licensed under the MIT License. See LICENSE.

// Apps on macOS use these names to keep their token cache in a file. On Linux, they refer to the Linux classes. The
// cache text has the format that Microsoft's libraries share. It is not an ADAL archive.

/// The name of `MSALSerializedCacheProvider` on macOS.
@available(*, deprecated, renamed: "MSALSerializedCacheProvider")
public typealias MSALSerializedADALCacheProvider = MSALSerializedCacheProvider

/// The name of `MSALSerializedCacheProviderDelegate` on macOS.
@available(*, deprecated, renamed: "MSALSerializedCacheProviderDelegate")
public typealias MSALSerializedADALCacheProviderDelegate = MSALSerializedCacheProviderDelegate

extension MSALCacheConfig {
    /// The name of ``serializedCache`` on macOS.
    @available(*, deprecated, renamed: "serializedCache")
    public var serializedADALCache: MSALSerializedCacheProvider? {
        get { serializedCache }
        set { serializedCache = newValue }
    }
}
