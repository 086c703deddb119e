// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import Logging
import NIOCore

extension Emulator {
    /// Warnings for users who let other machines connect to this emulator, and warnings about its certificate. They are
    /// empty if it listens only on loopback and clients already trust its certificate authority.
    public var reachabilityWarnings: [String] {
        func open(_ text: String?) -> BindAddress? {
            text.flatMap { BindAddress($0) }.flatMap { $0.isLoopback ? nil : $0 }
        }
        func urls(_ address: BindAddress, port: Int) -> String {
            let names = address.certificateNames.map { $0.contains(":") ? "[\($0)]" : $0 }
            return names.map { "https://\($0):\(port)" }.joined(separator: ", ")
        }
        var warnings = parts.identity.warnings
        if let address = open(parts.configuration.listenAddress) {
            warnings.append(
                "anyone who can reach port \(port) can sign in as any user, because the passwords are published: "
                    + urls(address, port: port)
            )
        }
        if open(parts.configuration.listenAddress) != nil, parts.configuration.people == .everywhere {
            warnings.append("anyone who can reach port \(port) can sign in with one click, without a password")
        }
        if let controlPort, let address = open(parts.configuration.controlListenAddress) {
            warnings.append(
                "anyone who can reach port \(controlPort) and has the control token controls the emulator: "
                    + urls(address, port: controlPort)
            )
        }
        return warnings
    }

    /// Listens on the platform's addresses, with the regular port and, if configured, the mutual TLS port. The regular
    /// ones come first.
    static func listen(_ parts: EmulatorComponents, logger: Logger) async throws -> [Listener] {
        var listeners = try await listen(parts, port: parts.configuration.port, asking: .byServerName, logger: logger)
        parts.ports.platform = listeners[0].port
        do {
            if let port = parts.configuration.mutualTLSPort {
                let asking = try await listen(parts, port: port, asking: .anyClient, logger: logger)
                parts.ports.mutualTLS = asking[0].port
                listeners += asking
            }
            if let port = parts.configuration.trustPort {
                let plain = try await showAuthority(parts, port: port, logger: logger)
                parts.ports.trust = plain[0].port
                listeners += plain
            }
            return listeners
        } catch {
            await Listener.stop(listeners)
            throw error
        }
    }

    private static func listen(
        _ parts: EmulatorComponents,
        port: Int,
        asking question: ServerTLS.ClientCertificateRequest,
        logger: Logger
    ) async throws -> [Listener] {
        try await listen(
            parts,
            port: port,
            tls: try ServerTLS(parts.certificate.tls, asking: question),
            responder: parts.routes(),
            option: question == .anyClient ? "--mutual-tls-port" : "--port",
            logger: logger
        )
    }

    /// Listens without TLS to serve the certificate that a client has to trust.
    private static func showAuthority(_ parts: EmulatorComponents, port: Int, logger: Logger) async throws -> [Listener]
    {
        try await listen(
            parts,
            port: port,
            tls: nil,
            responder: TrustAnchor(file: parts.identity.authorityFile),
            option: "--trust-port",
            logger: logger
        )
    }

    private static func listen<Responder: HTTPResponder>(
        _ parts: EmulatorComponents,
        port: Int,
        tls: ServerTLS?,
        responder: Responder,
        option: String,
        logger: Logger
    ) async throws -> [Listener] where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        let address = try address(parts.configuration.listenAddress)
        do {
            return try await Listener.start(
                hosts: BindAddress.sockets(for: address, alsoIPv6: true),
                port: port,
                tls: tls,
                clock: parts.clock,
                responder: responder,
                logger: logger
            )
        } catch let error as IOError {
            throw failure(of: "port \(port)", at: address, because: error, option: option)
        }
    }

    /// Listens on the control port, if one is configured.
    static func startControl(
        _ parts: EmulatorComponents,
        in state: PrivateFolder,
        logger: Logger
    ) async throws -> ControlServer.Running? {
        let configuration = parts.configuration
        guard let port = configuration.controlPort else { return nil }
        let address = try address(configuration.controlListenAddress)
        let token = try configuration.controlTokenFile.map(ControlToken.read) ?? ControlToken.kept(in: state)
        do {
            let authority = TrustAnchor(file: parts.identity.authorityFile)
            return try await ControlServer(parts: parts.controlled, token: token, authority: authority)
                .start(
                    at: BindAddress.sockets(for: address, alsoIPv6: false),
                    port: port,
                    identity: parts.identity,
                    logger: logger
                )
        } catch let error as IOError {
            throw failure(of: "control port \(port)", at: address, because: error, option: "--control-port")
        }
    }

    /// The names that the user requests in the certificate.
    static func requestedNames(_ configuration: EmulatorConfiguration) -> [String] {
        configuration.additionalHosts + [configuration.publicURL?.host].compactMap(\.self)
            + (configuration.certifiesServiceNames ? ServerIdentity.serviceNames : [])
    }

    /// The names of this machine under which others can reach the configured addresses.
    static func machineNames(_ configuration: EmulatorConfiguration) throws -> [String] {
        let addresses = [configuration.listenAddress, configuration.controlListenAddress]
        return Set(try addresses.compactMap(address).flatMap(\.certificateNames)).sorted()
    }

    /// The configured public address of the emulator.
    static func publicAddress(_ configuration: EmulatorConfiguration) throws(StartFailure) -> String? {
        guard let url = configuration.publicURL else { return nil }
        guard url.scheme?.lowercased() == "https", let uri = RedirectAddress(url.absoluteString),
            uri.rest.isEmpty || uri.rest == "/"
        else {
            throw StartFailure(
                description:
                    "\(url.absoluteString) is not an address of an emulator; use one such as https://localhost:8443"
            )
        }
        return "https://\(uri.host)" + (uri.port.map { $0 == 443 ? "" : ":\($0)" } ?? "")
    }

    private static func address(_ text: String?) throws(StartFailure) -> BindAddress? {
        guard let text else { return nil }
        guard let address = BindAddress(text) else {
            throw StartFailure(
                description:
                    "'\(text)' is not an IP address; choose 0.0.0.0 for IPv4, :: for everything, or an address "
                    + "of this machine"
            )
        }
        return address
    }

    /// The error for a port that cannot be bound.
    ///
    /// `option`: The option that sets the port.
    private static func failure(
        of port: String,
        at address: BindAddress?,
        because error: IOError,
        option: String
    ) -> StartFailure {
        switch error.errnoCode {
        case EADDRINUSE:
            return StartFailure(
                description: "\(port) is already in use; stop the program that uses it or choose another \(option)"
            )
        case EACCES:
            return StartFailure(description: "\(port) is reserved for the administrator; choose one above 1023")
        case EADDRNOTAVAIL, EAFNOSUPPORT:
            guard let address else { break }
            let all = ["0.0.0.0", "127.0.0.1"] + MachineNames.addresses(includingIPv6: true)
            return StartFailure(
                description: "\(address.text) is not an address of this machine; choose one of "
                    + all.joined(separator: ", ")
            )
        default: break
        }
        return StartFailure(description: "cannot listen on \(port): \(String(cString: strerror(error.errnoCode)))")
    }
}
