// Licensed under the MIT License. See LICENSE.

import Foundation
import Logging
import NIOCore

/// Managed identities, for tests of programs that run in Azure.
extension Emulator {
    /// The addresses of the managed identity endpoints; `nil` unless `EmulatorConfiguration.managedIdentity` is set.
    public var managedIdentity: ManagedIdentityAddresses? { parts.machine.addresses }

    /// Assigns a managed identity of the directory to the machine, or removes it; initially, all of them are assigned.
    ///
    /// `name`: The identity's name, client ID, object ID, or resource ID. If there is no such identity, nothing
    /// changes, and the result is `false`.
    @discardableResult
    public func assignManagedIdentity(_ name: String, isAssigned: Bool) -> Bool {
        parts.machine.assign(name, isAssigned: isAssigned)
    }

    /// Makes the next token requests for managed identities fail, for example with 404, 410, 429, or 500.
    ///
    /// `source`: The host whose requests fail; `nil` means all hosts. `retryAfter`: Seconds for `Retry-After`.
    /// `message`: The error message, such as that of a container desktop without a network; `nil` uses the host's own.
    public func failManagedIdentity(
        status: Int,
        source: ManagedIdentitySource? = nil,
        retryAfter: Int? = nil,
        message: String? = nil,
        count: Int = 1
    ) {
        guard count > 0 else { return }
        let effect = MachineIdentities.Failure.Effect.refusal(status: status, retryAfter: retryAfter, message: message)
        parts.machine.enqueue(.init(source: source, effect: effect, count: count))
    }

    /// Makes the next responses invalid. A client must not trust them.
    ///
    /// `source`: The host; `nil` means all hosts that can have the flaw. Only Azure Arc has challenges. For Service
    /// Fabric, use `showCertificate(_:)` to present a certificate with a wrong thumbprint.
    public func flawManagedIdentity(_ flaw: ManagedIdentityFlaw, source: ManagedIdentitySource? = nil, count: Int = 1) {
        guard count > 0 else { return }
        parts.machine.enqueue(.init(source: source, effect: .flaw(flaw), count: count))
    }

    /// Opens the ports of the managed identity endpoints, if they are configured.
    static func startManagedIdentity(
        _ parts: EmulatorComponents,
        platformPort: Int,
        logger: Logger
    ) async throws -> [Listener] {
        guard let server = parts.managedIdentityServer(platform: "https://localhost:\(platformPort)") else { return [] }
        for port in [server.settings.port, server.settings.securePort] where !(0...65_535).contains(port) {
            throw StartFailure(description: "\(port) is not a port number; choose one up to 65535, or 0 for a free one")
        }
        do {
            return try await server.start(logger: logger)
        } catch let error as IOError where error.errnoCode == EADDRINUSE {
            throw StartFailure(
                description: "a port for managed identities, \(server.settings.port) or \(server.settings.securePort), "
                    + "is already in use; choose others with --managed-identity-port"
            )
        }
    }
}
