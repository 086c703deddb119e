// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import MSALBase
import NIOCore
package import NIOPosix
import NIOSSL
import Synchronization
import UserFiles

/// The HTTP clients behind one transport, one for each route.
///
/// A client is made on first use, because that takes milliseconds, which a token from the cache must not cost.
///
/// A client that is dropped without a shutdown traps in debug builds, so `deinit` starts the shutdown. It keeps the
/// client alive until it is done, without blocking any caller. The event loops are those of the whole process and stay.
/// Requests under way hold the pool, so none is cut off.
final class HTTPClientPool: Sendable {
    /// The route by which a client reaches its servers.
    struct Route: Hashable {
        /// `nil` for direct connections.
        var proxy: ProxyRules.Proxy?
        /// The addresses of names that are resolved without a name server.
        var addresses: [String: String] = [:]
    }

    private let settings: HTTPSettings
    private let clients = Mutex<[Route: HTTPClient]>([:])
    private let identities = Mutex<[TLSIdentity: TLSConfiguration]>([:])

    init(_ settings: HTTPSettings) { self.settings = settings }

    deinit {
        // A failure is ignored, because no caller is left.
        for client in clients.withLock({ $0.values }) { client.shutdown { _ in } }
    }

    /// The client of a route.
    func client(on route: Route) throws(TransportError) -> HTTPClient {
        try clients.withLock { clients throws(TransportError) in
            if let client = clients[route] { return client }
            try EventLoops.prepare()
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: try configuration(on: route))
            clients[route] = client
            return client
        }
    }

    /// The TLS settings for requests that show a client's certificate.
    ///
    /// The client keeps connections apart by the value of these settings, so the value is made once. Certificates that were
    /// replaced are forgotten after a while; their connections end when they are idle.
    func tlsConfiguration(for identity: TLSIdentity) throws(TransportError) -> TLSConfiguration {
        if let known = identities.withLock({ $0[identity] }) { return known }
        let configuration = try identity.added(to: try TrustRoots.configuration(settings))
        return identities.withLock { identities in
            if let known = identities[identity] { return known }
            if identities.count >= Self.mostIdentities { identities = [:] }
            identities[identity] = configuration
            return configuration
        }
    }

    private static let mostIdentities = 64

    private func configuration(on route: Route) throws(TransportError) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: try TrustRoots.configuration(settings),
            redirectConfiguration: .disallow,
            timeout: .init(connect: TimeAmount(settings.connectTimeout)),
            decompression: .disabled
        )
        configuration.httpVersion = .http1Only
        // Only RetryingTransport decides whether to try again.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(settings.maximumConnections, 1)
        configuration.proxy = route.proxy.map(Self.proxy)
        configuration.dnsOverride = route.addresses
        // The client would take the tracer of the process, and send its headers to the service. Its spans have whole addresses.
        configuration.tracing.tracer = nil
        // The client calls this for each connection once TLS and the proxy are ready.
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

/// The event loops that the whole process shares.
package enum EventLoops {
    /// The event loops.
    ///
    /// - Throws: As ``prepare()``.
    package static func shared() throws(TransportError) -> MultiThreadedEventLoopGroup {
        try prepare()
        return .singleton
    }

    /// Makes sure that the event loops can be made. NIO ends the process if it cannot open their files.
    ///
    /// - Throws: `.cannotConnect` if this process may open too few files. The message names the limit.
    static func prepare() throws(TransportError) {
        guard !areMade.isSet else { return }
        // Each loop takes three: epoll, an event and a timer. The request itself needs a few more, for a socket, for the
        // lookup of a name and for certificates.
        guard OpenFileLimit.leaves(3 * NIOSingletons.groupLoopCountSuggestion + 8) else {
            throw TransportError(.cannotConnect, message: "No connection can be opened. \(OpenFileLimit.remedy)")
        }
        _ = MultiThreadedEventLoopGroup.singleton
        areMade.set()
    }

    private static let areMade = AtomicFlag()
}
