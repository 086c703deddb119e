// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// The emulator's certificate authority and the server certificate it signed, as files of the state directory.
struct ServerIdentity: Sendable {
    /// The CA's certificate in PEM; clients are told to trust this file.
    let authorityFile: URL
    /// What a listener presents.
    let tls: TLSConfiguration
    private let directory: StateDirectory
    /// The names the certificate is valid for; `*.` stands for one label.
    let names: [String]

    /// The host names of the service that the emulator can stand in for.
    static let standardNames =
        ["localhost", "127.0.0.1", "::1"] + KnownHosts.all.flatMap(\.aliases) + [
            "graph.microsoft.com", "*.ciamlogin.com", "*.b2clogin.com",
        ]

    /// Reads the identity of the state directory, or makes what is missing, expired or lacks a name.
    init(in directory: StateDirectory, additionalHosts: [String]) throws {
        let names = Self.standardNames + additionalHosts.filter { !Self.standardNames.contains($0) }
        self.names = names
        self.directory = directory
        authorityFile = directory.file(Self.authorityCertificate)
        let chain = try directory.locked {
            if let chain = try Self.storedLeaf(in: directory, names: names) { return chain }
            return try Self.issueLeaf(in: directory, names: names)
        }
        tls = try Self.configuration(chain, in: directory)
    }

    /// Whether a `Host` header's name is one the certificate was issued for.
    func covers(_ host: String) -> Bool {
        let host = host.lowercased()
        return names.contains { name in
            guard name.hasPrefix("*.") else { return name == host || "[\(name)]" == host }
            guard let dot = host.firstIndex(of: "."), dot != host.startIndex else { return false }
            return host[dot...] == name.dropFirst()
        }
    }

    /// What a listener presents in place of the good certificate. Nothing of it is kept in the state directory.
    func override(_ fault: CertificateFault) throws -> NIOSSLContextConfigurationOverride {
        let now = EmulatorClock.systemNow
        let names = fault == .otherName ? ["other.example"] : names
        let end = fault == .expired ? now.addingTimeInterval(-Self.day) : now.addingTimeInterval(Self.day)
        // A new one would leave the good certificate without the authority that clients are told to trust.
        guard let authority = try directory.locked({ try Self.storedAuthority(in: directory) }) else {
            throw StateDirectory.Failure(description: "\(directory.url.path) lost its CA; the next start makes one")
        }
        let leaf = try Self.leaf(
            names: names,
            validity: end.addingTimeInterval(-2 * Self.day)..<end,
            issuer: fault == .selfSigned ? nil : authority.certificate,
            issuerKey: fault == .selfSigned ? nil : authority.key
        )
        var override = NIOSSLContextConfigurationOverride.noChanges
        override.certificateChain = try Self.chain(leaf.certificate)
        override.privateKey = try Self.privateKey(leaf.key)
        return override
    }

    private static let authorityCertificate = "ca.pem"
    private static let authorityKey = "ca-key.pem"
    private static let leafCertificate = "server.pem"
    private static let leafKey = "server-key.pem"
    /// Expiry (seconds since 1970) and names of the stored leaf, one a line, so that a start parses no certificate.
    private static let leafContents = "server.names"

