// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import NIOSSL

/// The application's registration and address. Without variables it is the emulator's service on https://localhost:5001.
struct Settings {
    /// A variable with an invalid value.
    struct Mistake: LocalizedError {
        let name: String
        var errorDescription: String? { "\(name) must be an https address." }
    }

    /// The address of this application for browsers.
    let baseURL: URL
    let authority: URL
    let graph: URL
    let caFile: URL?
    /// The port on this machine: that of the address, unless there is a proxy in front of it.
    let port: Int
    /// The store that the instances share; `nil` for a single instance.
    let sharedCache: SharedCache?
    private let clientID: String
    private let secret: String
    private let certificate: String?
    private let key: String?

    init(_ environment: [String: String]) throws {
        func address(_ name: String, _ standard: String) throws -> URL {
            guard let url = URL(string: environment[name] ?? standard), url.scheme == "https", url.host() != nil,
                (1...65_535).contains(url.port ?? 443)
            else {
                throw Mistake(name: name)
            }
            return url
        }
        let emulator = environment["EMULATOR"] ?? "https://localhost:8443"
        baseURL = try address("BASE_URL", "https://localhost:5001")
        authority = try address("AUTHORITY", "\(emulator)/11111111-1111-1111-1111-111111111111")
        graph = try address("GRAPH_URL", "\(emulator)/v1.0")
        caFile = environment["MSAL_CA_FILE"].map { URL(filePath: $0) }
        clientID = environment["CLIENT_ID"] ?? "00000000-0000-4000-8000-000000000010"
        secret = environment["CLIENT_SECRET"] ?? "Emulator-secret-1"
        port = environment["PORT"].flatMap(Int.init) ?? baseURL.port ?? 443
        sharedCache = try environment["SHARED_CACHE"].map {
            try SharedCache($0, secret: environment["SHARED_CACHE_SECRET"])
        }
        certificate = environment["TLS_CERTIFICATE"]
        key = environment["TLS_KEY"]
    }

    /// One object for the life of the process, because its memory holds the users' tokens.
    func application() throws(MSALTokenError) -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: clientID,
            authority: .url(authority),
            credential: .secret(secret)
        )
        // From the settings, never from the Host header of a request, which any client can choose.
        configuration.redirectUri = baseURL.appending(path: "signin-oidc").absoluteString
        configuration.postLogoutRedirectUri = baseURL.appending(path: "signout-callback-oidc").absoluteString
        configuration.caFile = caFile
        if let sharedCache {
            let key = try MSALSealingKey(id: 1, secret: sharedCache.secret)
            let shared = try MSALSharedCacheConfiguration(sharedCache.store, keys: [key])
            configuration.cache = MSALTokenCache(shared: shared)
        }
        return try MSALConfidentialClientApplication(configuration: configuration)
    }

    /// The sessions, in the same place as the tokens.
    var sessions: Sessions {
        sharedCache.map { Sessions(shared: SharedShelf($0.store, secret: $0.secret)) } ?? Sessions()
    }

    /// The certificate of this server; `nil` if a proxy in front of it handles TLS.
    func serverTLS() throws -> TLSConfiguration? {
        guard let certificate, let key else { return nil }
        return .makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
        )
    }

    /// The system's certificate authorities, and the emulator's if it is named.
    var clientTLS: TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.additionalTrustRoots = caFile.map { [.file($0.path())] } ?? []
        return tls
    }
}
