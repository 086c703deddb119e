// Licensed under the MIT License. See LICENSE.

import Crypto
import EntraEmulator
import Foundation
import SwiftASN1
import Testing
import X509

/// The names that a certificate authority of the emulator can sign for.
struct PermittedNamesTests {
    private static let names: [(names: [String], isTaken: Bool)] = [
        (["localhost", "westus2.localhost", "127.0.0.1", "::1", "10.1.2.3", "app.test", "idp.contoso.example"], true),
        (["login.microsoftonline.com"], false), (["localhost", "login.microsoftonline.com"], false),
        (["*.com"], false), (["notlocalhost"], false), (["localhost.com"], false),
    ]

    @Test(arguments: names)
    func `what a stolen key signs for any other name is refused`(names: [String], isTaken: Bool) async throws {
        let folder = Self.folder()
        try await Self.start(in: folder)

        #expect(try await Self.isTaken(try Self.leaf(names, of: folder), of: folder) == isTaken)
    }

    @Test(.enabled(if: openSSL != nil, "there is no program openssl"), arguments: names)
    func `OpenSSL refuses what a stolen key signs for any other name`(names: [String], isTaken: Bool) async throws {
        let folder = Self.folder()
        try await Self.start(in: folder)

        #expect(try Self.isTakenByOpenSSL(try Self.leaf(names, of: folder), of: folder) == isTaken)
    }

    @Test func `the constraints are critical`() async throws {
        let folder = Self.folder()
        try await Self.start(in: folder)
        let constraints = try Self.authority(of: folder).extensions[oid: .X509ExtensionID.nameConstraints]

        #expect(constraints?.critical == true)
    }

    @Test func `a name that is asked for makes a new authority, which keeps the earlier names`() async throws {
        let folder = Self.folder()
        try await Self.start(in: folder) { $0.additionalHosts = ["idp.contoso.com"] }
        let first = try Self.authority(of: folder)
        let same = try await Self.start(in: folder)
        let second = try Self.authority(of: folder)
        let new = try await Self.start(in: folder) { $0.certifiesServiceNames = true }
        let third = try Self.authority(of: folder)

        #expect(first == second)
        #expect(same.isEmpty)
        #expect(third != second)
        #expect(new.count == 1 && new[0].hasPrefix("the certificate authority is new"))
        for name in ["idp.contoso.com", "login.microsoftonline.com", "westus2.login.microsoft.com", "a.ciamlogin.com"] {
            #expect(try await Self.isTaken(try Self.leaf([name], of: folder), of: folder), "\(name)")
        }
        #expect(try await Self.isTaken(try Self.leaf(["bank.com"], of: folder), of: folder) == false)
    }

    /// Names for tests are permitted anyway.
    @Test(arguments: ["idp.contoso.example", "login.contoso.test", "keys.localhost", "203.0.113.7"])
    func `a permitted name leaves the authority as it is`(name: String) async throws {
        let folder = Self.folder()
        try await Self.start(in: folder)
        let before = try Self.authority(of: folder)
        let warnings = try await Self.start(in: folder) { $0.additionalHosts = [name] }

        #expect(try Self.authority(of: folder) == before)
        #expect(warnings.isEmpty)
    }

    @Test func `files for clients that are made before the start last, if they name the host`() async throws {
        let folder = Self.folder()
        _ = try TrustFiles(stateDirectory: folder, host: "Emulator")
        let before = try Self.authority(of: folder)
        let warnings = try await Self.start(in: folder) { $0.additionalHosts = ["emulator"] }

        #expect(try Self.authority(of: folder) == before)
        #expect(warnings.isEmpty)
    }

