// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import NIOCore
import NIOSSL
import X509

/// The emulator's server certificate and the authority that signed it, as files of the state folder.
struct ServerIdentity: Sendable {
    /// The CA's certificate in PEM; clients are told to trust this file.
    let authorityFile: URL
    /// The configuration of a listener.
    let tls: TLSConfiguration
    private let directory: PrivateFolder
    /// The names the certificate is valid for, in lower case; `*.` stands for one label.
    let names: [String]

    /// The host names of the service that the emulator can stand in for.
    static let standardNames =
        ["localhost", "127.0.0.1", "::1"] + KnownHosts.all.flatMap(\.aliases) + [
            "graph.microsoft.com", "*.ciamlogin.com", "*.b2clogin.com",
        ] + KnownHosts.regions + KnownHosts.mutualTLS

    /// Reads the identity of the state folder. Makes what is missing, expired or incomplete, or lacks a name.
    ///
    /// - Throws: `PrivateFolder.Failure` for a damaged file, and for a host that a certificate cannot name.
    init(in directory: PrivateFolder, additionalHosts: [String]) throws {
        let names =
            Self.standardNames + additionalHosts.map { $0.lowercased() }.filter { !Self.standardNames.contains($0) }
        if let unfit = names.first(where: { !Self.isHost($0) }) {
            throw PrivateFolder.Failure(
                description: "'\(unfit)' is not a host name; write others than ASCII ones as xn--…"
            )
        }
        let leaf = try directory.locked {
            try Self.stored(in: directory, names: names) ?? Self.issue(in: directory, names: names)
        }
        self.names = names
        self.directory = directory
        authorityFile = directory.file(CertificateAuthority.certificateFile)
        tls = try Self.configuration(leaf)
    }

    /// RFC 5280 §4.2.1.6: the names of a certificate are letters, digits and hyphens between dots, or addresses.
    private static func isHost(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._:*".contains($0)) }
    }

    /// Whether the configuration added this name to those of every emulator.
    func isAdditional(_ host: String) -> Bool {
        names.dropFirst(Self.standardNames.count).contains(host.lowercased())
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

    /// The certificate with a fault that a listener presents in place of the good one. It is not stored.
    func override(_ fault: CertificateFault) throws -> NIOSSLContextConfigurationOverride {
        let now = EmulatorClock.systemNow
        let end = fault == .expired ? now.addingTimeInterval(-Self.day) : now.addingTimeInterval(Self.day)
        // With a new authority, clients would no longer trust the good certificate.
        guard let authority = try directory.locked({ try CertificateAuthority(storedIn: directory) }) else {
            throw PrivateFolder.Failure(description: "\(directory.url.path) lost its CA; the next start makes one")
        }
        let leaf = try ServerCertificate(
            names: fault == .otherName ? ["other.example"] : names,
            validity: end.addingTimeInterval(-2 * Self.day)..<end,
            issuer: fault == .selfSigned ? nil : authority
        )
        var override = NIOSSLContextConfigurationOverride.noChanges
        override.certificateChain = try leaf.chain()
        override.privateKey = try leaf.privateKey()
        return override
    }

    private static func configuration(_ leaf: ServerCertificate) throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try leaf.chain(),
            privateKey: try leaf.privateKey()
        )
        configuration.minimumTLSVersion = .tlsv12
        // The emulator's end waits this long for clients that do not close their connections.
        configuration.shutdownTimeout = .milliseconds(500)
        return configuration
    }

    // MARK: Files

    static let certificateFile = "server.pem"
    private static let keyFile = "server-key.pem"
    /// The record of the other files, so that a start parses no certificate: expiry of the leaf in seconds since 1970, a
    /// digest of all four, and the names, one on each line. It is written last, so that files of an interrupted start
    /// are not taken for a complete set.
    private static let recordFile = "server.names"
    private static let day: TimeInterval = 86_400

    private static func stored(in directory: PrivateFolder, names: [String]) throws -> ServerCertificate? {
        guard let record = try directory.read(recordFile), let digest = try digest(in: directory),
            let certificate = try directory.read(certificateFile), let key = try directory.read(keyFile)
        else { return nil }
        let lines = record.split(separator: "\n").map(String.init)
        guard let expiry = lines.first.flatMap(TimeInterval.init), lines.dropFirst() == [digest] + names,
            Date(timeIntervalSince1970: expiry) > EmulatorClock.systemNow.addingTimeInterval(30 * day)
        else { return nil }
        return ServerCertificate(certificate: certificate, key: key)
    }

    private static func issue(in directory: PrivateFolder, names: [String]) throws -> ServerCertificate {
        let now = EmulatorClock.systemNow
        let expiry = now.addingTimeInterval(397 * day)
        let leaf = try ServerCertificate(
            names: names,
            validity: now.addingTimeInterval(-day)..<expiry,
            issuer: try authority(in: directory, validUntil: expiry)
        )
        try directory.write(leaf.key, to: keyFile)
        try directory.write(leaf.certificate, to: certificateFile)
        let lines = [String(Int(expiry.timeIntervalSince1970)), try digest(in: directory) ?? ""] + names
        try directory.write(lines.joined(separator: "\n"), to: recordFile)
        return leaf
    }

    /// The stored authority, or a new one if that is missing or would end before a certificate that it issues.
    private static func authority(in directory: PrivateFolder, validUntil date: Date) throws -> CertificateAuthority {
        if let stored = try CertificateAuthority(storedIn: directory), stored.certificate.notValidAfter > date {
            return stored
        }
        return try CertificateAuthority(replacedIn: directory)
    }

    /// The digest of all files, which shows a change of one; `nil` while one is missing.
    private static func digest(in directory: PrivateFolder) throws -> String? {
        let files = [CertificateAuthority.certificateFile, CertificateAuthority.keyFile, certificateFile, keyFile]
        let texts = try files.compactMap(directory.read)
        return texts.count == files.count ? Secret(texts.joined(separator: "\n")).digest : nil
    }
}
