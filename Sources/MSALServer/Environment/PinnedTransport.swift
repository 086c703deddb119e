// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import HTTPGuards
import MSALBase
package import MSALCore
import NIOCore
import NIOHTTP1
import NIOPosix
package import NIOSSL

/// Carries requests over TLS to the one server that has a certain certificate, and to no other
/// (docs/reference/Services.md#service-fabric, docs/reference/Services.md#identity-bindings).
///
/// With a thumbprint, the certificate authorities and the names in the certificate do not count, because such a server
/// signs its own certificate. Each request has a connection of its own, without a proxy. The certificate is compared during the
/// handshake. So no byte of a request reaches another server.
package struct PinnedTransport: HTTPTransport {
    private static let defaultTimeout: Duration = .seconds(30)

    /// The certificate that the server must have.
    enum ServerCheck: Sendable {
        case thumbprint(CertificateThumbprint)
        /// One of these authorities, or else of the system's, vouches for the name, which is also sent to the server. By
        /// default, it is the host's. NIOSSL also accepts a certificate for the address of the connection.
        case authorities([NIOSSLCertificate]?, name: String?)
    }

    private let check: ServerCheck

    package init(thumbprint: CertificateThumbprint) { self.init(.thumbprint(thumbprint)) }

    init(_ check: ServerCheck) { self.check = check }

    package func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        guard message.url.scheme?.lowercased() == "https", let host = message.url.host(), !host.isEmpty else {
            throw TransportError(.badURL, message: "The address has to begin with https: and name a host.")
        }
        let isClean = { (byte: UInt8) in byte >= 0x20 && byte != 0x7F }
        guard message.headers.allSatisfy({ $0.value.utf8.allSatisfy(isClean) }) else {
            throw TransportError(.badURL, message: "A header contains a control character, such as a line break.")
        }
        let timeout = message.timeout ?? Self.defaultTimeout
        do {
            return try await exchange(message, host: host.trimmingCharacters(in: ["[", "]"]), timeout: timeout)
        } catch let known as TransportError {
            throw known
        } catch {
            throw explain(error, host: host, timeout: timeout)
        }
    }

    private func exchange(_ message: HTTPMessage, host: String, timeout: Duration) async throws -> HTTPResponse {
        let handshake = try Handshake(check)
        let loop = try EventLoops.shared().next()
        let outcome = loop.makePromise(of: HTTPResponse.self)
        let end = loop.scheduleTask(in: TimeAmount(timeout)) {
            outcome.fail(ChannelError.connectTimeout(TimeAmount(timeout)))
        }
        let connection = ClientBootstrap(group: loop)
            .resolving(host, on: loop)
            .connectTimeout(TimeAmount(timeout))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(handshake.handler(host: host, outcome: outcome))
                    try pipeline.addHTTPClientHandlers()
                    let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
                    try pipeline.addHandler(InterimResponses(), position: .before(decoder))
                    try pipeline.addHandler(PinnedExchange(message, outcome: outcome))
                }
            }
            .connect(host: host, port: message.url.port ?? 443)
        connection.cascadeFailure(to: outcome)
        outcome.futureResult.whenComplete { _ in
            end.cancel()
            // The connection may not be established yet. It is closed once it is established, without anything waiting
            // for that.
            connection.whenSuccess { $0.close(promise: nil) }
        }
        return try await withTaskCancellationHandler {
            try await outcome.futureResult.get()
        } onCancel: {
            outcome.fail(CancellationError())
        }
    }

    private func explain(_ error: any Error, host: String, timeout: Duration) -> TransportError {
        if error is CancellationError {
            return TransportError(.canceled, message: "The request was canceled.", underlying: error)
        }
        if case ChannelError.connectTimeout = error {
            return TransportError(.timedOut, message: "\(host) did not respond within \(timeout).", underlying: error)
        }
        switch error {
        case let error as NIOConnectionError:
            return TransportError(
                .cannotConnect,
                message: "No connection to \(host), port \(error.port). Check that the server is running.",
                underlying: error
            )
        case is NIOSSLError, is BoringSSLError:
            return TransportError(.tlsHandshake, message: "TLS with \(host) failed.", underlying: error)
        case HTTPParserError.invalidEOFState:
            return TransportError(
                .connectionLost,
                message: "\(host) closed the connection before the response was complete.",
                underlying: error
            )
        case is HTTPParserError:
            return TransportError(.badResponse, message: "The response of \(host) is not HTTP.", underlying: error)
        default:
            return TransportError(.connectionLost, message: "The connection to \(host) was lost.", underlying: error)
        }
    }
}

/// The TLS side of a pinned connection.
private struct Handshake: Sendable {
    private let context: NIOSSLContext
    private let check: PinnedTransport.ServerCheck

    init(_ check: PinnedTransport.ServerCheck) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        switch check {
        case .thumbprint:
            // The callback below decides instead of certificate authorities. Names do not count either.
            configuration.certificateVerification = .noHostnameVerification
            // NIOSSL's default would read those of the system, and fails where there are none.
            configuration.trustRoots = .certificates([])
        case .authorities(let certificates, _):
            configuration.trustRoots = certificates.map { NIOSSLTrustRoots.certificates($0) } ?? .default
        }
        context = try NIOSSLContext(configuration: configuration)
        self.check = check
    }

    func handler(host: String, outcome: EventLoopPromise<HTTPResponse>) throws -> NIOSSLClientHandler {
        // An IP address is not a server name (RFC 6066 §3). The initializer fails for it.
        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
        let thumbprint: CertificateThumbprint
        switch check {
        case .authorities(_, let name):
            return try NIOSSLClientHandler(context: context, serverHostname: name ?? (isAddress ? nil : host))
        case .thumbprint(let pinned): thumbprint = pinned
        }
        return try NIOSSLClientHandler(
            context: context,
            serverHostname: isAddress ? nil : host,
            customVerificationCallback: { chain, verdict in
                // A certificate that cannot be hashed counts as another one.
                if let own = chain.first, (try? CertificateThumbprint(of: own)) == thumbprint {
                    return verdict.succeed(.certificateVerified)
                }
                outcome.fail(
                    TransportError(
                        .untrustedCertificate,
                        message:
                            "The certificate shown by \(host) is not the one that IDENTITY_SERVER_THUMBPRINT names. "
                            + "Nothing was sent. Check the variable, and which program listens there."
                    )
                )
                verdict.succeed(.failed)
            }
        )
    }
}

/// The SHA-1 hash of a certificate's DER bytes. With it, Service Fabric names the only server that a program may trust.
///
/// SHA-1 is the choice of Service Fabric. A forger would need a second preimage, which is infeasible for SHA-1 today.
package struct CertificateThumbprint: Sendable, Hashable {
    private let digest: [UInt8]

    /// A hash as 40 hexadecimal digits of any case; `nil` for other text.
    package init?(_ text: String) {
        guard let digest = Hexadecimal.bytes(text), digest.count == 20 else { return nil }
        self.digest = digest
    }

    /// The hash of a certificate.
    package init(of certificate: NIOSSLCertificate) throws {
        digest = Array(Insecure.SHA1.hash(data: try certificate.toDERBytes()))
    }
}