    private static func configuration(
        _ leaf: (certificate: String, key: String),
        in directory: StateDirectory
    ) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try undamaged(leafCertificate, in: directory) { try chain(leaf.certificate) },
            privateKey: try undamaged(leafKey, in: directory) { try privateKey(leaf.key) }
        )
        configuration.minimumTLSVersion = .tlsv12
        // How long a client that does not say goodbye holds up the end of the emulator.
        configuration.shutdownTimeout = .milliseconds(500)
        return configuration
    }

    /// What the body reads out of a file, or a failure that names the file and the remedy.
    private static func undamaged<Value>(
        _ name: String,
        in directory: StateDirectory,
        _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch {
            throw StateDirectory.Failure(damaged: directory.file(name))
        }
    }

    private static func chain(_ pem: String) throws -> [NIOSSLCertificateSource] {
        try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).map { .certificate($0) }
    }

    private static func privateKey(_ pem: String) throws -> NIOSSLPrivateKeySource {
        .privateKey(try NIOSSLPrivateKey(bytes: Array(pem.utf8), format: .pem))
    }

    private static func storedLeaf(
        in directory: StateDirectory,
        names: [String]
    ) throws -> (certificate: String, key: String)? {
        guard let contents = try directory.read(leafContents),
            let certificate = try directory.read(leafCertificate),
            let key = try directory.read(leafKey),
            let authority = try directory.read(authorityCertificate),
            let signingPEM = try directory.read(authorityKey)
        else { return nil }
        // Clients are told to trust this file, so it has to be one that they can read.
        _ = try undamaged(authorityCertificate, in: directory) {
            try NIOSSLCertificate(bytes: Array(authority.utf8), format: .pem)
        }
        _ = try signingKey(signingPEM, in: directory)
        let lines = contents.split(separator: "\n").map(String.init)
        guard let expiry = lines.first.flatMap(TimeInterval.init), Array(lines.dropFirst()) == names,
            Date(timeIntervalSince1970: expiry) > EmulatorClock.systemNow.addingTimeInterval(30 * day)
        else { return nil }
        return (certificate, key)
    }

    private static func issueLeaf(
        in directory: StateDirectory,
        names: [String]
    ) throws -> (certificate: String, key: String) {
        let authority = try authority(in: directory)
        let now = EmulatorClock.systemNow
        let expiry = now.addingTimeInterval(397 * day)
        let leaf = try leaf(
            names: names,
            validity: now.addingTimeInterval(-day)..<expiry,
            issuer: authority.certificate,
            issuerKey: authority.key
        )
        // Should this be interrupted, the next start must not take a new key for that of the old certificate.
        try directory.write("", to: leafContents)
        try directory.write(leaf.key, to: leafKey)
        try directory.write(leaf.certificate, to: leafCertificate)
        let lines = [String(Int(expiry.timeIntervalSince1970))] + names
        try directory.write(lines.joined(separator: "\n"), to: leafContents)
        return leaf
    }

    /// A server certificate with its key, both in PEM; without an issuer it is signed with its own key.
    private static func leaf(
        names: [String],
        validity: Range<Date>,
        issuer: Certificate?,
        issuerKey: P256.Signing.PrivateKey?
    ) throws -> (certificate: String, key: String) {
        let key = P256.Signing.PrivateKey()
        let subject = try DistinguishedName { CommonName("Entra emulator") }
        let publicKey = Certificate.PublicKey(key.publicKey)
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: publicKey,
            notValidBefore: validity.lowerBound,
            notValidAfter: validity.upperBound,
            issuer: issuer?.subject ?? subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.notCertificateAuthority)
                Critical(KeyUsage(digitalSignature: true))
                try ExtendedKeyUsage([.serverAuth])
                SubjectAlternativeNames(names.map(generalName))
                SubjectKeyIdentifier(hash: publicKey)
                AuthorityKeyIdentifier(
                    keyIdentifier: SubjectKeyIdentifier(hash: issuer?.publicKey ?? publicKey).keyIdentifier
                )
            },
            issuerPrivateKey: Certificate.PrivateKey(issuerKey ?? key)
        )
        return (try certificate.serializeAsPEM().pemString + "\n", key.pemRepresentation)
    }

    private typealias Authority = (certificate: Certificate, key: P256.Signing.PrivateKey)

    private static func signingKey(_ pem: String, in directory: StateDirectory) throws -> P256.Signing.PrivateKey {
        try undamaged(authorityKey, in: directory) { try P256.Signing.PrivateKey(pemRepresentation: pem) }
    }

    private static func storedAuthority(in directory: StateDirectory) throws -> Authority? {
        guard let pem = try directory.read(authorityCertificate), let key = try directory.read(authorityKey) else {
            return nil
        }
        let certificate = try undamaged(authorityCertificate, in: directory) { try Certificate(pemEncoded: pem) }
        return (certificate, try signingKey(key, in: directory))
    }

    /// The stored authority, or a new one if that is missing or would end before a certificate issued now.
    private static func authority(in directory: StateDirectory) throws -> Authority {
        if let stored = try storedAuthority(in: directory),
            stored.certificate.notValidAfter > EmulatorClock.systemNow.addingTimeInterval(398 * day)
        {
            return stored
        }
        let key = P256.Signing.PrivateKey()
        let certificate = try Certificate.selfSigned(
            as: DistinguishedName {
                OrganizationName("Entra emulator, for local tests only")
                CommonName("Entra emulator CA \(Secret.random(bytes: 6).revealed)")
            },
            with: Certificate.PrivateKey(key),
            .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
            }
        )
        try directory.write(key.pemRepresentation, to: authorityKey)
        try directory.write(try certificate.serializeAsPEM().pemString + "\n", to: authorityCertificate)
        return (certificate, key)
    }

    private static func generalName(_ name: String) -> GeneralName {
        switch name {
        case "::1": .ipAddress(ASN1OctetString(contentBytes: ArraySlice([UInt8](repeating: 0, count: 15) + [1])))
        default: ipv4(name).map { .ipAddress(ASN1OctetString(contentBytes: $0)) } ?? .dnsName(name)
        }
    }

    private static func ipv4(_ name: String) -> ArraySlice<UInt8>? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let octets = parts.compactMap(\.self)
        return parts.count == 4 && octets.count == 4 ? octets[...] : nil
    }

    private static let day: TimeInterval = 86_400
}
