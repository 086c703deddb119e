// Licensed under the MIT License. See LICENSE.

import Foundation

/// A managed identity as a chain asks it (docs/reference/Services.md#probe).
final class ChainedManagedIdentity: MSALTokenCredential {
    private let application: MSALManagedIdentityApplication
    /// The variable that named the identity, if one did.
    private let variable: String?
    /// `nil` if the service is asked without a probe.
    private let probe: MSALMetadataProbe?
    private let environment: ServerEnvironment

    init(
        _ application: MSALManagedIdentityApplication,
        namedBy variable: String? = nil,
        probe: MSALMetadataProbe?,
        environment: ServerEnvironment
    ) {
        self.application = application
        self.variable = variable
        // Only the service of a virtual machine has to be probed for. A variable names each other host, which is proof
        // enough.
        let isGuess =
            application.source.kind == .imds && environment.variable("AZURE_POD_IDENTITY_AUTHORITY_HOST") == nil
        self.probe = isGuess ? probe : nil
        self.environment = environment
    }

    /// This credential without its probe, for a chain that has chosen it.
    var unprobed: ChainedManagedIdentity {
        ChainedManagedIdentity(application, namedBy: variable, probe: nil, environment: environment)
    }

    nonisolated(nonsending) func token(for request: MSALTokenRequest) async throws(MSALTokenError) -> MSALTokenResult {
        if let probe { try await probeMetadataService(probe) }
        do throws(MSALTokenError) {
            return try await application.token(for: request)
        } catch {
            throw explained(error)
        }
    }

    /// Probes whether there is a service to ask.
    ///
    /// - Throws: `.credentialUnavailable`, with what responded in its place; `.cancelled`.
    private func probeMetadataService(_ probe: MSALMetadataProbe) async throws(MSALTokenError) {
        let words: String
        switch try await MetadataProbing.of(environment).presence(probe, in: environment) {
        case .present: return
        case .silent:
            let limit = probe.timeout.formatted(.units(allowed: [.seconds, .milliseconds], width: .wide))
            words = "it does not run in Azure, or the service does not respond within \(limit)."
        case .unexpectedResponder(let what): words = "another service responds at its address: \(what)."
        }
        throw MSALTokenError(.credentialUnavailable, message: "This machine has no metadata service: \(words)")
    }

    private func explained(_ error: MSALTokenError) -> MSALTokenError {
        guard error.kind == .identityNotAssigned else { return error }
        if let variable {
            return error.reworded("\(error.message) The variable \(variable) names this identity; correct or unset it.")
        }
        // A machine without an identity is not set up. That is a fault only if the program asked for one by its id.
        return application.identity == .systemAssigned
            ? error.reworded(error.message, kind: .credentialUnavailable) : error
    }
}

extension MSALChainMember {
    /// The managed identity of the machine.
    ///
    /// If only a metadata service could provide the identity, the chain first probes for that service.
    public static func managedIdentity(
        _ identity: MSALManagedIdentityId = .systemAssigned,
        probe: MSALMetadataProbe = MSALMetadataProbe()
    ) -> MSALChainMember {
        managedIdentity(identity, namedBy: nil, probe: probe)
    }

    static func managedIdentity(
        _ identity: MSALManagedIdentityId,
        namedBy variable: String?,
        probe: MSALMetadataProbe?
    ) -> MSALChainMember {
        let name = "managedIdentity"
        return MSALChainMember(name) { environment, options in
            let application = MSALManagedIdentityApplication(
                identity: identity,
                options: options,
                environment: environment
            )
            let searched = ChainedManagedIdentity(
                application,
                namedBy: variable,
                probe: probe,
                environment: environment
            )
            return ChainLink(name, credential: searched.unprobed, searched: searched)
        }
    }
}
