// Licensed under the MIT License. See LICENSE.

import CryptoExtras
import Foundation
import MSALBase

/// A certificate whose key is in this process. It signs assertions, or is shown in the TLS handshake.
struct CertificateAuthentication: ClientAuthentication {
    let source: CertificateSource
    let extraClaims: [String: String]
    /// Whether the certificate authenticates the client in the TLS handshake, without an assertion (RFC 8705 §2). MSAL Go
    /// does the same; MSAL for .NET also sends an assertion. Inferred: the service accepts both.
    var isShownInHandshake = false
    let environment: ServerEnvironment
    let kind = ObservedCredential.certificate

    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof {
        let certificate = source.current()
        guard !context.bindsToCertificate, !isShownInHandshake else { return .certificate(certificate) }
        let assertion = ClientAssertion(
            signer: CertificateSigner(certificate: certificate),
            thumbprints: certificate.thumbprints,
            chain: certificate.certificateChain,
            extraClaims: extraClaims,
            environment: environment
        )
        return .assertion(try await assertion.signed(for: context))
    }

    func bindingKeyID() throws(MSALTokenError) -> String { source.current().thumbprint }

    var certificate: MSALClientCertificate? { source.current() }
}

/// Signs with the key of a certificate.
private struct CertificateSigner: MSALAssertionSigner {
    let certificate: MSALClientCertificate

    var algorithms: [MSALSignatureAlgorithm] { [.ps256, .rs256] }
    var certificateChain: [Data] { certificate.certificateChain }

    // A signature takes most of a millisecond. `@concurrent` keeps this work away from the caller's actor.
    @concurrent func sign(_ data: Data, with algorithm: MSALSignatureAlgorithm) async throws -> Data {
        let padding: _RSA.Signing.Padding = algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5
        return try certificate.bundle.key.key.signature(for: data, padding: padding).rawRepresentation
    }
}
