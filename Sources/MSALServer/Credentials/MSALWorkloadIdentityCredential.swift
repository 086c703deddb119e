// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The identity of a workload in Kubernetes, such as AKS: an application that trusts the cluster's token.
///
/// What the program does not name it takes from `AZURE_CLIENT_ID`, `AZURE_TENANT_ID` and `AZURE_FEDERATED_TOKEN_FILE`, which
/// the cluster's webhook sets.
public final class MSALWorkloadIdentityCredential: MSALTokenCredential, ClosedMirror {
    private let clientID: String?
    private let tokenFile: String?
    private let options: MSALCredentialOptions
    private let environment: ServerEnvironment
    private let policy: TenantPolicy
    private let application = AtomicLazyReference<MSALConfidentialClientApplication>()

    /// The identity of a workload. The variables are read now, and everything is looked at with the first call.
    ///
    /// - Parameters:
    ///   - clientId: The application's id; by default that of the variable `AZURE_CLIENT_ID`.
    ///   - tenant: The application's tenant; by default that of `AZURE_TENANT_ID`.
    ///   - tokenFile: The file with the cluster's token; by default that of `AZURE_FEDERATED_TOKEN_FILE`.
    ///   - options: The settings that every credential takes.
    public convenience init(
        clientId: String? = nil,
        tenant: String? = nil,
        tokenFile: String? = nil,
        options: MSALCredentialOptions = MSALCredentialOptions()
    ) {
        self.init(
            clientId: clientId,
            tenant: tenant,
            tokenFile: tokenFile,
            options: options,
            environment: .system(options)
        )
    }

    package init(
        clientId: String? = nil,
        tenant: String? = nil,
        tokenFile: String? = nil,
        options: MSALCredentialOptions = MSALCredentialOptions(),
        environment: ServerEnvironment
    ) {
        clientID = clientId ?? environment.variable("AZURE_CLIENT_ID")
        self.tokenFile = tokenFile ?? environment.variable("AZURE_FEDERATED_TOKEN_FILE")
        self.options = options
        self.environment = environment.applying(options)
        policy = TenantPolicy(
            configured: tenant ?? environment.variable("AZURE_TENANT_ID"),
            additional: options.additionallyAllowedTenants,
            environment: environment
        )
    }

    /// A token of the workload's application.
    ///
    /// - Throws: `.credentialUnavailable` if a variable is missing; `.authenticationFailed` if the file cannot be read; else
    ///   the failures of the application.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let application = if let known = application.load() { known } else { try makeApplication() }
        var request = request
        if request.options.tenant != nil { request.options.tenant = try policy.tenant(request.options.tenant) }
        do throws(MSALTokenError) {
            return try await application.token(for: request)
        } catch {
            // What is set up and fails must not make a chain go on to another identity.
            throw error.kind == .credentialUnavailable
                ? error.reworded(error.message, kind: .authenticationFailed) : error
        }
    }

    private func makeApplication() throws(MSALTokenError) -> MSALConfidentialClientApplication {
        guard let clientID, let tenant = policy.configured, let tokenFile else {
            let settings = [
                "AZURE_CLIENT_ID": clientID, "AZURE_TENANT_ID": policy.configured,
                "AZURE_FEDERATED_TOKEN_FILE": tokenFile,
            ]
            let missing = settings.filter { $0.value == nil }.keys.sorted()
            throw MSALTokenError(
                .credentialUnavailable,
                message:
                    "Not set: \(missing.joined(separator: ", ")). In Kubernetes the webhook of workload identity sets "
                    + "them for a pod with the label azure.workload.identity/use."
            )
        }
        try TenantPolicy.check(tenant, of: "The tenant, or the value of AZURE_TENANT_ID,")
        var configuration = MSALConfidentialClientConfiguration(
            clientId: clientID,
            authority: .url(try EnvironmentIdentity.authority(of: tenant, in: environment)),
            credential: .federated(.kubernetes(tokenFile: tokenFile))
        )
        configuration.options = options
        return application.storeIfNil(
            try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
        )
    }
}
