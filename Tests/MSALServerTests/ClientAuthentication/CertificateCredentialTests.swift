// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import TestSupport
import Testing

struct CertificateCredentialTests {
    private static let path = "/run/secrets/app.pem"

    private let files: MemoryFiles
    private let time = ManualTime(now: Date(timeIntervalSince1970: 1_800_000_000))
    private let log = LogLines()

    init() throws {
        files = MemoryFiles([Self.path: Data(try CertificateFixture.pem("leaf.key", "leaf", "intermediate").utf8)])
    }

    private func opened(_ credential: MSALClientCredential) throws -> any ClientAuthentication {
        try credential.open(.double(time: time, files: files))
    }

    /// The certificate in the next assertion.
    private func thumbprint(of authentication: any ClientAuthentication) async throws -> String? {
        try await authentication.proof(for: try .example()).parts?.header["x5t#S256"]?.string
    }

    @Test func `extra claims are added and replace none`() async throws {
        let credential = MSALClientCredential.certificate(
            try CertificateFixture.leaf(),
            extraClaims: ["client_ip": "192.0.2.7", "iss": "somebody", "exp": "1"]
        )

        let claims = try #require(try await opened(credential).proof(for: try .example()).parts?.claims)

        #expect(claims["client_ip"] == .string("192.0.2.7"))
        #expect(claims["iss"] == .string("2fa91425-cb00-4853-9d2c-67eda13ffe79"))
        #expect(claims["exp"] == .integer(1_800_000_600))
        #expect(claims.count == 8)
    }

    @Test func `a replaced file is used for signatures after a minute`() async throws {
        let authentication = try opened(.certificate(path: Self.path))
        let (old, new) = (try CertificateFixture.leaf().thumbprint, try CertificateFixture.other().thumbprint)
        files.write(Data(try CertificateFixture.pem("other.key", "other").utf8), to: Self.path)

        #expect(try await thumbprint(of: authentication) == old)
        time.advance(by: .seconds(60))
        #expect(try await thumbprint(of: authentication) == new)
        #expect(authentication.certificate?.thumbprint == new)
    }

    @Test(arguments: ["damaged", nil])
    func `the old certificate stays in use if the new file cannot be used`(content: String?) async throws {
        let authentication = try opened(.certificate(path: Self.path))
        let old = try CertificateFixture.leaf().thumbprint
        if let content { files.write(Data(content.utf8), to: Self.path) } else { files.remove(Self.path) }
        time.advance(by: .seconds(60))

        let used = try await log.hear {
            let first = try await thumbprint(of: authentication)
            return [first, try await thumbprint(of: authentication)]
        }
        #expect(used == [old, old])
        #expect(log.of(.error).count == 1)
        #expect(log.of(.error).first?.contains(Self.path) == true)

        files.write(Data(try CertificateFixture.pem("other.key", "other").utf8), to: Self.path)
        time.advance(by: .seconds(60))
        #expect(try await thumbprint(of: authentication) == CertificateFixture.other().thumbprint)
    }

    @Test func `an unusable file is rejected at once`() throws {
        #expect(throws: MSALTokenError.self) { try opened(.certificate(path: "/none.pem")) }
    }

    @Test func `a certificate that expires soon or has expired is logged once a day`() async throws {
        let certificate = try CertificateFixture.leaf()
        try await log.hear {
            let authentication = try opened(.certificate(certificate))
            #expect(log.of(.warning) == [])

            time.advance(by: .seconds(certificate.notAfter.timeIntervalSince(time.now) - 29 * 86_400))
            for _ in 0..<2 { _ = try await thumbprint(of: authentication) }
            #expect(log.of(.warning).count == 1)

            time.advance(by: .seconds(30 * 86_400))
            for _ in 0..<2 { _ = try await thumbprint(of: authentication) }
            #expect(log.of(.error).count == 1)
            #expect(log.of(.warning).count == 1)
        }
    }
}
