// Licensed under the MIT License. See LICENSE.

import CryptoExtras
import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

struct SignerTests {
    /// A key in a vault, which a test can make fail.
    private struct Vault: MSALAssertionSigner {
        var algorithms: [MSALSignatureAlgorithm] = [.rs256, .ps256]
        var certificateChain: [Data]
        var act: @Sendable (Data, MSALSignatureAlgorithm) async throws -> Data

        init(_ names: String...) throws {
            certificateChain = try names.map { try CertificateFixture.der($0) }
            let key = try _RSA.Signing.PrivateKey(pemRepresentation: try CertificateFixture.pem("leaf.key"))
            act = { data, algorithm in
                let padding: _RSA.Signing.Padding = algorithm == .ps256 ? .PSS : .insecurePKCS1v1_5
                return try key.signature(for: data, padding: padding).rawRepresentation
            }
        }

        func sign(_ data: Data, with algorithm: MSALSignatureAlgorithm) async throws -> Data {
            try await act(data, algorithm)
        }
    }

    private struct Offline: Error {}

    private func proof(
        of vault: Vault,
        for context: MSALAssertionContext
    ) async throws(MSALTokenError) -> ClientProof {
        let authentication = try MSALClientCredential.signer(vault).open(.double())
        return try await authentication.proof(for: context)
    }

    private func refusal(of vault: Vault, for context: MSALAssertionContext) async throws -> MSALTokenError {
        try await failure { () async throws(MSALTokenError) in try await proof(of: vault, for: context) }
    }

    @Test func `an external key signs like a local one`() async throws {
        let context = try MSALAssertionContext.example(sendsCertificateChain: true)

        let proof = try await proof(of: try Vault("leaf", "other", "intermediate", "root"), for: context)

        let header = try #require(proof.parts?.header)
        #expect(header["alg"] == .string("PS256"))
        #expect(header["x5t#S256"] == .string(try CertificateFixture.leaf().thumbprint))
        let chain = try ["leaf", "intermediate"].map { try CertificateFixture.der($0).base64EncodedString() }
        #expect(header["x5c"] == .array(chain.map(JSONValue.string)))
    }

    @Test func `a key for older signatures gets their header`() async throws {
        var vault = try Vault("leaf")
        vault.algorithms = [.rs256]

        let header = try #require(try await proof(of: vault, for: try .example()).parts?.header)

        #expect(header["alg"] == .string("RS256"))
        #expect(header["x5t"] == .string(try CertificateFixture.leaf().sha1Thumbprint))
        #expect(header["x5t#S256"] == nil)
    }

    @Test func `AD FS gets older signatures, and a key without them is rejected`() async throws {
        var vault = try Vault("leaf")
        let context = try MSALAssertionContext.example(authorityKind: .adfs)
        let header = try #require(try await proof(of: vault, for: context).parts?.header)
        #expect(header["alg"] == .string("RS256"))

        vault.algorithms = [.ps256]
        #expect(try await refusal(of: vault, for: context).kind == .invalidCredential)
    }

    @Test func `a signature with another algorithm than requested is not sent`() async throws {
        var vault = try Vault("leaf")
        let act = vault.act
        vault.act = { data, _ in try await act(data, .rs256) }

        #expect(try await refusal(of: vault, for: try .example()).kind == .invalidCredential)
    }

    @Test func `the error of a signer is the underlying error`() async throws {
        var vault = try Vault("leaf")
        vault.act = { _, _ in throw Offline() }

        let error = try await refusal(of: vault, for: try .example())

        #expect(error.kind == .credentialUnavailable)
        #expect(error.causes.first is Offline)
    }

    @Test func `a missing capability of a signer is reported when the application object is created`() throws {
        var mute = try Vault("leaf")
        mute.algorithms = [MSALSignatureAlgorithm(rawValue: "ES256")]

        #expect(kind(of: mute) == .invalidCredential)
        #expect(kind(of: try Vault()) == .invalidCertificate)
        #expect(kind(of: try Vault("leaf")) == nil)
    }

    private func kind(of vault: Vault) -> MSALTokenError.Kind? {
        do throws(MSALTokenError) {
            _ = try MSALClientCredential.signer(vault).open(.double())
            return nil
        } catch {
            return error.kind
        }
    }
}
