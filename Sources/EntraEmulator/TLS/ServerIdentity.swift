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
    /// The names that the configuration added to those of every emulator.
    private let additional: [String]
    /// What the user has to know about the certificate of this start.
    let warnings: [String]

    /// The names of this machine and of the service. The emulator answers under all of them.
    static let standardNames =
        ["localhost", "127.0.0.1", "::1"] + KnownHosts.all.flatMap(\.aliases) + [
            "graph.microsoft.com", "*.ciamlogin.com", "*.b2clogin.com",
        ] + KnownHosts.regions + KnownHosts.mutualTLS

    private static let localNames = standardNames.filter { name in
        ["localhost", "127.0.0.1", "::1"].contains(name) || name.hasSuffix(".localhost")
    }

    /// Reads the identity of the state folder. Makes what is missing, expired or incomplete, or lacks a name.
    ///
    /// `wanted`: The names that the user asks for. They replace an authority that may not sign for one of them.
    /// `machineNames`: The names of this machine. Those that the authority may not sign for are left out. A container has
    /// another name at each start, and its clients have to go on trusting the authority.
    ///
    /// - Throws: `PrivateFolder.Failure` for a damaged file, and for a host that a certificate cannot name.
    init(in directory: PrivateFolder, wanted: [String], machineNames: [String]) throws {
        let wanted = (Self.localNames + wanted.map { $0.lowercased() }).uniqued
        let all = (wanted + machineNames.map { $0.lowercased() }).uniqued
        if let unfit = all.first(where: { !Self.isHost($0) }) {
            throw PrivateFolder.Failure(
                description: "'\(unfit)' is not a host name; write others than ASCII ones as xn--…"
            )
        }
        var (names, warnings) = (all, [String]())
        let leaf = try directory.locked {
            // Only machine names need a look at the authority, which would make every start slower.
            if all != wanted, let authority = try CertificateAuthority(storedIn: directory) {
                names = try all.filter { try wanted.contains($0) || PermittedNames.allow($0, in: authority) }
                warnings = all.filter { !names.contains($0) }.map(Self.leftOut)
            }
            if let stored = try Self.stored(in: directory, names: names) { return stored }
            let before = try directory.read(CertificateAuthority.certificateFile)
            let leaf = try Self.issue(in: directory, names: names)
            if let before, try directory.read(CertificateAuthority.certificateFile) != before {
                warnings.append(Self.replaced(in: directory))
            }
            return leaf
        }
        self.names = names
        self.warnings = warnings
        additional = all.filter { !Self.standardNames.contains($0) }
        self.directory = directory
        authorityFile = directory.file(CertificateAuthority.certificateFile)
        tls = try Self.configuration(leaf)
    }

    /// RFC 5280 §4.2.1.6: the names of a certificate are letters, digits and hyphens between dots, or addresses.
    private static func isHost(_ name: String) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._:*".contains($0)) }
    }

    /// Whether the configuration added this name to those of every emulator.
    func isAdditional(_ host: String) -> Bool { additional.contains(host.lowercased()) }

    /// Whether the emulator answers under a `Host` header's name. It is a name of the configuration, of this machine or of
    /// the service.
    func covers(_ host: String) -> Bool {
        let host = host.lowercased()
        return (Self.standardNames + additional).contains { name in
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
            issuer: try authority(in: directory, signing: names, validUntil: expiry)
        )
        try directory.write(leaf.key, to: keyFile)
        try directory.write(leaf.certificate, to: certificateFile)
        let lines = [String(Int(expiry.timeIntervalSince1970)), try digest(in: directory) ?? ""] + names
        try directory.write(lines.joined(separator: "\n"), to: recordFile)
        return leaf
    }

    /// The stored authority, or a new one if that is missing, would end before a certificate that it issues, or may not
    /// sign for one of the names. The new one may sign for all that the old one could.
    private static func authority(
        in directory: PrivateFolder,
        signing names: [String],
        validUntil date: Date
    ) throws -> CertificateAuthority {
        let stored = try CertificateAuthority(storedIn: directory)
        if let stored, stored.certificate.notValidAfter > date,
            try names.allSatisfy({ try PermittedNames.allow($0, in: stored) })
        {
            return stored
        }
        let before = try stored.flatMap(PermittedNames.domains) ?? []
        return try CertificateAuthority(replacedIn: directory, names: before + names)
    }

    private static func leftOut(_ name: String) -> String {
        "the certificate does not have this machine's name \(name), because its authority may not sign for it; "
            + "--host \(name) makes a new authority, which clients have to trust"
    }

    private static func replaced(in directory: PrivateFolder) -> String {
        "the certificate authority is new, because the one before could not sign this certificate; clients have to "
            + "trust the new \(directory.file(CertificateAuthority.certificateFile).path(percentEncoded: false)), "
            + "and entra-emulator env writes their files again"
    }

    /// The digest of all files, which shows a change of one; `nil` while one is missing.
    private static func digest(in directory: PrivateFolder) throws -> String? {
        let files = [CertificateAuthority.certificateFile, CertificateAuthority.keyFile, certificateFile, keyFile]
        let texts = try files.compactMap(directory.read)
        return texts.count == files.count ? Secret(texts.joined(separator: "\n")).digest : nil
    }
}
