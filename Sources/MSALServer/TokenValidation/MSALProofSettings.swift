// Licensed under the MIT License. See LICENSE.

/// How a client proves possession of a bound token: with signed requests, or with the certificate of its connection.
public struct MSALProofSettings: Sendable {
    /// Whether signed requests, which use the scheme `PoP`, are accepted.
    public var acceptsSignedRequests = true

    /// Whether tokens that are bound to the client's certificate are accepted, with the scheme `Bearer` or `mtls_pop`.
    public var acceptsCertificates = true

    /// Creates a nonce for a client's next signed request. Rejections then carry it.
    public var makeNonce: (@Sendable () -> String)?

    /// Whether the API issued this nonce, and it is still valid. If set, a signed request without a valid nonce is
    /// rejected.
    public var acceptsNonce: (@Sendable (String) -> Bool)?

    /// How many signed requests are remembered, for ten minutes each, to detect replays. Each request then needs its
    /// own nonce. Zero disables replay detection. One caller can fill at most half of the memory, so that space remains
    /// for others.
    public var maximumRememberedProofs = 0

    /// The header in which a proxy forwards the client's certificate, such as `Client-Cert` (RFC 9440),
    /// `X-ARR-ClientCert` or a header with the certificate as percent-encoded PEM.
    public var certificateHeader: String?

    /// The addresses of the proxies that may set ``certificateHeader``: single ones, or networks such as `10.1.0.0/16`.
    /// From any other address, the header is ignored.
    public var trustedProxies: Set<String> = []

    /// Creates settings that accept signed requests and the certificates of connections, without nonces, replay
    /// detection, or proxies.
    public init() {}
}
