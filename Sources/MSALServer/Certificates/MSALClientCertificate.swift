// Licensed under the MIT License. See LICENSE.

import Crypto
public import Foundation
import MSALBase
package import MSALCore
import UserFiles

/// A certificate with its private key, which authenticates a client. Its description does not contain the key.
///
/// The key must be an RSA key of at least 2048 bits. PEM text can contain the key and the certificates in any order;
/// the key is in PKCS#8, encrypted or not, or in PKCS#1. An error of the kind `invalidCertificate` has a
/// ``MSALTokenError/reason``.
public struct MSALClientCertificate: Sendable, CustomStringConvertible, CustomReflectable {
    let bundle: CertificateBundle
    let thumbprints: CertificateThumbprints

    /// Reads a PEM or PKCS#12 file once. Later changes of the file have no effect on the object.
    ///
    /// To follow the changes of a file, use `MSALClientCredential.certificate(path:password:)`.
    ///
    /// - Throws: `.invalidCertificate` if the file cannot be read or used; the error's ``MSALTokenError/reason`` says
    ///   why.
    public init(path: String, password: String? = nil) throws(MSALTokenError) {
        try self.init(path: path, password: password.map { Secret($0) }, files: SystemFiles())
    }

    /// Reads the text of a PEM file.
    ///
    /// - Throws: `.invalidCertificate` if the text cannot be used; the error's ``MSALTokenError/reason`` says why.
    public init(pem: String, password: String? = nil) throws(MSALTokenError) {
        try self.init(CertificateBundle(pem: Data(pem.utf8), password: password.map { Secret($0) }))
    }

    /// Reads the content of a PKCS#12 (PFX) file.
    ///
    /// - Throws: `.invalidCertificate` if the content cannot be used; the error's ``MSALTokenError/reason`` says why.
    public init(pkcs12: Data, password: String? = nil) throws(MSALTokenError) {
        try self.init(CertificateBundle(pkcs12: pkcs12, password: password.map { Secret($0) }))
    }

    init(path: String, password: Secret?, files: any ServerFiles) throws(MSALTokenError) {
        let content: Data
        do throws(FileFault) {
            content = try files.contents(of: path, limit: Self.largest)
        } catch {
            throw ClientCertificateError.error(.unreadable, detail: "The certificate file \(path) \(error.reason).")
        }
        try self.init(CertificateBundle(content, password: password))
    }

    /// The largest file that is read, in bytes. A real file with a key and a chain is far smaller.
    private static let largest = 1_048_576

    private init(_ bundle: CertificateBundle) {
        self.bundle = bundle
        thumbprints = CertificateThumbprints(der: bundle.leaf.der)
    }

    /// The SHA-256 thumbprint, base64url without padding: `x5t#S256` of RFC 7515 §4.1.8.
    public var thumbprint: String { thumbprints.sha256 }

    /// The SHA-1 thumbprint, base64url without padding: `x5t` of RFC 7515 §4.1.7.
    public var sha1Thumbprint: String { thumbprints.sha1 }

    /// The first moment at which the certificate is valid.
    public var notBefore: Date { bundle.leaf.notBefore }

    /// The last moment at which the certificate is valid.
    public var notAfter: Date { bundle.leaf.notAfter }

    /// The certificate and its issuers in DER, without the root.
    ///
    /// The chain stops at the first issuer that was not supplied.
    public var certificateChain: [Data] { bundle.chain.map { Data($0.der) } }

    /// The private key in DER (PKCS#8). It is a secret.
    package var privateKey: Data { bundle.key.der }

    /// The certificate and the key for the TLS handshake.
    package var identity: TLSIdentity {
        TLSIdentity(thumbprint: thumbprint, chain: bundle.chain.map(\.der), key: Array(privateKey))
    }

    /// The thumbprint and the expiration date of the certificate.
    public var description: String {
        "MSALClientCertificate(\(thumbprint), valid until \(notAfter.formatted(.iso8601)))"
    }

    /// The thumbprint and the expiration date, as in `description`.
    public var customMirror: Mirror { Mirror(self, children: ["thumbprint": thumbprint, "notAfter": notAfter]) }
}

/// The names of a certificate in the header of an assertion (RFC 7515 §4.1.7, §4.1.8): base64url without padding.
package struct CertificateThumbprints: Sendable, Hashable {
    package let sha256: String
    package let sha1: String

    package init(der: some DataProtocol) {
        sha256 = Base64URL.encode(SHA256.hash(data: der))
        sha1 = Base64URL.encode(Insecure.SHA1.hash(data: der))
    }

    /// The thumbprints of the first certificate in a PEM text.
    package init?(pem: String) {
        let block = PEMBlock.blocks(of: pem.utf8).first { $0.label == "CERTIFICATE" }
        guard let content = block?.content else { return nil }
        self.init(der: content)
    }
}
