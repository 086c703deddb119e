// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
private import Synchronization

/// The identity that variables of the process describe: an application with its secret or its certificate.
///
/// | Variables | Identity |
/// | --- | --- |
/// | `AZURE_CLIENT_ID`, `AZURE_TENANT_ID`, `AZURE_CLIENT_SECRET` | an application with a secret |
/// | the first two and `AZURE_CLIENT_CERTIFICATE_PATH`, perhaps `AZURE_CLIENT_CERTIFICATE_PASSWORD` and \
/// `AZURE_CLIENT_SEND_CERTIFICATE_CHAIN` | an application with a certificate |
/// | `AZURE_CLIENT_ID`, `AZURE_USERNAME`, `AZURE_PASSWORD` | a user; deprecated |
///
/// ```swift
/// let credential = MSALEnvironmentCredential()
/// let result = try await credential.token(for: MSALTokenRequest(scopes: ["https://vault.azure.net/.default"]))
/// ```
public final class MSALEnvironmentCredential: MSALTokenCredential, ServerRedactedReflection {
    private final class Identity: Sendable {
        let credential: any MSALTokenCredential

        init(_ credential: any MSALTokenCredential) { self.credential = credential }
    }

    private let environment: ServerEnvironment
    private let options: MSALCredentialOptions
    private let policy: TenantPolicy
    private let identity = AtomicLazyReference<Identity>()
    private let hasWarned = AtomicFlag()

    /// Creates a credential from the environment variables. They are read now, and validated by the first call.
    public convenience init(options: MSALCredentialOptions = MSALCredentialOptions()) {
        self.init(options: options, environment: .system(options))
    }

    package init(options: MSALCredentialOptions = MSALCredentialOptions(), environment: ServerEnvironment) {
        self.environment = environment.applying(options)
        self.options = options
        policy = TenantPolicy(
            configured: EnvironmentIdentity.tenant(in: environment),
            additional: options.additionallyAllowedTenants,
            environment: environment
        )
    }

    /// Returns a token for that identity.
    ///
    /// - Throws: `.credentialUnavailable` if the variables do not describe an identity; `.configuration` if a variable
    ///   cannot be used (the message names it); otherwise the errors of the application.
    nonisolated(nonsending) public func token(
        for request: MSALTokenRequest
    ) async throws(MSALTokenError) -> MSALTokenResult {
        let identity = if let known = identity.load() { known } else { try makeIdentity() }
        guard request.options.tenant != nil else { return try await identity.credential.token(for: request) }
        var request = request
        request.options.tenant = try policy.tenant(request.options.tenant)
        return try await identity.credential.token(for: request)
    }

    private func makeIdentity() throws(MSALTokenError) -> Identity {
        try environment.logged { () throws(MSALTokenError) -> Identity in
            try identity.storeIfNil(Identity(described().credential(with: options, in: environment)))
        }
    }

    private func described() throws(MSALTokenError) -> EnvironmentIdentity {
        do throws(MSALTokenError) {
            return try EnvironmentIdentity(environment)
        } catch {
            // If only some of the variables are set, that is usually a mistake.
            if error.kind == .credentialUnavailable, EnvironmentIdentity.isHalfSet(in: environment), !hasWarned.isSet {
                hasWarned.set()
                Log.warning("The environment variables describe an incomplete identity. \(error.message)")
            }
            throw error
        }
    }
}
