// Licensed under the MIT License. See LICENSE.

public import Foundation
public import Hummingbird
public import MSALServer
import NIOCore
import NIOSSL

/// A request context with the authenticated caller.
///
/// An application's context conforms with one stored property, `identity`. Use ``MSALAPIContext`` if the application
/// does not have its own.
public protocol MSALRequestContext: RequestContext {
    /// The caller; `nil` before ``MSALAuthenticator`` has checked the token.
    var identity: MSALPrincipal? { get set }

    /// The IP address at the other end of the connection. Only needed if a proxy passes client certificates in a
    /// header.
    var peerAddress: String? { get }

    /// The client's certificate from the TLS handshake, in DER. Only needed for tokens that are bound to one.
    var peerCertificate: Data? { get async }
}

extension MSALRequestContext {
    /// No address, so no proxy is trusted.
    public var peerAddress: String? { nil }

    /// No certificate.
    public var peerCertificate: Data? { nil }
}

/// A context with the caller and the connection's properties, without values of an application.
public struct MSALAPIContext: MSALRequestContext {
    /// Hummingbird's own storage for a request.
    public var coreContext: CoreRequestContextStorage

    /// The caller.
    public var identity: MSALPrincipal?

    /// The IP address at the other end of the connection.
    public let peerAddress: String?

    private let channel: any Channel

    /// The client's certificate from the TLS handshake, in DER. `nil` if TLS does not end in this process, with HTTP/2,
    /// and if no certificate was requested.
    public var peerCertificate: Data? {
        get async {
            // Fails for a connection without TLS.
            guard let certificate = try? await channel.nioSSL_peerCertificate().get() else { return nil }
            return (try? certificate.toDERBytes()).map { Data($0) }
        }
    }

    /// Creates the context of an incoming request.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peerAddress = source.channel.remoteAddress?.ipAddress
        channel = source.channel
    }
}
