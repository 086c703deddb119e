// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import TestSupport
import Testing

struct PKCS12Tests {
    @Test(arguments: ["aes", "legacy", "des", "open", "empty", "unchecked", "umlaut", "sha512", "java"])
    func `the files of OpenSSL and of keytool are read`(name: String) throws {
        let certificate = try MSALClientCertificate(
            pkcs12: try CertificateFixture.data("\(name).p12"),
            password: CertificateFixture.password(of: name)
        )

        #expect(
            certificate.certificateChain
                == [try CertificateFixture.der("leaf"), try CertificateFixture.der("intermediate")]
        )
        #expect(certificate.privateKey == (try CertificateFixture.leaf().privateKey))
    }

    @Test(arguments: ["aes", "legacy", "des", "open", "unchecked", "umlaut", "java"])
    func `a wrong password is reported as such`(name: String) throws {
        let file = try CertificateFixture.data("\(name).p12")

        #expect(reason { try MSALClientCertificate(pkcs12: file, password: "wrong") } == .password)
        #expect(reason { try MSALClientCertificate(pkcs12: file) } == .password)
    }

    @Test(arguments: [("no-certificate", "noCertificate"), ("no-key", "noKey"), ("mismatch", "keyMismatch")])
    func `an incomplete file is reported with the missing part`(name: String, expected: String) throws {
        let file = try CertificateFixture.data("\(name).p12")

        #expect(reason { try MSALClientCertificate(pkcs12: file, password: "correct horse") }?.rawValue == expected)
    }

    @Test func `a file with indefinite lengths is read`() throws {
        let file = Array(try CertificateFixture.data("aes.p12"))
        // BER: the outer sequence, whose header has four bytes, ends with two zeros (ITU-T X.690 §8.1.3.6).
        let indefinite = [0x30, 0x80] + file.dropFirst(4) + [0, 0]

        let certificate = try MSALClientCertificate(pkcs12: Data(indefinite), password: "correct horse")

        #expect(certificate.thumbprint == (try CertificateFixture.leaf().thumbprint))
    }

    @Test func `a path may name either type of file`() throws {
        let folder = try TemporaryDirectory()
        let (pkcs12, pem) = (folder.url.appending(path: "app.pfx"), folder.url.appending(path: "app.pem"))
        try CertificateFixture.data("aes.p12").write(to: pkcs12)
        try Data(CertificateFixture.pem("leaf", "leaf.aes256").utf8).write(to: pem)

        for path in [pkcs12.path, pem.path] {
            let certificate = try MSALClientCertificate(path: path, password: "correct horse")
            #expect(certificate.thumbprint == (try CertificateFixture.leaf().thumbprint))
        }
        #expect(reason { try MSALClientCertificate(path: folder.url.path + "/none.pem") } == .unreadable)
    }

    @Test func `damaged files are rejected and never trap`() throws {
        let corpus = try ["aes", "des", "open", "unchecked", "mismatch"].map {
            Array(try CertificateFixture.data("\($0).p12"))
        }
        var fuzz = Fuzz(corpus: corpus)

        fuzz.run(rounds: min(Fuzz.rounds, 1000)) { bytes in
            _ = reason { try MSALClientCertificate(pkcs12: Data(bytes), password: "correct horse") }
        }
    }
}
