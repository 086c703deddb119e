// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

/// Where an application object stores its accounts.
enum Location: String, CaseIterable {
    /// The library's store on disk, with its key in a file, so that no keyring is measured.
    case store
    /// A cache that the app manages. Nothing is written.
    case memory
}

/// A cache that the library loads once.
final class Shelf: NSObject, MSALSerializedCacheProviderDelegate, @unchecked Sendable {
    // The library calls one access at a time.
    private var text: Data?
    private let isExported: Bool
    private(set) var exportedBytes = 0

    init(_ text: Data, isExported: Bool = false) {
        self.text = text
        self.isExported = isExported
    }

    func willAccessCache(_ cache: MSALSerializedCacheProvider) throws {
        guard let loaded = text else { return }
        text = nil
        try cache.deserialize(loaded)
    }

    func didWriteCache(_ cache: MSALSerializedCacheProvider) throws {
        if isExported { exportedBytes = try cache.serializeData().count }
    }
}

/// Creates application objects, as an app does.
enum Application {
    static func configuration() throws -> MSALPublicClientApplicationConfig {
        let authority = try MSALAuthority(url: try Content.url())
        return MSALPublicClientApplicationConfig(clientId: Content.clientID, redirectUri: nil, authority: authority)
    }

    /// An application over the store of a group. The store is in `MSAL_STORE_DIR`.
    static func overStore(_ group: String) throws -> MSALPublicClientApplication {
        let configuration = try configuration()
        configuration.cacheConfig.keychainSharingGroup = group
        configuration.cacheConfig.storeProtection = .keyFile
        configuration.cacheConfig.maximumStoredRecords = 1_000_000
        return try made(configuration)
    }

    /// An application over a cache in memory.
    static func overMemory(_ shelf: Shelf) throws -> MSALPublicClientApplication {
        let configuration = try configuration()
        configuration.cacheConfig.serializedCache = MSALSerializedCacheProvider(delegate: shelf)
        return try made(configuration)
    }

    /// An application for native authentication, with an empty cache.
    static func native(_ location: Location) throws -> MSALNativeAuthPublicClientApplication {
        let configuration = MSALNativeAuthPublicClientApplicationConfig(
            clientId: Content.clientID,
            authority: try MSALCIAMAuthority(url: try Content.customerURL()),
            challengeTypes: [.password]
        )
        configuration.redirectUri = "http://localhost"
        switch location {
        case .store:
            configuration.cacheConfig.keychainSharingGroup = "native-\(getpid())"
            configuration.cacheConfig.storeProtection = .keyFile
        case .memory:
            configuration.cacheConfig.serializedCache = MSALSerializedCacheProvider(delegate: Shelf(Data("{}".utf8)))
        }
        trust(configuration)
        return try MSALNativeAuthPublicClientApplication(nativeAuthConfiguration: configuration)
    }

    private static func made(
        _ configuration: MSALPublicClientApplicationConfig
    ) throws -> MSALPublicClientApplication {
        trust(configuration)
        return try MSALPublicClientApplication(configuration: configuration)
    }

    private static func trust(_ configuration: MSALPublicClientApplicationConfig) {
        guard let file = ProcessInfo.processInfo.environment["BENCHMARK_CA"] else { return }
        configuration.caFile = URL(filePath: file)
    }
}

extension MSALPublicClientApplication {
    /// The parameters of a silent call for each of the first accounts.
    func silentParameters(_ numbers: some Sequence<Int>) throws -> [MSALSilentTokenParameters] {
        try numbers.map { number in
            let account = try account(forIdentifier: Content.homeAccountID(number))
            return MSALSilentTokenParameters(scopes: [Content.scope], account: account)
        }
    }

    /// The parameters of a silent call for the first `count` accounts, by their numbers.
    ///
    /// Listing all accounts is faster than a hundred thousand lookups.
    func allSilentParameters(of count: Int) throws -> [MSALSilentTokenParameters] {
        var accounts: [String: MSALAccount] = [:]
        for account in try allAccounts() { accounts[account.identifier ?? ""] = account }
        return try (0..<count).map { number in
            guard let account = accounts[Content.homeAccountID(number)] else { throw CocoaError(.fileNoSuchFile) }
            return MSALSilentTokenParameters(scopes: [Content.scope], account: account)
        }
    }
}