    @Test func `an authority from before the constraints goes on working, for every name`() async throws {
        let folder = Self.folder()
        try await Self.start(in: folder)
        let older = try Self.withoutConstraints(Self.authority(of: folder), of: folder)
        try older.serializeAsPEM().pemString.write(
            to: folder.appending(path: "ca.pem"),
            atomically: true,
            encoding: .utf8
        )
        let warnings = try await Self.start(in: folder) { $0.additionalHosts = ["idp.contoso.com"] }
        let served = try Certificate(
            pemEncoded: String(contentsOf: folder.appending(path: "server.pem"), encoding: .utf8)
        )

        #expect(try Self.authority(of: folder) == older)
        #expect(warnings.isEmpty)
        #expect(try await Self.isTaken(served, of: folder))
    }

    /// Starts an emulator with this state folder, and stops it.
    ///
    /// Returns: Its warnings.
    @discardableResult
    private static func start(
        in folder: URL,
        change: (inout EmulatorConfiguration) -> Void = { _ in }
    ) async throws -> [String] {
        var configuration = EmulatorConfiguration()
        configuration.stateDirectory = folder
        change(&configuration)
        let emulator = try await Emulator.start(configuration)
        let warnings = emulator.reachabilityWarnings
        try await emulator.shutdown()
        return warnings
    }

    private static func folder() -> URL { Bench.stateDirectory.appending(path: "folder-\(UUID().uuidString)") }

    private static func authority(of folder: URL) throws -> Certificate {
        try Certificate(pemEncoded: String(contentsOf: folder.appending(path: "ca.pem"), encoding: .utf8))
    }

    private static func key(of folder: URL) throws -> Certificate.PrivateKey {
        let text = try String(contentsOf: folder.appending(path: "ca-key.pem"), encoding: .utf8)
        return Certificate.PrivateKey(try P256.Signing.PrivateKey(pemRepresentation: text))
    }

    /// A certificate that the key of a folder signs for these names.
    private static func leaf(_ names: [String], of folder: URL) throws -> Certificate {
        let authority = try authority(of: folder)
        return try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(P256.Signing.PrivateKey().publicKey),
            notValidBefore: authority.notValidBefore,
            notValidAfter: authority.notValidAfter,
            issuer: authority.subject,
            subject: DistinguishedName { CommonName("stolen") },
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions { SubjectAlternativeNames(names.map(name)) },
            issuerPrivateKey: try key(of: folder)
        )
    }

    /// The same authority, as an emulator of an older version made it.
    private static func withoutConstraints(_ authority: Certificate, of folder: URL) throws -> Certificate {
        try Certificate(
            version: .v3,
            serialNumber: authority.serialNumber,
            publicKey: authority.publicKey,
            notValidBefore: authority.notValidBefore,
            notValidAfter: authority.notValidAfter,
            issuer: authority.subject,
            subject: authority.subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions(
                authority.extensions.filter { $0.oid != .X509ExtensionID.nameConstraints }
            ),
            issuerPrivateKey: try key(of: folder)
        )
    }

    /// Whether a client that trusts the authority of a folder takes a certificate.
    private static func isTaken(_ leaf: Certificate, of folder: URL) async throws -> Bool {
        let authority = try authority(of: folder)
        var verifier = Verifier(rootCertificates: CertificateStore([authority])) {
            RFC5280Policy()
        }
        switch await verifier.validate(leaf: leaf, intermediates: CertificateStore()) {
        case .validCertificate: return true
        case .couldNotValidate: return false
        }
    }

    private static let openSSL = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first(
        where: FileManager.default.isExecutableFile
    )

    private static func isTakenByOpenSSL(_ leaf: Certificate, of folder: URL) throws -> Bool {
        let file = folder.appending(path: "leaf.pem")
        try leaf.serializeAsPEM().pemString.write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(openSSL))
        process.arguments = ["verify", "-CAfile", folder.appending(path: "ca.pem").path, file.path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static func name(_ text: String) -> GeneralName {
        for (family, count) in [(AF_INET, 4), (AF_INET6, 16)] {
            var bytes = [UInt8](repeating: 0, count: count)
            if inet_pton(family, text, &bytes) == 1 { return .ipAddress(ASN1OctetString(contentBytes: bytes[...])) }
        }
        return .dnsName(text)
    }
}
