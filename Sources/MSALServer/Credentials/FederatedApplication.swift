// Licensed under the MIT License. See LICENSE.

private import Synchronization

/// An application that proves who it is with the token of another issuer. It is made with the first call.
final class FederatedApplication: Sendable {
    private let source: MSALFederatedSource?
    private let clientID: String?
    private let policy: TenantPolicy
    private let options: MSALCredentialOptions
    private let environment: ServerEnvironment
    /// The advice for missing settings.
    private let remedy: String
    private let application = AtomicLazyReference<MSALConfidentialClientApplication>()

    /// `source` is `nil` if only `AZURE_FEDERATED_TOKEN_FILE` could name it, and that is not set.
    init(
        _ source: MSALFederatedSource?,
        clientId: String?,
        tenant: String?,
        options: MSALCredentialOptions,
        environment: ServerEnvironment,
        remedy: String
    ) {
        self.source = source
        self.options = options
        self.environment = environment.applying(options)
        self.remedy = remedy
        clientID = clientId ?? environment.variable("AZURE_CLIENT_ID")
        policy = TenantPolicy(
            configured: tenant ?? environment.variable("AZURE_TENANT_ID"),
            additional: options.additionallyAllowedTenants,
            environment: environment
        )
    }

    /// A token of the application. `reword` changes the failures of the application, but not that of a missing setting.
    ///
    /// - Throws: `.credentialUnavailable` with the remedy if a setting is missing; else the failures of the application.
    nonisolated(nonsending) func token(
        for request: MSALTokenRequest,
        reword: (MSALTokenError) -> MSALTokenError = { $0 }
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let application = if let known = application.load() { known } else { try makeApplication() }
        var request = request
        if request.options.tenant != nil { request.options.tenant = try policy.tenant(request.options.tenant) }
        do throws(MSALTokenError) {
            return try await application.token(for: request)
        } catch {
            throw reword(error)
        }
    }

    private func makeApplication() throws(MSALTokenError) -> MSALConfidentialClientApplication {
        guard let clientID, let source, let tenant = policy.configured else {
            let settings = [
                ("AZURE_CLIENT_ID", clientID != nil), ("AZURE_FEDERATED_TOKEN_FILE", source != nil),
                ("AZURE_TENANT_ID", policy.configured != nil),
            ]
            let missing = settings.filter { !$0.1 }.map(\.0).joined(separator: ", ")
            throw MSALTokenError(.credentialUnavailable, message: "Not set: \(missing). \(remedy)")
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

extension MSALClientCredential {
    /// An assertion of another issuer that the registration trusts for this subject.
    public static func federated(_ source: MSALFederatedSource) -> MSALClientCredential {
        MSALClientCredential("federated, \(source.name)") { environment in
            FederatedAssertion(source: source, environment: environment)
        }
    }
}

/// Authenticates the client with the assertion of another issuer (RFC 7523 §2.2). Each request uses a new one.
struct FederatedAssertion: ClientAuthentication {
    let source: MSALFederatedSource
    let environment: ServerEnvironment
    let kind = ObservedCredential.federated
    let hasForeignAssertions = true

    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof {
        .assertion(try await source.assertion(environment, context))
    }
}
