// Licensed under the MIT License. See LICENSE.

import Foundation
private import Synchronization

/// An application that proves who it is with the assertion of another issuer: a job of GitHub Actions or Azure Pipelines.
///
/// A chain takes it as ``MSALChainMember/gitHubActions(clientId:tenant:)`` and
/// ``MSALChainMember/azurePipelines(serviceConnectionId:systemAccessToken:clientId:tenant:)``.
public final class MSALFederatedCredential: MSALTokenCredential, ClosedMirror {
    private let source: MSALFederatedSource
    private let clientID: String?
    private let policy: TenantPolicy
    private let options: MSALCredentialOptions
    private let environment: ServerEnvironment
    private let application = AtomicLazyReference<MSALConfidentialClientApplication>()

    /// An application whose assertions come from `source`.
    ///
    /// - Parameters:
    ///   - source: Where the assertions come from.
    ///   - clientId: The application's id; by default that of the variable `AZURE_CLIENT_ID`.
    ///   - tenant: The application's tenant; by default that of `AZURE_TENANT_ID`.
    ///   - options: The settings that every credential takes.
    public convenience init(
        _ source: MSALFederatedSource,
        clientId: String? = nil,
        tenant: String? = nil,
        options: MSALCredentialOptions = MSALCredentialOptions()
    ) {
        self.init(source, clientId: clientId, tenant: tenant, options: options, environment: .system(options))
    }

    package init(
        _ source: MSALFederatedSource,
        clientId: String? = nil,
        tenant: String? = nil,
        options: MSALCredentialOptions = MSALCredentialOptions(),
        environment: ServerEnvironment
    ) {
        self.source = source
        self.options = options
        self.environment = environment.applying(options)
        clientID = clientId ?? environment.variable("AZURE_CLIENT_ID")
        policy = TenantPolicy(
            configured: tenant ?? environment.variable("AZURE_TENANT_ID"),
            additional: options.additionallyAllowedTenants,
            environment: environment
        )
    }

    /// A token of the application.
    ///
    /// - Throws: `.credentialUnavailable` if there is no client id or tenant, or if the program does not run where the
    ///   assertions come from; `.federationMismatch` and the other refusals of the service.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let application = if let known = application.load() { known } else { try makeApplication() }
        guard request.options.tenant != nil else { return try await application.token(for: request) }
        var request = request
        request.options.tenant = try policy.tenant(request.options.tenant)
        return try await application.token(for: request)
    }

    private func makeApplication() throws(MSALTokenError) -> MSALConfidentialClientApplication {
        guard let clientID, let tenant = policy.configured else {
            let missing = [
                clientID == nil ? "AZURE_CLIENT_ID" : nil, policy.configured == nil ? "AZURE_TENANT_ID" : nil,
            ]
            throw MSALTokenError(
                .credentialUnavailable,
                message:
                    "Not set: \(missing.compactMap(\.self).joined(separator: ", ")). Set them, or give the ids in the "
                    + "program."
            )
        }
        try TenantPolicy.check(tenant, of: "The tenant, or the value of AZURE_TENANT_ID,")
        var configuration = MSALConfidentialClientConfiguration(
            clientId: clientID,
            authority: .url(try EnvironmentIdentity.authority(of: tenant, in: environment)),
            credential: .federated(source)
        )
        configuration.options = options
        return application.storeIfNil(
            try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
        )
    }
}

extension MSALChainMember {
    /// The application that trusts a job of GitHub Actions, which needs `permissions: id-token: write`.
    ///
    /// It is not in the default chain, because it would take over developers' self-hosted runners.
    ///
    /// - Parameters:
    ///   - clientId: The application's id; by default that of the variable `AZURE_CLIENT_ID`.
    ///   - tenant: The application's tenant; by default that of `AZURE_TENANT_ID`.
    /// - Returns: The member.
    public static func gitHubActions(clientId: String? = nil, tenant: String? = nil) -> MSALChainMember {
        federated("gitHubActions", source: .gitHubActions, clientId: clientId, tenant: tenant)
    }

    /// The application that trusts a job of Azure Pipelines.
    ///
    /// - Parameters:
    ///   - serviceConnectionId: The id of the service connection; by default that of the variable
    ///     `AZURESUBSCRIPTION_SERVICE_CONNECTION_ID`.
    ///   - systemAccessToken: The value of `$(System.AccessToken)`; by default that of `SYSTEM_ACCESSTOKEN`.
    ///   - clientId: The application's id; by default that of the variable `AZURE_CLIENT_ID`.
    ///   - tenant: The application's tenant; by default that of `AZURE_TENANT_ID`.
    /// - Returns: The member.
    public static func azurePipelines(
        serviceConnectionId: String? = nil,
        systemAccessToken: String? = nil,
        clientId: String? = nil,
        tenant: String? = nil
    ) -> MSALChainMember {
        federated(
            "azurePipelines",
            source: .azurePipelines(serviceConnectionId: serviceConnectionId, systemAccessToken: systemAccessToken),
            clientId: clientId,
            tenant: tenant
        )
    }

    private static func federated(
        _ name: String,
        source: MSALFederatedSource,
        clientId: String?,
        tenant: String?
    ) -> MSALChainMember {
        MSALChainMember(name) { environment, options in
            let credential = MSALFederatedCredential(
                source,
                clientId: clientId,
                tenant: tenant,
                options: options,
                environment: environment
            )
            return ChainLink(name, credential: credential)
        }
    }
}
