// Licensed under the MIT License. See LICENSE.

extension MSALClientCredential {
    /// The assertion of another issuer, which the registration trusts for this subject.
    public static func federated(_ source: MSALFederatedSource) -> MSALClientCredential {
        MSALClientCredential("federated, \(source.name)") { environment, _ in
            FederatedAssertion(source: source, environment: environment)
        }
    }
}

/// Proves who the client is with the assertion of another issuer (RFC 7523 §2.2). Each request has a new one.
struct FederatedAssertion: ClientAuthentication {
    let source: MSALFederatedSource
    let environment: ServerEnvironment
    let kind = ObservedCredential.federated

    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof {
        .assertion(try await source.assertion(environment, context))
    }

    /// A newer assertion, if the service says that this one is too old, or that it does not know the key of the
    /// signature yet.
    func proof(
        replacing proof: ClientProof,
        after refusal: MSALTokenError,
        for context: MSALAssertionContext
    ) async throws(MSALTokenError) -> ClientProof? {
        guard case .assertion(let old) = proof, !Self.passing.isDisjoint(with: refusal.serviceCodes) else { return nil }
        let new = try await source.assertion(environment, context)
        return new == old ? nil : .assertion(new)
    }

    private static let passing: Set<Int> = [700_024, 700_021, 700_027]
}
