// Licensed under the MIT License. See LICENSE.

public import Foundation
public import Hummingbird
public import MSALServer

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
    var peerCertificate: Data? { get }
}

extension MSALRequestContext {
    /// No address: no proxy is trusted.
    public var peerAddress: String? { nil }

    /// No certificate.
    public var peerCertificate: Data? { nil }
}

/// A context with the caller, and nothing else of an application's own.
public struct MSALAPIContext: MSALRequestContext {
    /// What Hummingbird itself keeps of a request.
    public var coreContext: CoreRequestContextStorage

    /// The caller.
    public var identity: MSALPrincipal?

    /// The IP address at the other end of the connection.
    public let peerAddress: String?

    /// The context of a request that arrives.
    public init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        peerAddress = source.channel.remoteAddress?.ipAddress
    }
}
