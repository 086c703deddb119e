// Licensed under the MIT License. See LICENSE.

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
