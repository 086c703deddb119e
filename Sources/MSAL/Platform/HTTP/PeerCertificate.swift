// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Looks at a server's certificate after it failed verification, to tell why.
///
/// BoringSSL reports every such failure with one code. A second handshake, which is broken off as soon as the
/// certificate is seen and carries no request, finds out whether it is merely past its last day.
enum PeerCertificate {
    /// The last moment of the server's certificate; `nil` if it cannot be had, for example behind a proxy.
    static func expiry(of url: URL, timeout: Duration) async -> Date? {
        guard let host = url.host()?.trimmingCharacters(in: ["[", "]"]) else { return nil }
        let seen = Seen()
        do {
            let context = try NIOSSLContext(configuration: .makeClientConfiguration())
            // A server may choose its certificate by this name; addresses are none (RFC 6066 §3).
            let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connectTimeout(TimeAmount(timeout))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = try NIOSSLClientHandler(
                            context: context,
                            serverHostname: isAddress ? nil : host,
                            customVerificationCallback: {
                                (chain: [NIOSSLCertificate], verdict: EventLoopPromise<NIOSSLVerificationResult>) in
                                seen.expiry.withLock { $0 = chain.first.map { Int($0.notValidAfter) } }
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
            return nil  // The failure that is being explained is thrown already.
        }
        return seen.expiry.withLock { $0 }.map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }

    private final class Seen: Sendable {
        let expiry = Mutex<Int?>(nil)
    }
}
