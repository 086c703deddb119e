// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import NIOCore
import NIOSSL
import X509

/// The emulator's server certificate and its authority, as files in the state folder.
struct ServerIdentity: Sendable {
    /// The CA certificate in PEM, which clients have to trust.
    let authorityFile: URL
    /// The configuration of a listener.
    let tls: TLSConfiguration
    private let directory: PrivateFolder
    /// The names that the certificate is valid for, in lower case; `*.` matches one label.
    let names: [String]
    /// The names that the configuration adds to the standard ones.
    private let additional: [String]
    /// Warnings about the certificate for the user.
    let warnings: [String]

    /// The names of this machine and of the service, which the emulator accepts.
    static let standardNames = localNames + ["*.localhost"] + serviceNames

    /// The names in every certificate. A client that connects to a region at `localhost` needs the region's name among
    /// the wanted ones, because `*.localhost` is not valid in a certificate.
    private static let localNames =
        ["localhost", "127.0.0.1", "::1"] + KnownHosts.mutualTLS.filter { $0.hasSuffix(".localhost") }

    /// Microsoft's own host names.
    static let serviceNames =
        KnownHosts.all.flatMap(\.aliases) + KnownHosts.graphs + ["*.ciamlogin.com", "*.b2clogin.com"]
        + (KnownHosts.regions + KnownHosts.mutualTLS).filter { !$0.hasSuffix(".localhost") }

    /// Reads the identity from the state folder. Creates whatever is missing, expired, or incomplete, or lacks a name.
    ///
    /// The certificate also contains the names of the machine and of the service that the authority may sign for. A
    /// container has a different name at each start, but its clients must be able to keep trusting the authority. An
    /// authority of version 0.9 may sign for all names, so its certificate still contains those of the service.
    ///
    /// `wanted`: The names that the user requests. They replace an authority that may not sign for one of them.
    /// `machineNames`: The names of this machine. A new authority may sign for them.
    ///
    /// - Throws: `PrivateFolder.Failure` for a damaged file, or for a host name that is invalid in a certificate.
    init(in directory: PrivateFolder, wanted: [String], machineNames: [String]) throws {
        let wanted = (Self.localNames + wanted.map { $0.lowercased() }).uniqued
        if let unfit = wanted.first(where: { !$0.isCertificateName }) {
            throw PrivateFolder.Failure(
                description:
                    "'\(unfit)' is not a host name that all clients accept in a certificate; use xn--… instead of "
                    + "non-ASCII names, at least two labels after *., and a last label that is not a number"
            )
        }
        // The user did not choose the machine's names, so an invalid one must not prevent the emulator from starting.
        let machineNames = machineNames.map { $0.lowercased() }.filter(\.isCertificateName)
        let possible = (wanted + machineNames + Self.serviceNames).uniqued
        let issued = try directory.locked {
            try Self.stored(in: directory, wanted: wanted, possible: possible)
                ?? Self.issue(in: directory, wanted: wanted, machineNames: machineNames, possible: possible)
        }
        names = issued.names
        warnings = issued.warnings + Self.warnings(leavingOut: machineNames.filter { !issued.names.contains($0) })
        additional = (wanted + machineNames).filter { !Self.standardNames.contains($0) }
        self.directory = directory
        authorityFile = directory.file(CertificateAuthority.certificateFile)
        tls = try Self.configuration(issued.leaf)
    }

    /// Whether the configuration added this name to the standard ones.
    func isAdditional(_ host: String) -> Bool { additional.contains(host.lowercased()) }

    /// Whether the emulator accepts a name in the `Host` header: a name of the configuration, of this machine, or of
    /// the service.
    func covers(_ host: String) -> Bool {
        let host = host.lowercased()
        return (Self.standardNames + additional).contains { name in
            guard name.hasPrefix("*.") else { return name == host || "[\(name)]" == host }
            guard let dot = host.firstIndex(of: "."), dot != host.startIndex else { return false }
            return host[dot...] == name.dropFirst()
        }
    }

