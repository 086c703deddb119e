// Licensed under the MIT License. See LICENSE.

public import Foundation
import MSALBase

/// What the check of a proof has to know of a request. Bearer tokens need nothing of it.
///
/// All texts are those of the request line and of the header, before anything is decoded.
public struct MSALRequestFacts: Sendable {
    /// The method, such as `GET`.
    public var method: String
    /// The value of `Host` or `:authority`. The port may be left out if it is 443.
    public var host: String
    /// The path, percent-encoded, without the query.
    public var path: String
    /// The query without its question mark, percent-encoded.
    public var query: String?
    /// The fields of the header, in their order. Names are compared without regard to letter case.
    public var headers: [(name: String, value: String)] = []
    /// The body, if it was read. A proof that covers the body is refused without it.
    public var body: Data?
    /// The certificate that the client showed in its TLS handshake, in DER. Only a server that verified the handshake sets it.
    public var peerCertificate: Data?
    /// The IP address at the other end of the connection. A proxy's header counts only if this is the proxy's address.
    public var peerAddress: String?

    /// The facts of a request.
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
