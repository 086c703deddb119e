// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A key, the certificate that it belongs to, and the certificates of the issuers, in whatever order they were given
/// (docs/reference/Services.md#certificates).
struct CertificateBundle: Sendable {
    /// The certificate whose public key matches the private key.
    let leaf: CertificateFields
    /// The leaf, and its issuers as far as they are among the given certificates, without a self-issued one at the end.
    let chain: [CertificateFields]
    let key: ClientKey

    /// Reads a PEM text or a PKCS#12 file.
    ///
    /// - Throws: `.invalidCertificate` with the reason.
    init(_ content: Data, password: Secret?) throws(MSALTokenError) {
        // PKCS#12 begins with a sequence, in DER or BER. No text begins with this byte.
        if content.first == 0x30, content.dropFirst().first.map({ $0 >= 0x80 }) == true {
            try self.init(pkcs12: content, password: password)
        } else {
            try self.init(pem: content, password: password)
        }
    }

    init(pkcs12 content: Data, password: Secret?) throws(MSALTokenError) {
        let file = try PKCS12File(bytes: Array(content), password: password ?? Secret(""))
        try self.init(keys: file.keys, certificates: file.certificates)
    }

    init(pem content: Data, password: Secret?) throws(MSALTokenError) {
        var keys: [[UInt8]] = []
        var certificates: [[UInt8]] = []
        for block in PEMBlock.blocks(of: content) {
            switch block.label {
            case "CERTIFICATE", "X509 CERTIFICATE":
                certificates.append(try Self.content(of: block))
            case "PRIVATE KEY", "RSA PRIVATE KEY":
                keys.append(try Self.content(of: block))
            case "ENCRYPTED PRIVATE KEY":
                guard let password else {
                    throw ClientCertificateError.error(.password, detail: "No password was given.")
                }
                let key: EncryptedKey
                do {
                    key = try EncryptedKey(der: try Self.content(of: block))
                } catch {
                    throw ClientCertificateError.error(.malformed)
                }
                keys.append(try key.decrypted(password: password))
            case let label where label.hasSuffix("PRIVATE KEY"):
                guard !block.isEncryptedByHeader else { throw ClientCertificateError.error(.legacyEncryption) }
                throw ClientCertificateError.error(.keyType, detail: "The block is named \(label.prefix(40)).")
            default:
                continue
            }
        }
        try self.init(keys: keys, certificates: certificates)
    }

    private static func content(of block: PEMBlock) throws(MSALTokenError) -> [UInt8] {
        guard !block.isEncryptedByHeader else { throw ClientCertificateError.error(.legacyEncryption) }
        guard let content = block.content else { throw ClientCertificateError.error(.malformed) }
        return content
    }

    private init(keys: [[UInt8]], certificates: [[UInt8]]) throws(MSALTokenError) {
        // A text may hold the same key twice, in two forms. That is one key.
        var read: [ClientKey] = []
        for der in keys {
            let key = try ClientKey(der: der)
            if !read.contains(where: { $0.numbers == key.numbers }) { read.append(key) }
        }
        guard read.count < 2 else { throw ClientCertificateError.error(.twoKeys) }
        guard !certificates.isEmpty else { throw ClientCertificateError.error(.noCertificate) }
        guard let key = read.first else { throw ClientCertificateError.error(.noKey) }
        var all: [CertificateFields] = []
        do {
            for der in certificates where !all.contains(where: { $0.der == der }) {
                all.append(try CertificateFields(der: der))
            }
        } catch {
            throw ClientCertificateError.error(.malformed)
        }
        // A renewed certificate may have the key of the old one. If several have the key, the one that ends last is
        // used.
        let matching = all.filter { $0.key == key.numbers }.max { $0.notAfter < $1.notAfter }
        guard let leaf = matching else { throw ClientCertificateError.error(.keyMismatch) }
        self.leaf = leaf
        self.key = key
        chain = Self.chain(from: leaf, among: all)
    }

    /// The leaf, and its issuers as far as they are among the given certificates.
    static func chain(from leaf: CertificateFields, among all: [CertificateFields]) -> [CertificateFields] {
        var chain = [leaf]
        var last = leaf
        while !last.isSelfIssued {
            let issuers = all.filter { other in
                last.isIssued(by: other) && !other.isSelfIssued && !chain.contains { $0.der == other.der }
            }
            // If an issuer has several certificates, the one that ends last serves longest.
            guard let issuer = issuers.max(by: { $0.notAfter < $1.notAfter }) else { break }
            chain.append(issuer)
            last = issuer
        }
        return chain
    }
}
