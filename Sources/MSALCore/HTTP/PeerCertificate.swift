// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
package import NIOCore
package import NIOPosix
import NIOSSL
import Synchronization

/// Reads a server's certificate after its verification failed, to find the reason.
///
/// BoringSSL reports every such failure with one code. A second handshake finds out whether only the time is wrong. It
/// carries no request and ends as soon as the certificate arrives.
enum PeerCertificate {
    /// The first and the last moment at which the server's chain is valid. The result is `nil` if it cannot be read.
    static func validity(of url: URL, timeout: Duration) async -> ClosedRange<Date>? {
        guard let host = url.host()?.trimmingCharacters(in: ["[", "]"]) else { return nil }
        let seen = Seen()
        do {
            var configuration = TLSConfiguration.makeClientConfiguration()
            // The callback below decides. NIOSSL's default fails where the system has no authorities.
            configuration.trustRoots = .certificates([])
            let context = try NIOSSLContext(configuration: configuration)
            // A server may choose its certificate by this name. An address is not such a name (RFC 6066 §3).
            let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
            let loop = try EventLoops.shared().next()
            let channel = try await ClientBootstrap(group: loop)
                .resolving(host, on: loop)
                .connectTimeout(TimeAmount(timeout))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try NIOSSLClientHandler(
                            context: context,
                            serverHostname: isAddress ? nil : host,
                            customVerificationCallback: {
                                (chain: [NIOSSLCertificate], verdict: EventLoopPromise<NIOSSLVerificationResult>) in
                                seen.validity.withLock { $0 = Self.validity(of: chain) }
                                verdict.succeed(.failed)
                            }
                        )
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: host, port: url.port ?? 443).get()
            _ = channel.eventLoop.scheduleTask(in: TimeAmount.seconds(5)) { channel.close(mode: .all, promise: nil) }
            try await channel.closeFuture.get()
        } catch {
            return nil  // The caller reports the first failure in any case.
        }
        return seen.validity.withLock(\.self)
    }

    /// The time in which all certificates are valid. If there is none, it is that of the server's own certificate.
    private static func validity(of chain: [NIOSSLCertificate]) -> ClosedRange<Date>? {
        func date(_ seconds: some BinaryInteger) -> Date { Date(timeIntervalSince1970: TimeInterval(seconds)) }
        guard let own = chain.first, own.notValidBefore <= own.notValidAfter else { return nil }
        let first = chain.map(\.notValidBefore).max() ?? own.notValidBefore
        let last = chain.map(\.notValidAfter).min() ?? own.notValidAfter
        guard first <= last else { return date(own.notValidBefore)...date(own.notValidAfter) }
        return date(first)...date(last)
    }

    private final class Seen: Sendable {
        let validity = Mutex<ClosedRange<Date>?>(nil)
    }
}

/// Resolves a name to the addresses of this machine's loopback interface, without a name server.
private struct LoopbackResolver: Resolver, Sendable {
    let loop: any EventLoop

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeCompletedFuture { [try SocketAddress(ipAddress: "127.0.0.1", port: port)] }
    }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        loop.makeCompletedFuture { [try SocketAddress(ipAddress: "::1", port: port)] }
    }

    func cancelQueries() {}
}

extension ClientBootstrap {
    /// A bootstrap that asks no name server for a host whose name is one of the loopback interface.
    ///
    /// - Parameters:
    ///   - host: The host of the connection.
    ///   - loop: The event loop of the connection.
    /// - Returns: This bootstrap for every other host.
    package func resolving(_ host: String, on loop: any EventLoop) -> ClientBootstrap {
        LoopbackAddress.isName(host) ? resolver(LoopbackResolver(loop: loop)) : self
    }
}
