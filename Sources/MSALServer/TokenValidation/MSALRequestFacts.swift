// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase

/// The properties of a request that are needed to verify a proof of possession. Bearer tokens need none of them.
///
/// All texts are as in the request line and the header fields, before any decoding.
public struct MSALRequestFacts: Sendable {
    /// The method, such as `GET`.
    public var method: String
    /// The value of `Host` or `:authority`. The port may be omitted if it is 443.
    public var host: String
    /// The path, percent-encoded, without the query.
    public var path: String
    /// The query without its question mark, percent-encoded.
    public var query: String?
    /// The header fields, in order. Names are compared case-insensitively.
    public var headers: [(name: String, value: String)] = []
    /// The body, if it was read. A proof that covers the body is rejected without it.
    public var body: Data?
    /// The certificate that the client presented in the TLS handshake, in DER. Only a server that verified the
    /// handshake may set it.
    public var peerCertificate: Data?
    /// The IP address of the peer. A proxy's header is used only if this is the proxy's address.
    public var peerAddress: String?

    /// Creates the properties of a request.
    public init(method: String = "GET", host: String = "", path: String = "/", query: String? = nil) {
        self.method = method
        self.host = host
        self.path = path
        self.query = query
    }

    /// The values of the fields with a name, in their order.
    func values(of name: String) -> [String] {
        headers.filter { $0.name.lowercasedASCII.isExactly(name.lowercasedASCII) }.map(\.value)
    }
}
