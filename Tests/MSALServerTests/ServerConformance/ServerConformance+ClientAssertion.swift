// Licensed under the MIT License. See LICENSE.

import CryptoExtras
import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

// Client authentication: assertions.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .clientAssertion, ops: "algorithm"))
    func `an authority and a signer agree on an algorithm`(_ testCase: ServerCase) throws {
        defer { testCase.expectAllRead() }
        let endpoint = try #require(testCase["tokenEndpoint"]?.string.flatMap(URL.init(string:)))
        let taken = MSALSignatureAlgorithm.taken(by: testCase.authorityKind, at: endpoint)
        let offered = testCase["signerAlgorithms"]?.array?.compactMap(\.string) ?? ["RS256", "PS256"]

        do throws(MSALTokenError) {
            let algorithm = try MSALSignatureAlgorithm.choice(
                of: offered.map { MSALSignatureAlgorithm(rawValue: $0) },
                among: taken
            )
            #expect(.string(algorithm.rawValue) == testCase.expected("alg"))
            #expect(.string(algorithm.thumbprintMember) == testCase.expected("thumbprintMember"))
        } catch {
            #expect(error.kind == .invalidCredential)
            #expect(testCase.expected("alg") == .null && testCase.expected("thumbprintMember") == .null)
        }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .clientAssertion, ops: "assertion"))
    func `an assertion has exactly the expected members, and a valid signature`(_ testCase: ServerCase) async throws {
        defer { testCase.expectAllRead() }
        let now = try #require(testCase["now"]?.double)
        let jti = try #require(testCase["jti"]?.string.flatMap(UUID.init(uuidString:)))
        var environment = ServerEnvironment.double(time: ManualTime(now: Date(timeIntervalSince1970: now)))
        environment.random = { count in Array(withUnsafeBytes(of: jti.uuid) { Array($0) }.prefix(count)) }
        let certificate = try testCase.clientCertificate(testCase["certificate"], chain: testCase["chain"])
        let extra = testCase["extraClaims"]?.object?.compactMapValues(\.string) ?? [:]
        let credential = MSALClientCredential.certificate(certificate, extraClaims: extra)
        let clientID = try #require(testCase["clientId"]?.string)
        let endpoint = try #require(testCase["tokenEndpoint"]?.string.flatMap(URL.init(string:)))

        var context = MSALAssertionContext(
            clientId: clientID,
            tokenEndpoint: endpoint,
            tenant: nil,
            authority: endpoint,
            authorityKind: testCase.authorityKind,
            correlationID: UUID()
        )
        context.sendsCertificateChain = testCase["sendChain"] == .bool(true)

        let proof = try await credential.open(environment).proof(for: context)

        let text = try #require(proof.assertion?.exposed)
        let parts = text.split(separator: ".").map(String.init)
        try #require(parts.count == 3)
        #expect(!text.contains("="))
        let members = parts.prefix(2).map { Base64URL.decode($0).flatMap(JSONValue.init(parsing:)) }
        #expect(members == [testCase.expected("header"), testCase.expected("claims")])
        let pem = try #require(testCase.certificate(testCase.expected("signedBy"))?["key"]?.string)
        let key = try _RSA.Signing.PrivateKey(pemRepresentation: pem).publicKey
        let signature = _RSA.Signing.RSASignature(rawRepresentation: try #require(Base64URL.decode(parts[2])))
        let isPSS = members.first??.object?["alg"] == .string("PS256")
        #expect(
            key.isValidSignature(
                signature,
                for: Data("\(parts[0]).\(parts[1])".utf8),
                padding: isPSS ? .PSS : .insecurePKCS1v1_5
            )
        )
    }
}

extension ServerCase {
    /// The kind of the authority. dSTS has no separate kind, and is recognized by its path.
    fileprivate var authorityKind: Authority.Kind {
        self["authorityKind"]?.string.flatMap(Authority.Kind.init(rawValue:)) ?? .aad
    }

    /// A certificate of the fixtures with its key, and others after it.
    func clientCertificate(_ name: JSONValue?, chain: JSONValue? = nil) throws -> MSALClientCertificate {
        let own = try #require(certificate(name))
        let texts = [own["key"], own["pem"]] + (chain?.array ?? []).map { certificate($0)?["pem"] }
        return try MSALClientCertificate(pem: texts.compactMap { $0?.string }.joined(separator: "\n"))
    }
}
