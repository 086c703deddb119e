// Licensed under the MIT License. See LICENSE.

public import Foundation
import Hummingbird
import Logging
import MSALBase
import NIOCore
import Synchronization

/// An identity platform that runs in this process. It listens on loopback, unless the configuration says otherwise.
///
/// ```swift
/// let emulator = try await Emulator.start()
/// // Clients have to trust this file, and use the address with a tenant as their authority.
/// print(emulator.certificateAuthorityFile, emulator.baseURL.appending(path: "contoso.example"))
/// try await emulator.shutdown()
/// ```
public final class Emulator: Sendable, EmulatorRedactedReflection {
    /// The reason why an emulator could not start.
    public struct StartFailure: LocalizedError, CustomStringConvertible {
        /// One sentence with the remedy.
        public let description: String
        /// The same as ``description``; `localizedDescription` returns it.
        public var errorDescription: String? { description }
    }

    /// The TLS port.
    public let port: Int
    /// The port that requests client certificates, if configured.
    public let mutualTLSPort: Int?
    /// The port of the control API, if configured.
    public let controlPort: Int?
    /// The bearer token of the control API, which is also stored in the state directory.
    public let controlToken: String?
    /// The IDs and names of the default directory.
    public let seed = Seed()

    let parts: EmulatorComponents
    private let listeners: [Listener]
    /// Locks the data folder against other emulators.
    private let claim: PrivateFolder.Claim?

    private init(
        parts: EmulatorComponents,
        port: Int,
        listeners: [Listener],
        control: ControlServer.Running?,
        claim: PrivateFolder.Claim?
    ) {
        self.parts = parts
        self.port = port
        mutualTLSPort = parts.ports.mutualTLS
        self.claim = claim
        self.listeners = listeners + (control?.listeners ?? [])
        controlPort = control?.listeners.first?.port
        controlToken = control?.token.exposed
    }

    /// Starts listening.
    ///
    /// - Throws: `StartFailure` if a port is already in use or a folder cannot be used, and
    ///   `EmulatorDirectory.InvalidEntry` if the directory is invalid. Both messages say what to do.
    public static func start(_ configuration: EmulatorConfiguration = .init()) async throws -> Emulator {
        do {
            return try await assemble(configuration)
        } catch let failure as PrivateFolder.Failure {
            throw StartFailure(description: failure.description)
        }
    }

    /// `https://localhost:<port>`.
    public var baseURL: URL { url(port: port) }

    /// `https://localhost:<port>` for mutual TLS. A client with a certificate uses it instead of `baseURL` in the
    /// addresses of the token endpoint and of APIs. `nil` unless `EmulatorConfiguration.mutualTLSPort` is set.
    public var mutualTLSURL: URL? { mutualTLSPort.map(url) }

    private func url(port: Int) -> URL {
        var components = URLComponents()
        components.scheme = "https"
        components.host = "localhost"
        components.port = port
        // Components with a host and no path are always a valid URL.
        return components.url ?? certificateAuthorityFile
    }

    /// The port without TLS that serves the certificate authority's certificate, if configured.
    public var trustPort: Int? { parts.ports.trust }

    /// The SHA-256 fingerprint of the certificate authority's certificate, as `openssl x509 -fingerprint -sha256`
    /// prints it.
    ///
    /// - Throws: An error of Foundation if the file was removed; restart the emulator.
    public var certificateAuthorityFingerprint: String {
        get throws { try TrustAnchor(file: parts.identity.authorityFile).fingerprint }
    }

    /// The PEM file of the certificate authority that clients have to trust.
    public var certificateAuthorityFile: URL { parts.identity.authorityFile }

    /// The emulated time.
    public var now: Date { parts.clock.now }

    /// Advances the emulated time: codes, tokens, and sessions become older. TLS continues to use the real time.
    public func advanceClock(by duration: Duration) async {
        parts.clock.advance(by: duration)
    }

    /// Sets the emulated time.
    public func setClock(to date: Date) {
        parts.clock.set(to: date)
    }

    /// Stops the emulated time, or lets it continue.
    public func freezeClock(_ isFrozen: Bool = true) {
        parts.clock.freeze(isFrozen)
    }

    /// Makes the time of one client differ from the emulated time. The client's tokens are dated later by this
    /// duration, or earlier if it is negative. Zero removes the difference.
    public func skewClock(of clientID: String, by duration: Duration) {
        parts.clock.skew(clientID, by: duration)
    }

    /// Waits for a matching request in the journal.
    ///
    /// `id`: Only requests after the journal entry with this ID count; 0 means all.
    /// `time`: The timeout, in real time.
    /// - Returns: `nil` if none arrived.
    public func expectRequest(
        pathSuffix: String,
        status: Int? = nil,
        after id: Int = 0,
        within time: Duration = .seconds(10)
    ) async -> JournalEntry? {
        await parts.journal.first(
            after: id,
            matching: JournalFilter(pathSuffix: pathSuffix, status: status),
            within: time
        )
    }

