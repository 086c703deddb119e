// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import NIOSSL
import TestSupport
import Testing

struct CertificateReadingTests {
    @Test(arguments: [
        ["leaf.key", "leaf", "intermediate"], ["root", "intermediate", "other", "leaf", "leaf.key"],
        ["intermediate", "leaf.pkcs1", "root", "leaf"], ["leaf.key", "leaf.pkcs1", "leaf", "leaf", "intermediate"],
    ])
    func `key and certificates may be in any order`(names: [String]) throws {
        let text = try names.map { try CertificateFixture.pem($0) }.joined()

        let certificate = try MSALClientCertificate(pem: text)

        #expect(
            certificate.certificateChain
                == [try CertificateFixture.der("leaf"), try CertificateFixture.der("intermediate")]
        )
    }

    @Test func `a chain ends where a certificate is missing`() throws {
        let certificate = try MSALClientCertificate(pem: try CertificateFixture.pem("leaf.key", "root", "leaf"))

        #expect(certificate.certificateChain == [try CertificateFixture.der("leaf")])
    }

    @Test func `a self-signed certificate is its own chain`() throws {
        let certificate = try MSALClientCertificate(pem: try CertificateFixture.pem("other.key", "other", "root"))

        #expect(certificate.certificateChain == [try CertificateFixture.der("other")])
    }

    @Test func `the validity of a certificate matches that of another library`() throws {
        let certificate = try CertificateFixture.leaf()
        let other = try NIOSSLCertificate(bytes: Array(try CertificateFixture.der("leaf")), format: .der)

        #expect(certificate.notBefore.timeIntervalSince1970 == TimeInterval(other.notValidBefore))
        #expect(certificate.notAfter.timeIntervalSince1970 == TimeInterval(other.notValidAfter))
    }

    @Test(arguments: ["leaf.aes256", "leaf.aes128-sha1", "leaf.umlaut", "leaf.des"])
    func `an encrypted key is decrypted with its password`(name: String) throws {
        let text = try CertificateFixture.pem(name, "leaf")
        let password = CertificateFixture.password(of: name)

        #expect(
            try MSALClientCertificate(pem: text, password: password).thumbprint == CertificateFixture.leaf().thumbprint
        )
        #expect(reason { try MSALClientCertificate(pem: text, password: "wrong") } == .password)
        #expect(reason { try MSALClientCertificate(pem: text) } == .password)
    }

    @Test func `a key with an unsupported cipher is rejected by name`() throws {
        let text = try CertificateFixture.pem("leaf.scrypt", "leaf")

        #expect(reason { try MSALClientCertificate(pem: text, password: "correct horse") } == .unsupportedEncryption)
    }

    @Test func `a second key is rejected`() throws {
        let text = try CertificateFixture.pem("leaf.key", "other.key", "leaf")

        #expect(reason { try MSALClientCertificate(pem: text) } == .twoKeys)
    }

    @Test func `a damaged certificate is reported as such`() throws {
        let text =
            try CertificateFixture.pem("leaf.key") + "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"

        #expect(reason { try MSALClientCertificate(pem: text) } == .malformed)
    }

    @Test func `neither the text nor a mirror of a certificate shows its key`() throws {
        let certificate = try CertificateFixture.leaf()
        var shown = "\(certificate)"
        dump(certificate, to: &shown)

        #expect(!shown.contains("_RSA"))
        #expect(!shown.contains(certificate.privateKey.base64EncodedString().prefix(40)))
        #expect(shown.contains(certificate.thumbprint))
    }

    @Test func `damaged texts are rejected and never trap`() throws {
        let corpus = try [
            CertificateFixture.pem("leaf.key", "leaf", "intermediate"), CertificateFixture.pem("leaf.pkcs1", "leaf"),
            CertificateFixture.pem("leaf.aes128-sha1", "leaf"), CertificateFixture.pem("leaf.des", "leaf"),
        ].map { Array($0.utf8) }
        var fuzz = Fuzz(corpus: corpus, words: ["-----BEGIN CERTIFICATE-----\n", "-----END ", "DEK-Info: x", "MII"])

        fuzz.run(rounds: min(Fuzz.rounds, 600)) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            _ = reason { try MSALClientCertificate(pem: text, password: "correct horse") }
        }
    }

    @Test func `damaged certificates and keys are rejected and never trap`() throws {
        let corpus = try ["leaf", "leaf.key", "leaf.aes128-sha1"].map { Array(try CertificateFixture.der($0)) }
        // The other required parts of a text, and no more: two keys would be rejected before the certificates are
        // parsed, and parsing the text takes longer than parsing the damaged part.
        let (leaf, key) = (try CertificateFixture.pem("leaf"), try CertificateFixture.pem("leaf.key"))
        let kinds = [("CERTIFICATE", key + leaf), ("PRIVATE KEY", leaf), ("ENCRYPTED PRIVATE KEY", leaf)]
        var fuzz = Fuzz(corpus: corpus)

        fuzz.run(rounds: min(Fuzz.rounds, 1000)) { bytes in
            let content = Data(bytes).base64EncodedString()
            for (label, rest) in kinds {
                let block = "-----BEGIN \(label)-----\n\(content)\n-----END \(label)-----\n"
                _ = reason { try MSALClientCertificate(pem: block + rest, password: "correct horse") }
            }
        }
    }
}

/// The reason for which a certificate is rejected, or `nil`.
func reason(_ body: () throws -> MSALClientCertificate) -> MSALTokenError.Reason? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? MSALTokenError)?.reason
    }
}
