// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import NIOSSL

/// The application's registration and address. Without variables it is the emulator's service on https://localhost:5001.
struct Settings {
    let authority: URL
    let graph: URL
    /// The port on this machine: that of the address, unless there is a proxy in front of it.
    let port: Int
    let sharedCache: SharedCache?
    private let baseURL: URL
    private let environment: [String: String]

    init(_ environment: [String: String]) throws {
        func address(_ name: String, _ standard: String) throws -> URL {
            guard let url = URL(string: environment[name] ?? standard), url.scheme == "https", url.host() != nil,
                (1...65_535).contains(url.port ?? 443)
            else { throw MSALTokenError(kind: .configuration, message: "\(name) must be an https address.") }
            return url
        }
        let emulator = environment["EMULATOR"] ?? "https://localhost:8443"
        baseURL = try address("BASE_URL", "https://localhost:5001")
        authority = try address("AUTHORITY", "\(emulator)/11111111-1111-1111-1111-111111111111")
        graph = try address("GRAPH_URL", "\(emulator)/v1.0")
        port = environment["PORT"].flatMap(Int.init) ?? baseURL.port ?? 443
        sharedCache = try environment["SHARED_CACHE"].map {
            try SharedCache($0, secret: environment["SHARED_CACHE_SECRET"])
        }
        self.environment = environment
    }

    /// One object for the life of the process, because its memory holds the users' tokens.
    func application() throws(MSALTokenError) -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: environment["CLIENT_ID"] ?? "00000000-0000-4000-8000-000000000010",
            authority: .url(authority),
            credential: .secret(environment["CLIENT_SECRET"] ?? "Emulator-secret-1")
        )
        // From the settings, never from the Host header of a request, which any client can choose.
        configuration.redirectUri = baseURL.appending(path: "signin-oidc").absoluteString
        configuration.postLogoutRedirectUri = baseURL.appending(path: "signout-callback-oidc").absoluteString
        configuration.caFile = environment["MSAL_CA_FILE"].map { URL(filePath: $0) }
        if let sharedCache {
            let key = try MSALSealingKey(id: 1, secret: sharedCache.secret)
            configuration.cache = MSALTokenCache(shared: try .init(sharedCache.store, keys: [key]))
        }
        return try MSALConfidentialClientApplication(configuration: configuration)
    }

    /// The certificate of this server; `nil` if a proxy in front of it handles TLS.
    func serverTLS() throws -> TLSConfiguration? {
        guard let certificate = environment["TLS_CERTIFICATE"], let key = environment["TLS_KEY"] else { return nil }
        return .makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(certificate).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key, format: .pem))
        )
    }
}