    /// All requests so far, oldest first; secrets are not printed. At most the latest 10,000 requests, or 16 MiB, are
    /// kept.
    public var journal: [JournalEntry] { parts.journal.entries }

    /// Removes and returns the oldest matching request in the journal, so that a test asserts each request once.
    ///
    /// - Returns: `nil` if none matches.
    public func takeFromJournal(where fits: (JournalEntry) -> Bool) -> JournalEntry? {
        parts.journal.take(where: fits)
    }

    /// Clears the journal.
    public func clearJournal() {
        parts.journal.clear()
    }

    /// Makes the next matching request fail as described.
    public func enqueueFault(_ fault: Fault) {
        parts.faults.enqueue(fault)
    }

    /// Removes the pending faults.
    public func clearFaults() {
        parts.faults.clear()
    }

    /// Presents a certificate with this fault to all new connections, except on the control port; `nil` presents the
    /// valid one again. Clients may still have open connections.
    public func showCertificate(_ fault: CertificateFault?) throws {
        try parts.certificate.show(fault)
    }

    /// Revokes all sign-ins of a user, as an administrator does after a theft: sessions, refresh tokens, and access
    /// tokens become invalid. An app with the client capability `cp1` gets a claims challenge from the APIs (continuous
    /// access evaluation).
    ///
    /// Returns `false` if the user does not exist.
    @discardableResult
    public func revokeSignIns(of userPrincipalName: String) async throws -> Bool {
        try await parts.store.endSignIns(of: userPrincipalName, at: parts.clock.now)
    }

    /// Publishes the key of the next rollover in the key sets, as the service does long before it uses the key. Returns
    /// its `kid`.
    @discardableResult
    public func announceSigningKey() async throws -> String {
        try await parts.keys.announce()
    }

    /// Signs all tokens with a new key from now on: the announced one, if there is one. The key sets still contain the
    /// old keys, so that earlier tokens remain valid. Returns the `kid` of the new key.
    @discardableResult
    public func rollOverSigningKey() async throws -> String {
        try await parts.keys.rollOver()
    }

    /// Restores the initial state: users, consents, sessions, tokens, faults, certificate, journal, and clock.
    public func reset() async throws {
        try await parts.reset()
    }

    /// Stops listening, and closes all connections and the store. Calling it again has no effect.
    public func shutdown() async throws {
        await Listener.stop(listeners)
        parts.challenges?.removeAll()
        try parts.store.close()
        claim?.release()
    }
}

extension Emulator {
    private static func assemble(_ configuration: EmulatorConfiguration) async throws -> Emulator {
        let others = [configuration.mutualTLSPort, configuration.controlPort, configuration.trustPort]
        let ports = [configuration.port] + others.compactMap(\.self)
        for port in ports where !(0...65_535).contains(port) {
            throw StartFailure(description: "\(port) is not a port number; choose one up to 65535, or 0 for a free one")
        }
        let directory = try ServedDirectory(
            configuration.directory,
            native: configuration.nativeAuth,
            acceptsUnknownClients: configuration.acceptsUnknownClients
        )
        let state = try PrivateFolder(state: configuration.stateDirectory)
        let data = try configuration.dataDirectory.map { try PrivateFolder(data: $0) }
        let claim = try data?.claim()
        let parts = try await EmulatorComponents(configuration, directory: directory, state: state, data: data)
        let logger = logger(configuration)
        if parts.keepsOwnDirectory {
            logger.notice("The data folder contains a changed directory, which is used instead of the configured one.")
        }
        var listeners = try await listen(parts, logger: logger)
        do {
            listeners += try await startManagedIdentity(parts, platformPort: listeners[0].port, logger: logger)
            let control = try await startControl(parts, in: state, logger: logger)
            parts.ports.control = control?.listeners.first?.port
            let emulator = Emulator(
                parts: parts,
                port: listeners[0].port,
                listeners: listeners,
                control: control,
                claim: claim
            )
            for warning in emulator.reachabilityWarnings + configuration.directory.warnings {
                logger.warning("\(warning)")
            }
            return emulator
        } catch {
            await Listener.stop(listeners)
            parts.challenges?.removeAll()
            throw error
        }
    }

    private static func logger(_ configuration: EmulatorConfiguration) -> Logger {
        guard let level = configuration.logLevel.flatMap({ Logger.Level(rawValue: $0.rawValue) }) else {
            return Logger(label: "entra-emulator") { _ in SwiftLogNoOpLogHandler() }
        }
        let format = configuration.logFormat
        var logger = Logger(label: "entra-emulator") { label -> any LogHandler in
            switch format {
            case .text: TerminalLog(label: label)
            case .json: JSONLog(label: label)
            }
        }
        logger.logLevel = level
        return logger
    }
}
