// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import SwiftASN1
import Testing
import X509

@testable import EntraEmulator

/// The names that a certificate authority of the emulator can sign for.
struct PermittedNamesTests {
    private static let names: [(names: [String], isTaken: Bool)] = [
        (["localhost", "westus2.localhost", "127.0.0.1", "::1", "10.1.2.3", "app.test", "idp.contoso.example"], true),
        (["login.microsoftonline.com"], false), (["localhost", "login.microsoftonline.com"], false),
        (["*.com"], false), (["notlocalhost"], false), (["localhost.com"], false),
    ]

    @Test(arguments: names)
    func `a certificate from a stolen key for any other name is rejected`(names: [String], isTaken: Bool) async throws {
        let folder = try Bench.newState()
        try await Self.start(in: folder)

        #expect(try await Self.isTaken(try Self.leaf(names, of: folder), of: folder) == isTaken)
    }

    @Test(.enabled(if: openSSL != nil, "there is no program openssl"), arguments: names)
    func `OpenSSL refuses what a stolen key signs for any other name`(names: [String], isTaken: Bool) async throws {
        let folder = try Bench.newState()
        try await Self.start(in: folder)

        #expect(try Self.isTakenByOpenSSL(try Self.leaf(names, of: folder), of: folder) == isTaken)
    }

    @Test func `the constraints are critical`() async throws {
        let folder = try Bench.newState()
        try await Self.start(in: folder)
        let constraints = try Self.authority(of: folder).extensions[oid: .X509ExtensionID.nameConstraints]

        #expect(constraints?.critical == true)
    }

    @Test func `a name that is asked for makes a new authority, which keeps the earlier names`() async throws {
        let folder = try Bench.newState()
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
    func `a permitted name does not change the authority`(name: String) async throws {
        let folder = try Bench.newState()
        try await Self.start(in: folder)
        let before = try Self.authority(of: folder)
        let warnings = try await Self.start(in: folder) { $0.additionalHosts = [name] }

        #expect(try Self.authority(of: folder) == before)
        #expect(warnings.isEmpty)
    }

    @Test func `files for clients that are made before the start last, if they name the host`() async throws {
        let folder = try Bench.newState()
        _ = try TrustFiles(stateDirectory: folder, host: "Emulator")
        let before = try Self.authority(of: folder)
        let warnings = try await Self.start(in: folder) { $0.additionalHosts = ["emulator"] }

        #expect(try Self.authority(of: folder) == before)
        #expect(warnings.isEmpty)
    }

    @Test func `an authority from before the constraints keeps working, for every name`() async throws {
        let folder = try Bench.newState()
        try await Self.start(in: folder)
        let older = try Self.withoutConstraints(Self.authority(of: folder), of: folder)
        try Self.write(older, to: "ca.pem", of: folder)
        let warnings = try await Self.start(in: folder) { $0.additionalHosts = ["idp.contoso.com"] }
        let served = try Self.certificate("server.pem", of: folder)
        let again = try await Self.start(in: folder) { $0.additionalHosts = ["idp.contoso.com"] }

        #expect(try Self.authority(of: folder) == older)
        #expect(warnings.isEmpty && again.isEmpty)
        #expect(try await Self.isTaken(served, of: folder))
        #expect(try Self.names(of: served).isSuperset(of: ["idp.contoso.com"] + ServerIdentity.serviceNames))
        #expect(try Self.certificate("server.pem", of: folder) == served)
    }

    @Test func `an authority that ends soon is replaced with a warning, and the new one has constraints`() async throws
    {
        let folder = try Bench.newState()
        try await Self.start(in: folder)
        let older = try Self.withoutConstraints(Self.authority(of: folder), of: folder, days: 300)
        try Self.write(older, to: "ca.pem", of: folder)
        let warnings = try await Self.start(in: folder)

        #expect(warnings.count == 1 && warnings[0].hasPrefix("the certificate authority is new"))
        #expect(try Self.authority(of: folder).extensions.nameConstraints != nil)
        #expect(
            try Self.names(of: Self.certificate("server.pem", of: folder)).isDisjoint(with: ServerIdentity.serviceNames)
        )
    }

