// Licensed under the MIT License. See LICENSE.

public import Foundation
public import Hummingbird
public import MSALServer
import NIOCore
import NIOSSL

/// A request context that knows the caller.
///
/// An application's own context conforms with one stored property, `identity`. ``MSALAPIContext`` is there for
/// applications without one.
public protocol MSALRequestContext: RequestContext {
    /// The caller; `nil` before ``MSALAuthenticator`` has checked the token.
    var identity: MSALPrincipal? { get set }

    /// The IP address at the other end of the connection. Only a proxy's header with a client's certificate needs it.
    var peerAddress: String? { get }

    /// The certificate that the client showed in its TLS handshake, in DER. Only tokens that are bound to one need it.
    var peerCertificate: Data? { get async }
}

extension MSALRequestContext {
    /// No address: no proxy is trusted.
    public var peerAddress: String? { nil }

    /// No certificate.
    public var peerCertificate: Data? { nil }
}

/// A context with the caller and what the connection tells of the client, and nothing of an application's own.
public struct MSALAPIContext: MSALRequestContext {
    /// The storage of Hummingbird itself for a request.
    public var coreContext: CoreRequestContextStorage

    /// The caller.
    public var identity: MSALPrincipal?

    /// The IP address at the other end of the connection.
    public let peerAddress: String?

    private let channel: any Channel

    /// The certificate that the client showed in its TLS handshake, in DER. `nil` without TLS in this process, with HTTP/2,
    /// and from a client that was not asked for one.
    public var peerCertificate: Data? {
        get async {
            // A connection without TLS fails here.
            guard let certificate = try? await channel.nioSSL_peerCertificate().get() else { return nil }
            return (try? certificate.toDERBytes()).map { Data($0) }
        }
    }

    /// The context of a request that arrives.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peerAddress = source.channel.remoteAddress?.ipAddress
        channel = source.channel
    }
}
