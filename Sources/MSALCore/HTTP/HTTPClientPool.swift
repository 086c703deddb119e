// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import MSALSupport
import NIOCore
import Synchronization

/// The HTTP clients behind one transport: one for direct connections and one for each proxy, made on first use.
///
/// Lazy, because making a client costs milliseconds that an answer from the token cache must not pay.
///
/// A client that is dropped without a shutdown traps in debug builds. `deinit` therefore starts it: the shutdown keeps
/// the client alive until it is through, waits for nobody, and its event loops are the process-wide ones, so nothing
/// else has to end. Requests under way hold the pool, hence none is cut off.
final class HTTPClientPool: Sendable {
    private let settings: HTTPSettings
    private let clients = Mutex<[ProxyRules.Proxy?: HTTPClient]>([:])

    init(_ settings: HTTPSettings) {
        self.settings = settings
    }

    deinit {
        // No caller is left who could hear of a failure or do something about it.
        for client in clients.withLock({ $0.values }) { client.shutdown { _ in } }
    }

    /// The client that reaches its servers through `proxy`, or directly.
    func client(through proxy: ProxyRules.Proxy?) throws(TransportError) -> HTTPClient {
        try clients.withLock { clients throws(TransportError) in
            if let client = clients[proxy] { return client }
            let client = HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: try configuration(through: proxy)
            )
            clients[proxy] = client
            return client
        }
    }

    private func configuration(through proxy: ProxyRules.Proxy?) throws(TransportError) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try TrustRoots.configuration(settings),
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(settings.connectTimeout)),
            decompression: .disabled
        )
        configuration.httpVersion = .http1Only
        // Whether to try again is decided in one place, by RetryingTransport.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.proxy = proxy.map(Self.proxy)
        // Called for each connection when it is ready, TLS and a proxy's consent included.
        configuration.http1_1ConnectionDebugInitializer = { channel in
            channel.eventLoop.makeCompletedFuture { try ConnectionGuard.add(to: channel) }
        }
        return configuration
    }

    private static func proxy(_ proxy: ProxyRules.Proxy) -> HTTPClient.Configuration.Proxy {
        switch proxy.kind {
        case .socks5:
            return .socksServer(host: proxy.host, port: proxy.port)
        case .http:
            let authorization = proxy.credentials.map { HTTPClient.Authorization.basic(credentials: encoded($0)) }
            return .server(host: proxy.host, port: proxy.port, authorization: authorization)
        }
    }

    private static func encoded(_ credentials: Secret) -> String {
        Data(credentials.exposed.utf8).base64EncodedString()
    }
}
