// Licensed under the MIT License. See LICENSE.

/// An application that authenticates with the assertion of another issuer, such as a job of GitHub Actions or Azure
/// Pipelines.
///
/// In a chain, use ``MSALChainMember/gitHubActions(clientId:tenant:)`` and
/// ``MSALChainMember/azurePipelines(serviceConnectionId:systemAccessToken:clientId:tenant:)``.
///
/// ```swift
/// let credential = MSALFederatedCredential(.gitHubActions, clientId: clientID, tenant: tenant)
/// let result = try await credential.token(for: MSALTokenRequest(scopes: ["https://management.azure.com/.default"]))
/// ```
public final class MSALFederatedCredential: MSALTokenCredential, ServerRedactedReflection {
    private let application: FederatedApplication

    /// Creates a credential for an application whose assertions come from `source`.
    ///
    /// - Parameters:
    ///   - source: The source of the assertions.
    ///   - clientId: The application's client ID; by default `AZURE_CLIENT_ID`.
    ///   - tenant: The application's tenant; by default `AZURE_TENANT_ID`.
    ///   - options: The settings that all credentials share.
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
        application = FederatedApplication(
            source,
            clientId: clientId,
            tenant: tenant,
            options: options,
            environment: environment,
            remedy: "Set them, or pass the IDs in the program."
        )
    }

    /// Returns a token for the application.
    ///
    /// - Throws: `.credentialUnavailable` if the client ID or the tenant is missing, or if the source of the assertions
    ///   is not available in this environment; `.federationMismatch` or another error that the service returned.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        try await application.token(for: request)
    }
}

extension MSALChainMember {
    /// The application that trusts a job of GitHub Actions, which needs `permissions: id-token: write`.
    ///
    /// It is not in the default chain, because on a developer's self-hosted runner it would override the developer's
    /// own credentials.
    ///
    /// - Parameters:
    ///   - clientId: The application's client ID; by default `AZURE_CLIENT_ID`.
    ///   - tenant: The application's tenant; by default `AZURE_TENANT_ID`.
    /// - Returns: The member.
    public static func gitHubActions(clientId: String? = nil, tenant: String? = nil) -> MSALChainMember {
        federated("gitHubActions", source: .gitHubActions, clientId: clientId, tenant: tenant)
    }

    /// The application that trusts a job of Azure Pipelines.
    ///
    /// - Parameters:
    ///   - serviceConnectionId: The id of the service connection; by default `AZURESUBSCRIPTION_SERVICE_CONNECTION_ID`.
    ///   - systemAccessToken: The value of `$(System.AccessToken)`; by default `SYSTEM_ACCESSTOKEN`.
    ///   - clientId: The application's client ID; by default `AZURE_CLIENT_ID`.
    ///   - tenant: The application's tenant; by default `AZURE_TENANT_ID`.
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
