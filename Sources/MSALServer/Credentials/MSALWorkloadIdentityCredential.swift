// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// The identity of a workload in Kubernetes, such as AKS: an application that trusts the cluster's token.
///
/// It takes `AZURE_CLIENT_ID`, `AZURE_TENANT_ID` and `AZURE_FEDERATED_TOKEN_FILE`, which the cluster's webhook sets.
public final class MSALWorkloadIdentityCredential: MSALTokenCredential, ClosedMirror {
    private let environment: ServerEnvironment
    private let policy: TenantPolicy
    private let application = AtomicLazyReference<MSALConfidentialClientApplication>()

    /// An identity from the variables. They are read now, and looked at with the first call.
    public convenience init(additionallyAllowedTenants: [String] = []) {
        self.init(additionallyAllowedTenants: additionallyAllowedTenants, environment: .system())
    }

    package init(additionallyAllowedTenants: [String] = [], environment: ServerEnvironment) {
        self.environment = environment
        policy = TenantPolicy(
            configured: environment.variable("AZURE_TENANT_ID"),
            additional: additionallyAllowedTenants,
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
        let names = ["AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_FEDERATED_TOKEN_FILE"]
        let missing = names.filter { environment.variable($0) == nil }
        guard let clientID = environment.variable(names[0]), let tenant = environment.variable(names[1]),
            let file = environment.variable(names[2])
        else {
            throw MSALTokenError(
                .credentialUnavailable,
                message:
                    "Not set: \(missing.joined(separator: ", ")). In Kubernetes the webhook of workload identity sets "
                    + "them for a pod with the label azure.workload.identity/use."
            )
        }
        try TenantPolicy.check(tenant, of: "The value of AZURE_TENANT_ID")
        let configuration = MSALConfidentialClientConfiguration(
            clientId: clientID,
            authority: .url(try EnvironmentIdentity.authority(of: tenant, in: environment)),
            credential: .federated(.kubernetes(tokenFile: file))
        )
        return application.storeIfNil(
            try MSALConfidentialClientApplication(configuration: configuration, environment: environment)
        )
    }
}
