// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// The service's settings from the environment.
struct Settings {
    struct Missing: LocalizedError {
        let name: String
        var errorDescription: String? { "Set \(name)." }
    }

    let port: Int
    let store: String
    private let client: String
    private let authority: String
    private let secret: String
    private let caFile: URL

    init(_ environment: [String: String]) throws {
        func text(_ name: String) throws -> String {
            guard let text = environment[name] else { throw Missing(name: name) }
            return text
        }
        guard let port = Int(try text("PORT")) else { throw Missing(name: "PORT") }
        self.port = port
        store = try text("STORE")
        client = try text("CLIENT")
        authority = try text("AUTHORITY")
        secret = try text("SECRET")
        caFile = URL(filePath: try text("CA_FILE"))
    }

    var validator: MSALTokenValidatorConfiguration {
        var configuration = MSALTokenValidatorConfiguration(clientId: client, authority: .url(authority))
        configuration.caFile = caFile
        return configuration
    }

    /// An application with this memory cache. Without its secret it sends another one, which the service rejects.
    func application(
        _ cache: MSALTokenCache,
        hasSecret: Bool = true
    ) throws(MSALTokenError) -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: client,
            authority: .url(authority),
            credential: .secret(hasSecret ? secret : String(secret.dropLast()))
        )
        configuration.caFile = caFile
        configuration.cache = cache
        configuration.allowsExtendedLifetime = true
        return try MSALConfidentialClientApplication(configuration: configuration)
    }

    /// The store that the instances share. A store on a busy machine must not count as down.
    func sharedCache(in store: any MSALDistributedTokenStore) throws(MSALTokenError) -> MSALSharedCacheConfiguration {
        let key = try MSALSealingKey(id: 1, secret: (0..<32).map { UInt8($0) })
        var shared = try MSALSharedCacheConfiguration(store, keys: [key])
        shared.shares = [.longRunning, .application]
        shared.timeLimit = .seconds(10)
        return shared
    }
}
