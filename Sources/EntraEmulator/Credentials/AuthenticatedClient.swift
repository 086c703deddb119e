// Licensed under the MIT License. See LICENSE.

/// The application that sends a token request, and how it has authenticated.
struct AuthenticatedClient: Sendable {
    let registration: AppRegistration
    let authentication: AuthenticationMethod
    /// The certificate of the TLS connection, if the client has authenticated with it.
    var certificate: RegisteredCertificate?

    var clientID: String { registration.clientID }

    /// Rejects a client that has not authenticated.
    ///
    /// - Throws: AADSTS7000218.
    func requireAuthentication() throws(EntraError) {
        guard authentication == .none else { return }
        throw !registration.credentials.isEmpty || registration.kind != .publicClient
            ? .missingClientCredentials : .publicClientGrant
    }

    /// Rejects a client that has not authenticated, unless it may use public flows.
    ///
    /// - Throws: AADSTS7000218.
    func requireAuthenticationUnlessPublic() throws(EntraError) {
        guard authentication == .none, !registration.allowsPublicFlows else { return }
        throw .missingClientCredentials
    }

    /// Checks that a client authenticates in the same way as when it received the code or token that it redeems.
    ///
    /// `isConfidential`: Whether it authenticated then.
    ///
    /// - Throws: AADSTS7000218 or AADSTS700025.
    func requireAuthentication(_ isConfidential: Bool) throws(EntraError) {
        if isConfidential, authentication == .none { throw .missingClientCredentials }
        if !isConfidential, authentication != .none { throw .publicClientSecret }
    }
}
