// Licensed under the MIT License. See LICENSE.

public import Foundation

/// What a callback is told about the request that its assertion is for.
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
    public let capabilities: [String]
    /// The claims of the call, as JSON text.
    public let claims: String?
    /// The path of a federated managed identity.
    public let fmiPath: String?
    /// The id by which the service's logs will know the request.
    public let correlationID: UUID
    /// Whether the certificate's chain is wanted in the assertion.
    let sendsCertificateChain: Bool

    package init(
        clientId: String,
        tokenEndpoint: URL,
        tenant: String?,
        authority: URL,
        capabilities: [String],
        claims: String?,
        fmiPath: String?,
        correlationID: UUID,
        sendsCertificateChain: Bool
    ) {
        self.clientId = clientId
        self.tokenEndpoint = tokenEndpoint
        self.tenant = tenant
        self.authority = authority
        self.capabilities = capabilities
        self.claims = claims
        self.fmiPath = fmiPath
        self.correlationID = correlationID
        self.sendsCertificateChain = sendsCertificateChain
    }
}
