// Licensed under the MIT License. See LICENSE.

public import Foundation
package import MSALCore

/// What an assertion callback needs to know about the token request.
public struct MSALAssertionContext: Sendable {
    /// The client ID, which the assertion must name.
    public let clientId: String
    /// The audience of the assertion: the cloud's global token endpoint, even if the request goes to a regional one.
    public let tokenEndpoint: URL
    /// The tenant of the request.
    public let tenant: String?
    /// The authority of the request.
    public let authority: URL
    /// The capabilities of the application, such as `cp1`.
    public package(set) var capabilities: [String] = []
    /// The claims of the request, as JSON text.
    public package(set) var claims: String?
    /// The path of a federated managed identity.
    public package(set) var fmiPath: String?
    /// The correlation ID of the request, which the service logs.
    public let correlationID: UUID
    /// Whether the certificate's chain is wanted in the assertion.
    package var sendsCertificateChain = false
    /// The algorithms that the authority takes, the better one first.
    let signatureAlgorithms: [MSALSignatureAlgorithm]
    /// Whether the token shall be bound to the client's certificate.
    package var bindsToCertificate = false

    package init(
        clientId: String,
        tokenEndpoint: URL,
        tenant: String?,
        authority: URL,
        authorityKind: Authority.Kind = .aad,
        correlationID: UUID
    ) {
        self.clientId = clientId
        self.tokenEndpoint = tokenEndpoint
        self.tenant = tenant
        self.authority = authority
        self.correlationID = correlationID
        signatureAlgorithms = MSALSignatureAlgorithm.taken(by: authorityKind, at: tokenEndpoint)
    }
}