    /// A container has another name at each start.
    @Test func `a new name of the machine leaves the authority as it is, and a warning says what is missing`() throws {
        let folder = try Bench.newState()
        let place = try PrivateFolder(state: folder)
        let first = try ServerIdentity(in: place, wanted: [], machineNames: ["web-1", "10.0.0.7"])
        let before = try Self.authority(of: folder)
        let second = try ServerIdentity(in: place, wanted: [], machineNames: ["web-2", "10.0.0.8"])
        let third = try ServerIdentity(in: place, wanted: [], machineNames: ["web-2", "10.0.0.8"])

        #expect(first.warnings.isEmpty)
        #expect(first.names.contains("web-1") && first.names.contains("10.0.0.7"))
        #expect(try Self.authority(of: folder) == before)
        #expect(second.names.contains("10.0.0.8") && !second.names.contains("web-2"))
        #expect(second.warnings.count == 1 && second.warnings[0].contains("web-2"))
        #expect(third.names == second.names && third.warnings == second.warnings)
        #expect(third.covers("web-2"))
    }

    @Test func `a name of the machine that is not for a certificate keeps no emulator from starting`() throws {
        let identity = try ServerIdentity(
            in: PrivateFolder(state: Bench.newState()),
            wanted: [],
            machineNames: ["4711", "web.3"]
        )

        #expect(!identity.names.contains("4711") && !identity.names.contains("web.3"))
    }

    /// Firefox 153 refuses every page, if the authority has constraints and the certificate the name `*.localhost`
    /// (SEC_ERROR_BAD_DER).
    @Test(arguments: [false, true])
    func `Firefox can read all names of the certificate`(hasServiceNames: Bool) async throws {
        let folder = try Bench.newState()
        try await Self.start(in: folder) { $0.certifiesServiceNames = hasServiceNames }
        let names = try Self.names(of: Self.certificate("server.pem", of: folder))

        #expect(names.isSuperset(of: ["localhost", "mtlsauth.localhost"]))
        #expect(names.contains("login.microsoftonline.com") == hasServiceNames)
        #expect(names.filter { !$0.isCertificateName }.isEmpty)
    }

    @Test(
        arguments: [
            ("localhost", true), ("*.mtlsauth.localhost", true), ("xn--mnchen-3ya.example", true), ("my_host", true),
            ("127.0.0.1", true), ("::1", true), ("3.example", true), (String(repeating: "a", count: 63), true),
            ("*.localhost", false), ("*", false), ("*.", false), ("a.*.example", false), ("a*.b.example", false),
            ("web.3", false), ("4711", false), ("10.0.0.0/8", false), ("10.0.0.256", false), ("a..b", false),
            ("a.example.", false), (".example", false), ("-a.example", false), ("a-.example", false), ("a b", false),
            (String(repeating: "a", count: 64), false), ("", false),
        ]
    )
    func `a name that one client rejects is not used in a certificate`(name: String, isTaken: Bool) {
        #expect(name.isCertificateName == isTaken)
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

    private static func authority(of folder: URL) throws -> Certificate { try certificate("ca.pem", of: folder) }

    private static func certificate(_ name: String, of folder: URL) throws -> Certificate {
        try Certificate(pemEncoded: String(contentsOf: folder.appending(path: name), encoding: .utf8))
    }

    private static func write(_ certificate: Certificate, to name: String, of folder: URL) throws {
        let text = try certificate.serializeAsPEM().pemString
        try text.write(to: folder.appending(path: name), atomically: true, encoding: .utf8)
    }

    /// The host names of a certificate.
    private static func names(of certificate: Certificate) throws -> Set<String> {
        let names = try certificate.extensions.subjectAlternativeNames
        return Set(
            try #require(names).compactMap {
                guard case .dnsName(let name) = $0 else { return nil }
                return name
            }
        )
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
    private static func withoutConstraints(
        _ authority: Certificate,
        of folder: URL,
        days: Int? = nil
    ) throws -> Certificate {
        try Certificate(
            version: .v3,
            serialNumber: authority.serialNumber,
            publicKey: authority.publicKey,
            notValidBefore: authority.notValidBefore,
            notValidAfter: days.map { .now.addingTimeInterval(Double($0) * 86_400) } ?? authority.notValidAfter,
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
