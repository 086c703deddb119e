// Licensed under the MIT License. See LICENSE.

// The names under which apps of macOS keep their token cache in a file. The cache is that of Linux: its text is the
// format that Microsoft's libraries share, not the archive of ADAL.

/// A token cache that the app keeps itself, under its name on macOS.
@available(*, deprecated, renamed: "MSALSerializedCacheProvider")
public typealias MSALSerializedADALCacheProvider = MSALSerializedCacheProvider

/// The keeper of such a cache, under its name on macOS.
@available(*, deprecated, renamed: "MSALSerializedCacheProviderDelegate")
public typealias MSALSerializedADALCacheProviderDelegate = MSALSerializedCacheProviderDelegate

extension MSALCacheConfig {
    /// The same as ``serializedCache``, under its name on macOS.
    @available(*, deprecated, renamed: "serializedCache")
    public var serializedADALCache: MSALSerializedCacheProvider? {
        get { serializedCache }
        set { serializedCache = newValue }
    }
}
