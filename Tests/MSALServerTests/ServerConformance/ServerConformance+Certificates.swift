// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import TestSupport
import Testing

// Client authentication: reading certificates.
extension ServerConformance {
    @Test(arguments: ServerConformanceFolder.shared.cases(of: .clientAssertion, ops: "pem"))
    func `a PEM text is read or rejected`(_ testCase: ServerCase) throws {
        defer { testCase.expectAllRead() }
        let text = try #require(testCase["text"]?.string)

        do throws(MSALTokenError) {
            let certificate = try MSALClientCertificate(pem: text, password: testCase["password"]?.string)
            #expect(testCase.expected("error") == nil)
            #expect(certificate.thumbprint == testCase.expected("leaf")?.string)
            let chain = certificate.certificateChain.map { $0.base64EncodedString() }
            #expect(chain == testCase.expected("x5c")?.array?.compactMap(\.string))
        } catch {
            #expect(error.kind.rawValue == testCase.expected("error")?.string)
            #expect(error.reason?.rawValue == testCase.expected("reason")?.string)
        }
    }

    @Test(arguments: ServerConformanceFolder.shared.cases(of: .clientAssertion, ops: "thumbprints"))
    func `thumbprints match those of other libraries`(_ testCase: ServerCase) throws {
        defer { testCase.expectAllRead() }
        let pem = try #require(testCase.certificate(testCase["certificate"])?["pem"]?.string)

        let thumbprints = try #require(CertificateThumbprints(pem: pem))

        #expect(thumbprints.sha1 == testCase.expected("x5t")?.string)
        #expect(thumbprints.sha256 == testCase.expected("x5tS256")?.string)
    }
}

extension ServerCase {
    /// The members of the certificate to which `name` refers.
    func certificate(_ name: JSONValue?) -> [String: JSONValue]? {
        name?.string.flatMap { fixtures.object?["certificates"]?.object?[$0]?.object }
    }
}
