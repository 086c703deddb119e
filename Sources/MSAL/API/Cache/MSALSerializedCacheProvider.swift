// Licensed under the MIT License. See LICENSE.

import SealedStore
private import Synchronization

/// Called around each access to a token cache that the app stores itself. Linux only.
///
/// The calls come on any thread. The calls for one access end before those for the next begin. An error that they throw
/// ends the library's call as if the store had failed. They must not call an application object.
public protocol MSALSerializedCacheProviderDelegate: NSObjectProtocol {
    /// Called before the cache is read or written. Call ``MSALSerializedCacheProvider/deserialize(_:)`` here.
    ///
    /// Called for every silent request. Pass the text only if another process may have changed it. If the text has not
    /// changed, the library only compares the two.
    func willAccessCache(_ cache: MSALSerializedCacheProvider) throws

    /// Called when the access is over, only if it succeeded.
    func didAccessCache(_ cache: MSALSerializedCacheProvider) throws

    /// Called before the cache is changed, after ``willAccessCache(_:)``. Lock a shared file here.
    func willWriteCache(_ cache: MSALSerializedCacheProvider) throws

    /// Called after a change, before ``didAccessCache(_:)``. Call ``MSALSerializedCacheProvider/serializeData()`` here.
    /// It is not called if nothing changed.
    ///
    /// The library creates the text when the app requests it. The more accounts the cache has, the longer that takes.
    /// An app with many accounts may record the change here and fetch the text later:
    /// ``MSALSerializedCacheProvider/hasStateChanged`` shows whether there are changes. Until the app has fetched the
    /// text, it must not pass an older one to ``MSALSerializedCacheProvider/deserialize(_:)`` because the change would
    /// be lost.
    func didWriteCache(_ cache: MSALSerializedCacheProvider) throws
}

extension MSALSerializedCacheProviderDelegate {
    /// Does nothing.
    public func didAccessCache(_ cache: MSALSerializedCacheProvider) throws {}

    /// Does nothing.
    public func willWriteCache(_ cache: MSALSerializedCacheProvider) throws {}
}

/// A token cache that the app stores itself, in the format that Microsoft's libraries for other languages share. Linux
/// only.
///
/// Use it if the app has its own secure storage, or separate storage for each of its users. For most apps, the
/// library's store is preferable: it is encrypted, shared between processes, and fast. The text contains refresh tokens
/// in plain text.
///
/// ```swift
/// final class Vault: NSObject, MSALSerializedCacheProviderDelegate {
///     let file = URL(filePath: "/var/lib/app/tokens")
///
///     func willAccessCache(_ cache: MSALSerializedCacheProvider) throws {
///         try cache.deserialize(Data(contentsOf: file))
///     }
///
///     func didWriteCache(_ cache: MSALSerializedCacheProvider) throws {
///         try cache.serializeData().write(to: file)
///     }
/// }
///
/// let configuration = MSALPublicClientApplicationConfig(clientId: clientID)
/// configuration.cacheConfig.serializedCache = MSALSerializedCacheProvider(delegate: Vault())
/// let application = try MSALPublicClientApplication(configuration: configuration)
/// ```
///
/// The text omits tokens that are bound to a key, and does not record which accounts signed out. The library remembers
/// both until the process exits.
public final class MSALSerializedCacheProvider: NSObject, RedactedReflection, Sendable {
    /// The store that the application object uses. It retains the delegate, and may outlive this object.
    package let store: SerializedStore

    /// The default for the maximum size of a text in bytes: 256 MiB, about 40,000 accounts with tokens of the usual
    /// length.
    public static let defaultMaximumTextSize = CacheDocument.maximumSize

    /// Creates a cache whose text `delegate` loads and saves. The delegate is retained as long as the provider or an
    /// application object that uses it.
    public convenience init(delegate: any MSALSerializedCacheProviderDelegate) {
        self.init(delegate: delegate, maximumTextSize: Self.defaultMaximumTextSize)
    }

    /// Creates a cache with a different size limit.
    ///
    /// - Parameters:
    ///   - delegate: Loads and saves the text.
    ///   - maximumTextSize: The maximum number of bytes that ``deserialize(_:)`` accepts; ``defaultMaximumTextSize`` by
    ///     default. ``serializeData()`` also returns longer texts, so set it if one cache may contain more accounts
    ///     than that. Parsing a text takes about twice its length in memory.
    public convenience init(delegate: any MSALSerializedCacheProviderDelegate, maximumTextSize: Int) {
        let carried = UncheckedSendable(delegate)
        let own = AppProvider()
        self.init(
            SerializedStore(
                hooks: SerializedStore.Hooks(
                    willAccess: { try carried.value.willAccessCache(own.provider(of: $0)) },
                    didAccess: { try carried.value.didAccessCache(own.provider(of: $0)) },
                    willWrite: { try carried.value.willWriteCache(own.provider(of: $0)) },
                    didWrite: { try carried.value.didWriteCache(own.provider(of: $0)) }
                ),
                maximumSize: maximumTextSize
            )
        )
        own.note(self)
    }

    fileprivate init(_ store: SerializedStore) { self.store = store }

    /// Whether the cache has changed since the text was last passed or fetched.
    public var hasStateChanged: Bool { store.hasChanged }

    /// The cache as text: JSON in UTF-8, with tokens in plain text.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the store fails.
    public func serializeData() throws -> Data {
        do throws(StoreError) {
            return try store.serialized()
        } catch {
            throw AuthError(error).nsError
        }
    }

    /// Replaces the cache with a text, which may come from MSAL for Python, .NET, Go, Java, or Node.
    ///
    /// Empty text is an empty cache. Members that the library does not know are preserved.
    ///
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42008 if the text is not a token cache. The
    ///   cache is unchanged then. Check where the text comes from.
    public func deserialize(_ serializedData: Data) throws {
        do {
            try store.deserialize(serializedData)
        } catch let error as InterchangeError {
            throw AuthError(.unexpected, message: error.message).nsError
        } catch let error as StoreError {
            throw AuthError(error).nsError
        }
    }
}

/// The provider that the app created, as long as the app retains it. The delegate is called twice for each silent
/// request. Creating a provider for each call would cost more than the rest of both calls.
///
/// The reference is weak because the provider references the store, and the store references this object.
private final class AppProvider: Sendable {
    private struct Held: Sendable {
        weak var provider: MSALSerializedCacheProvider?
    }

    private let held = Mutex(Held())

    func note(_ provider: MSALSerializedCacheProvider) { held.withLock { $0.provider = provider } }

    /// A provider for the store: the recorded one, if it still exists.
    func provider(of store: SerializedStore) -> MSALSerializedCacheProvider {
        held.withLock { $0.provider } ?? MSALSerializedCacheProvider(store)
    }
}
