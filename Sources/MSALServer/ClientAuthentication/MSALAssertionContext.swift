// Licensed under the MIT License. See LICENSE.

public import Foundation
package import MSALCore

/// The facts that a callback gets about the request for which it makes an assertion.
public struct MSALAssertionContext: Sendable {
    /// The client that the assertion must name.
    public let clientId: String
    /// The audience of the assertion. It is the cloud's own token endpoint, also if a regional one is asked.
    public let tokenEndpoint: URL
    /// The tenant that is asked.
    public let tenant: String?
    /// The authority that is asked.
    public let authority: URL
    /// The capabilities of the application, such as `cp1`.
    public package(set) var capabilities: [String] = []
    /// The claims of the call, as JSON text.
    public package(set) var claims: String?
    /// The path of a federated managed identity.
    public package(set) var fmiPath: String?
    /// The id by which the service's logs will know the request.
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
