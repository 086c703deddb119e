// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

/// The files of `Tests/Fixtures/Certificates`, which `make` in that folder creates.
enum CertificateFixture {
    static let password = "correct horse"

    static func data(_ name: String) throws -> Data { try Data(contentsOf: folder.appending(path: name)) }

    /// The texts of some PEM files, concatenated.
    static func pem(_ names: String...) throws -> String {
        try names.map { String(decoding: try data("\($0).pem"), as: UTF8.self) }.joined()
    }

    /// The certificate of a file, without its key, in DER.
    static func der(_ name: String) throws -> Data {
        let lines = try pem(name).split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Data(base64Encoded: lines.joined()) ?? Data()
    }

    /// The certificate `leaf` with its key and its issuer.
    static func leaf() throws -> MSALClientCertificate {
        try MSALClientCertificate(pem: try pem("leaf.key", "leaf", "intermediate"))
    }

    /// The certificate `other`, which is self-signed, with its key.
    static func other() throws -> MSALClientCertificate {
        try MSALClientCertificate(pem: try pem("other.key", "other"))
    }

    private static let folder: URL = {
        var tests = URL(filePath: #filePath)
        for _ in 0..<3 { tests.deleteLastPathComponent() }
        return tests.appending(path: "Fixtures/Certificates", directoryHint: .isDirectory)
    }()
}