    /// The certificate with a fault that a listener presents instead of the valid one. It is not stored.
    func override(_ fault: CertificateFault) throws -> NIOSSLContextConfigurationOverride {
        let now = EmulatorClock.systemNow
        let end = fault == .expired ? now.addingTimeInterval(-Self.day) : now.addingTimeInterval(Self.day)
        // With a new authority, clients would no longer trust the valid certificate.
        guard let authority = try directory.locked({ try CertificateAuthority(storedIn: directory) }) else {
            throw PrivateFolder.Failure(
                description: "the CA in \(directory.url.path) is missing; restart the emulator to create one"
            )
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
        // When the emulator stops, it waits this long for clients that do not close their connections.
        configuration.shutdownTimeout = .milliseconds(500)
        return configuration
    }

    // MARK: Files

    static let certificateFile = "server.pem"
    private static let keyFile = "server-key.pem"
    /// The record of the other files, so that a start does not have to parse certificates. Its lines are the expiry of
    /// the leaf in seconds since 1970, a digest of all four files, the names, and the names that the leaf would have if
    /// the authority could sign for all of them. It is written last, so that files of an interrupted start are not
    /// mistaken for a complete set.
    private static let recordFile = "server.names"
    private static let day: TimeInterval = 86_400

    /// A certificate with its names, and the warnings if it is new.
    private struct Issued {
        let leaf: ServerCertificate
        let names: [String]
        var warnings: [String] = []
    }

    private static func stored(in directory: PrivateFolder, wanted: [String], possible: [String]) throws -> Issued? {
        guard let record = try directory.read(recordFile), let digest = try digest(in: directory),
            let certificate = try directory.read(certificateFile), let key = try directory.read(keyFile)
        else { return nil }
        // Swift's "\n" does not split CR LF.
        let lines = record.split(whereSeparator: \.isNewline).map(String.init)
        guard lines.count == 4, let expiry = TimeInterval(lines[0]), lines[1] == digest, lines[3] == line(of: possible),
            Date(timeIntervalSince1970: expiry) > EmulatorClock.systemNow.addingTimeInterval(30 * day)
        else { return nil }
        let names = lines[2].split(separator: " ").map(String.init)
        guard wanted.allSatisfy(names.contains) else { return nil }
        return Issued(leaf: ServerCertificate(certificate: certificate, key: key), names: names)
    }

    private static func line(of names: [String]) -> String { names.joined(separator: " ") }

    private static func issue(
        in directory: PrivateFolder,
        wanted: [String],
        machineNames: [String],
        possible: [String]
    ) throws -> Issued {
        let now = EmulatorClock.systemNow
        let expiry = now.addingTimeInterval(397 * day)
        let hadOne = try directory.read(CertificateAuthority.certificateFile) != nil
        let before = try CertificateAuthority(storedIn: directory)
        let kept = try before.flatMap { try mayIssue($0, wanted: wanted, validUntil: expiry) ? $0 : nil }
        // A new authority may sign for all names that the old one could.
        let earlier = try before.flatMap(PermittedNames.domains) ?? []
        let authority =
            try kept
            ?? CertificateAuthority(replacedIn: directory, names: (earlier + wanted + machineNames).uniqued)
        let names = try possible.filter { try wanted.contains($0) || PermittedNames.allow($0, in: authority) }
        let leaf = try ServerCertificate(
            names: names,
            validity: now.addingTimeInterval(-day)..<expiry,
            issuer: authority
        )
        try directory.write(leaf.key, to: keyFile)
        try directory.write(leaf.certificate, to: certificateFile)
        let lines = [
            String(Int(expiry.timeIntervalSince1970)), try digest(in: directory) ?? "", line(of: names),
            line(of: possible),
        ]
        try directory.write(lines.joined(separator: "\n"), to: recordFile)
        return Issued(leaf: leaf, names: names, warnings: hadOne && kept == nil ? [replaced(in: directory)] : [])
    }

    private static func mayIssue(
        _ authority: CertificateAuthority,
        wanted: [String],
        validUntil date: Date
    ) throws -> Bool {
        try authority.certificate.notValidAfter > date
            && wanted.allSatisfy { try PermittedNames.allow($0, in: authority) }
    }

    private static func warnings(leavingOut names: [String]) -> [String] {
        guard !names.isEmpty else { return [] }
        let options = names.map { "--host \($0)" }.joined(separator: " ")
        return [
            "the certificate does not name this machine as \(names.joined(separator: " and ")), because its authority must "
                + "not sign for that; \(options) creates a new authority, which clients have to trust"
        ]
    }

    private static func replaced(in directory: PrivateFolder) -> String {
        "the certificate authority is new, because the previous one may not sign for a requested name, or expires soon; "
            + "clients have to trust \(directory.file(CertificateAuthority.certificateFile).path(percentEncoded: false)) "
            + "again, and entra-emulator env updates their other files"
    }

    /// The digest of all files, which detects a change; `nil` if one is missing.
    private static func digest(in directory: PrivateFolder) throws -> String? {
        let files = [CertificateAuthority.certificateFile, CertificateAuthority.keyFile, certificateFile, keyFile]
        let texts = try files.compactMap(directory.read)
        return texts.count == files.count ? Secret(texts.joined(separator: "\n")).digest : nil
    }

    /// SHA-1 of the server's certificate in hexadecimal digits.
    func thumbprint() throws -> String? {
        for case .certificate(let certificate) in tls.certificateChain { return try Self.thumbprint(of: certificate) }
        return nil
    }

    /// The thumbprint of the certificate in a state folder; `nil` before the first start.
    static func storedThumbprint(in folder: PrivateFolder) throws -> String? {
        guard let pem = try folder.read(certificateFile) else { return nil }
        return try folder.undamaged(certificateFile) {
            try NIOSSLCertificate.fromPEMBytes(Array(pem.utf8)).first.map(thumbprint)
        }
    }

    private static func thumbprint(of certificate: NIOSSLCertificate) throws -> String {
        Hexadecimal.text(Insecure.SHA1.hash(data: Data(try certificate.toDERBytes())), uppercase: true)
    }
}
