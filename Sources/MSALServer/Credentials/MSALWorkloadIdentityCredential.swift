// Licensed under the MIT License. See LICENSE.

import MSALCore

/// A workload identity in Kubernetes, such as AKS: an application that trusts the cluster's token.
///
/// Values that the program omits come from `AZURE_CLIENT_ID`, `AZURE_TENANT_ID` and `AZURE_FEDERATED_TOKEN_FILE`. The
/// cluster's webhook sets these variables.
///
/// ```swift
/// let credential = MSALWorkloadIdentityCredential()
/// let result = try await credential.token(for: MSALTokenRequest(scopes: ["https://vault.azure.net/.default"]))
/// ```
public final class MSALWorkloadIdentityCredential: MSALTokenCredential, ServerRedactedReflection {
    private let application: FederatedApplication
    /// The fault in the variables of identity bindings.
    private let fault: MSALTokenError?

    /// Creates a workload identity. The variables are read now, and everything is validated by the first call.
    ///
    /// - Parameters:
    ///   - clientId: The application's client ID; by default `AZURE_CLIENT_ID`.
    ///   - tenant: The application's tenant; by default `AZURE_TENANT_ID`.
    ///   - tokenFile: The file with the cluster's token; by default `AZURE_FEDERATED_TOKEN_FILE`.
    ///   - usesIdentityBindings: Whether token requests go to the proxy in the cluster that `AZURE_KUBERNETES_TOKEN_PROXY`
    ///     names (AKS identity bindings). Without the variable, they go to the service. The default chain never uses the
    ///     proxy.
    ///   - options: The settings that all credentials share.
    public convenience init(
        clientId: String? = nil,
        tenant: String? = nil,
        tokenFile: String? = nil,
        usesIdentityBindings: Bool = false,
        options: MSALCredentialOptions = MSALCredentialOptions()
    ) {
        self.init(
            clientId: clientId,
            tenant: tenant,
            tokenFile: tokenFile,
            usesIdentityBindings: usesIdentityBindings,
            options: options,
            environment: .system(options)
        )
    }

    package init(
        clientId: String? = nil,
        tenant: String? = nil,
        tokenFile: String? = nil,
        usesIdentityBindings: Bool = false,
        options: MSALCredentialOptions = MSALCredentialOptions(),
        environment: ServerEnvironment
    ) {
        var environment = environment
        do throws(MSALTokenError) {
            if usesIdentityBindings, let proxy = try KubernetesTokenProxy(environment) {
                environment.transport = RetryingTransport(
                    base: proxy,
                    settings: { [retries = options.retries] in retries },
                    time: environment.time
                )
            }
            fault = nil
        } catch {
            fault = error
        }
        let tokenFile = tokenFile ?? environment.variable("AZURE_FEDERATED_TOKEN_FILE")
        application = FederatedApplication(
            tokenFile.map { .kubernetes(tokenFile: $0) },
            clientId: clientId,
            tenant: tenant,
            options: options,
            environment: environment,
            remedy: "In Kubernetes the webhook of workload identity sets them for a pod with the label "
                + "azure.workload.identity/use."
        )
    }

    /// Returns a token for the workload's application.
    ///
    /// - Throws: `.credentialUnavailable` if a variable is missing; `.authenticationFailed` if the file cannot be read;
    ///   `.configuration` if the variables of identity bindings contradict each other; otherwise the errors of the
    ///   application.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        if let fault { throw fault }
        return try await application.token(for: request) { error in
            // A chain must not go on to another identity after an identity that is set up has failed.
            error.kind == .credentialUnavailable ? error.reworded(error.message, kind: .authenticationFailed) : error
        }
    }
}
