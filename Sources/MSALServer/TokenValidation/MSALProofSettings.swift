// Licensed under the MIT License. See LICENSE.

/// How a client proves that a bound token is its own: with signed requests, or with the certificate of its connection.
public struct MSALProofSettings: Sendable {
    /// Whether signed requests are taken, which come with the scheme `PoP`.
    public var acceptsSignedRequests = true

    /// Whether tokens are taken that are bound to the client's certificate, with the scheme `Bearer` or `mtls_pop`.
    public var acceptsCertificates = true

    /// Gives a nonce for a client's next signed request. Refusals then carry it.
    public var makeNonce: (@Sendable () -> String)?

    /// Says whether a nonce is one that the API gave, and that is still good. A signed request without one is then refused.
    public var acceptsNonce: (@Sendable (String) -> Bool)?

    /// How many signed requests are remembered, for ten minutes each, so that none is taken twice. They need a nonce of
    /// their own then. Zero switches the memory off. One caller fills at most half of the memory, so that others have room.
    public var maximumRememberedProofs = 0

    /// The header in which a proxy hands on the client's certificate, such as `Client-Cert` (RFC 9440),
    /// `X-ARR-ClientCert` or a header with the certificate as percent-encoded PEM.
    public var certificateHeader: String?

    /// The addresses of the proxies whose ``certificateHeader`` counts: single ones, or networks such as `10.1.0.0/16`.
    /// From any other address the header is ignored.
    public var trustedProxies: Set<String> = []

    /// Makes settings that take signed requests and certificates of connections. They use no nonce, no memory and no
    /// proxy.
    public init() {}
}
