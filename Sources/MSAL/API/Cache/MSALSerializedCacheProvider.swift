// Licensed under the MIT License. See LICENSE.

import SealedStore
private import Synchronization

/// Called around each access to a token cache that the app keeps itself. Linux only.
///
/// The calls come on any thread. The calls of one access end before those of the next begin. An error that they throw
/// ends the library's call as if the store had failed. They must not call an application object.
public protocol MSALSerializedCacheProviderDelegate: NSObjectProtocol {
    /// Called before the cache is read or written. Call ``MSALSerializedCacheProvider/deserialize(_:)`` here.
    ///
    /// It is called for every silent request. Pass the text only if another process may have changed it. If the text is
    /// the same as before, the library only compares the two.
    func willAccessCache(_ cache: MSALSerializedCacheProvider) throws

    /// Called when the access is over, and only if it succeeded.
    func didAccessCache(_ cache: MSALSerializedCacheProvider) throws

    /// Called before the cache is changed, after ``willAccessCache(_:)``. Lock a shared file here.
    func willWriteCache(_ cache: MSALSerializedCacheProvider) throws

    /// Called after a change, before ``didAccessCache(_:)``. Call ``MSALSerializedCacheProvider/serializeData()`` here.
    /// It is not called if nothing changed.
    ///
    /// The library makes the text when the app asks for it. The more accounts the cache has, the longer that takes. An
    /// app with many accounts may note the change here and fetch the text later:
    /// ``MSALSerializedCacheProvider/hasStateChanged`` says that there is something to fetch. Until the app has fetched
    /// it, it must not pass an older text to ``MSALSerializedCacheProvider/deserialize(_:)``, because the change would
    /// be lost.
    func didWriteCache(_ cache: MSALSerializedCacheProvider) throws
}

extension MSALSerializedCacheProviderDelegate {
    /// Does nothing.
    public func didAccessCache(_ cache: MSALSerializedCacheProvider) throws {}

    /// Does nothing.
    public func willWriteCache(_ cache: MSALSerializedCacheProvider) throws {}
}

/// A token cache that the app keeps itself, in the format that Microsoft's libraries for other languages share.
/// Linux only.
///
/// It is for apps with a vault of their own, or with separate storage for each of their users. Most apps want the
/// library's store instead: it is encrypted, shared by processes, and fast. The text holds refresh tokens in the clear.
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
/// The text has no tokens that are bound to a key, and it does not say which accounts signed out. The library remembers
/// both until the process ends.
public final class MSALSerializedCacheProvider: NSObject, ClosedMirror, Sendable {
    /// The store that the application object works with. It keeps the delegate, and may outlive this object.
    package let store: SerializedStore

    /// The number of bytes that a text may have unless another number is set: 256 MiB, about 40,000 accounts with
    /// tokens of the usual length.
    public static let defaultMaximumTextSize = CacheDocument.maximumSize

    /// A cache whose text `delegate` loads and saves. The delegate is kept as long as the provider or an application
    /// object that uses it.
    public convenience init(delegate: any MSALSerializedCacheProviderDelegate) {
        self.init(delegate: delegate, maximumTextSize: Self.defaultMaximumTextSize)
    }

    /// The same with a limit of its own.
    ///
    /// - Parameters:
    ///   - delegate: Loads and saves the text.
    ///   - maximumTextSize: The number of bytes that ``deserialize(_:)`` takes at most;
    ///     ``defaultMaximumTextSize`` otherwise. ``serializeData()`` gives longer texts too, so set it where one cache
    ///     may hold more accounts than that. Reading a text takes about twice its length in memory.
    public convenience init(delegate: any MSALSerializedCacheProviderDelegate, maximumTextSize: Int) {
        let carried = Carried(delegate)
        let own = OwnProvider()
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

    fileprivate init(_ store: SerializedStore) {
        self.store = store
    }

    /// Whether the cache changed since the text was last given or taken.
    public var hasStateChanged: Bool { store.hasChanged }

    /// The cache as text: JSON in UTF-8, with tokens in the clear.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``, detail -42008.
    public func serializeData() throws -> Data {
        do throws(StoreError) {
            return try store.serialized()
        } catch {
            throw AuthError(error).nsError
        }
    }

    /// Replaces the cache by the text, which may come from MSAL for Python, .NET, Go, Java or Node.
    ///
    /// Empty text is an empty cache. Members that the library does not know are kept and written again.
    ///
    /// - Throws: `NSError` with ``MSALError/internal``, detail -42008, if the text is no token cache. The cache is
    ///   unchanged then. Check where the text comes from.
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

/// The provider that the app made, for as long as the app keeps it. The delegate is called twice for each silent
/// request. To make a provider for each call would cost more than the rest of both calls.
///
/// The reference is weak, because the provider holds the store, and the store holds this object.
private final class OwnProvider: Sendable {
    private struct Held: Sendable {
        weak var provider: MSALSerializedCacheProvider?
    }

    private let held = Mutex(Held())

    func note(_ provider: MSALSerializedCacheProvider) { held.withLock { $0.provider = provider } }

    /// A provider of the store, which is the noted provider's.
    func provider(of store: SerializedStore) -> MSALSerializedCacheProvider {
        held.withLock { $0.provider } ?? MSALSerializedCacheProvider(store)
    }
}
