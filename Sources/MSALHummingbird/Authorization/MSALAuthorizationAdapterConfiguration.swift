// Licensed under the MIT License. See LICENSE.

public import Foundation
public import MSALServer

/// The settings of an authorization adapter.
public struct MSALAuthorizationAdapterConfiguration: Sendable {
    /// The redirect URIs of clients that are allowed: https, or http on `localhost`, `127.0.0.1`, or `[::1]`. They are
    /// compared exactly; for those of http, any port is allowed.
    public var redirectUris: [String]

    /// The keys that encrypt what browsers and clients keep. All instances have the same keys: the first one encrypts, and
    /// all decrypt. Without a key, the adapter generates one, which is only allowed at an address on this machine.
    public var sealingKeys: [MSALSealingKey] = []

    /// Whether clients may register themselves (RFC 7591), which the Model Context Protocol has deprecated. Nothing is stored:
    /// the client ID contains the registration.
    public var allowsRegistration = false

    /// The hosts of Client ID Metadata Documents that are reached at a fixed address, such as those of a closed network or of
    /// a test. Their addresses may be private.
    public var trustedDocumentHosts: [String: MSALTrustedDocumentHost] = [:]

    /// Fetches Client ID Metadata Documents instead of the adapter. The function must limit size and time, follow no
    /// redirects, and reject private addresses. If it throws, the client is refused.
    public var fetchDocument: (@Sendable (URL) async throws -> MSALClientDocument)?

    /// Creates the settings with the allowed redirect URIs.
    public init(redirectUris: [String]) {
        self.redirectUris = redirectUris
    }
}

/// A host of Client ID Metadata Documents whose address is configured.
public struct MSALTrustedDocumentHost: Sendable {
    /// The IP address to connect to.
    public var address: String
    /// A PEM file with additional certificate authorities to trust.
    public var caFile: URL?

    /// Creates a host with its IP address.
    public init(address: String, caFile: URL? = nil) {
        self.address = address
        self.caFile = caFile
    }
}

/// A fetched Client ID Metadata Document.
public struct MSALClientDocument: Sendable {
    /// The JSON text.
    public var body: Data
    /// How long the document may be cached. The adapter uses at least one minute and at most one day.
    public var lifetime: Duration

    /// Creates a document. It may be cached for five minutes by default.
    public init(body: Data, lifetime: Duration = .seconds(300)) {
        self.body = body
        self.lifetime = lifetime
    }
}
