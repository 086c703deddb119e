// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
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
        tls = try Self.configuration(certificate: chain.certificate, key: chain.key)
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
        let authority = try directory.locked { try Self.authority(in: directory) }
        let (chain, key) = try Self.sources(
            Self.leaf(
                names: names,
                validity: end.addingTimeInterval(-2 * Self.day)..<end,
                issuer: fault == .selfSigned ? nil : authority.certificate,
                issuerKey: fault == .selfSigned ? nil : authority.key
            )
        )
        var override = NIOSSLContextConfigurationOverride.noChanges
        override.certificateChain = chain
        override.privateKey = key
        return override
    }

    private static let authorityCertificate = "ca.pem"
    private static let authorityKey = "ca-key.pem"
    private static let leafCertificate = "server.pem"
    private static let leafKey = "server-key.pem"
    /// Expiry (seconds since 1970) and names of the stored leaf, one a line, so that a start parses no certificate.
    private static let leafContents = "server.names"

    private static func configuration(certificate: String, key: String) throws -> TLSConfiguration {
        let (chain, privateKey) = try sources((certificate, key))
        var configuration = TLSConfiguration.makeServerConfiguration(certificateChain: chain, privateKey: privateKey)
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }

    private static func sources(
        _ leaf: (certificate: String, key: String)
    ) throws -> (chain: [NIOSSLCertificateSource], key: NIOSSLPrivateKeySource) {
        (
            try NIOSSLCertificate.fromPEMBytes(Array(leaf.certificate.utf8)).map { .certificate($0) },
            .privateKey(try NIOSSLPrivateKey(bytes: Array(leaf.key.utf8), format: .pem))
        )
    }

    private static func storedLeaf(
        in directory: StateDirectory,
        names: [String]
    ) throws -> (certificate: String, key: String)? {
        guard let contents = try directory.read(leafContents),
            let certificate = try directory.read(leafCertificate),
            let key = try directory.read(leafKey),
            try directory.read(authorityCertificate) != nil
        else { return nil }
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

    private static func authority(
        in directory: StateDirectory
    ) throws -> (certificate: Certificate, key: P256.Signing.PrivateKey) {
        if let pem = try directory.read(authorityCertificate), let keyPEM = try directory.read(authorityKey) {
            let certificate = try Certificate(pemEncoded: pem)
            if certificate.notValidAfter > EmulatorClock.systemNow.addingTimeInterval(398 * day) {
                return (certificate, try P256.Signing.PrivateKey(pemRepresentation: keyPEM))
            }
        }
        let key = P256.Signing.PrivateKey()
        let now = EmulatorClock.systemNow
        let name = try DistinguishedName {
            OrganizationName("Entra emulator, for local tests only")
            CommonName("Entra emulator CA \(Secret.random(bytes: 6).revealed)")
        }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-day),
            notValidAfter: now.addingTimeInterval(3650 * day),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: 0))
                Critical(KeyUsage(keyCertSign: true, cRLSign: true))
                SubjectKeyIdentifier(hash: Certificate.PublicKey(key.publicKey))
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
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
