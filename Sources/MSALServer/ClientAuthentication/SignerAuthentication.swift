// Licensed under the MIT License. See LICENSE.

import CryptoExtras
import Foundation
import MSALBase

/// A key elsewhere, which signs assertions.
struct SignerAuthentication: ClientAuthentication {
    private let signer: any MSALAssertionSigner
    private let key: RSANumbers
    private let assertion: ClientAssertion
    let kind = ObservedCredential.certificate

    /// Checks what the signer has to offer. It is not asked to sign.
    ///
    /// - Throws: `.invalidCertificate` or `.invalidCredential`.
    init(
        signer: any MSALAssertionSigner,
        extraClaims: [String: String],
        environment: ServerEnvironment
    ) throws(MSALTokenError) {
        self.signer = signer
        _ = try MSALSignatureAlgorithm.choice(of: signer.algorithms, among: [.ps256, .rs256])
        var chain: [CertificateFields] = []
        do {
            for der in signer.certificateChain { chain.append(try CertificateFields(der: Array(der))) }
        } catch {
            throw ClientCertificateError.error(.malformed)
        }
        guard let leaf = chain.first else { throw ClientCertificateError.error(.noCertificate) }
        guard let key = leaf.key else { throw ClientCertificateError.error(.keyType) }
        guard key.bits >= ClientKey.smallest else { throw ClientCertificateError.error(.keyTooSmall) }
        self.key = key
        assertion = ClientAssertion(
            signer: signer,
            thumbprints: CertificateThumbprints(der: leaf.der),
            chain: CertificateBundle.chain(from: leaf, among: chain).map { Data($0.der) },
            extraClaims: extraClaims,
            environment: environment
        )
    }

    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof {
        let signed = try await assertion.signed(for: context)
        guard isSigned(signed) else {
            throw MSALTokenError(
                .invalidCredential,
                message: "The signer's signature does not fit its certificate, or is one of another algorithm than was "
                    + "asked for. Nothing was sent."
            )
        }
        return .assertion(signed)
    }

    /// Whether the signature is good. The service would refuse a bad one without the reason.
    private func isSigned(_ assertion: Secret) -> Bool {
        let parts = assertion.exposed.split(separator: ".", omittingEmptySubsequences: false)
        guard
            parts.count == 3, let header = Base64URL.decode(parts[0]).flatMap(JSONValue.init(parsing:)),
            let signature = Base64URL.decode(parts[2]),
            // Numbers that make no RSA key cannot have made the signature.
            let key = try? _RSA.Signing.PublicKey(n: key.modulus, e: key.exponent)
        else { return false }
        let isPSS = header.object?["alg"] == .string(MSALSignatureAlgorithm.ps256.rawValue)
        return key.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature),
            for: Data("\(parts[0]).\(parts[1])".utf8),
            padding: isPSS ? .PSS : .insecurePKCS1v1_5
        )
    }

    func bindingKeyID() throws(MSALTokenError) -> String {
        throw MSALTokenError(
            .certificateRequired,
            message: "A token that is bound to a certificate needs the key in this process, for the TLS handshake. "
                + "Configure the credential as a certificate."
        )
    }
}
