// Licensed under the MIT License. See LICENSE.

/// The application of a token request, and how it showed who it is.
struct AuthenticatedClient: Sendable {
    let registration: AppRegistration
    let authentication: AuthenticationMethod
    /// The certificate of its connection, by which it has authenticated.
    var certificate: RegisteredCertificate?

    var clientID: String { registration.clientID }

    /// Lets only a client go on that has authenticated.
    ///
    /// - Throws: AADSTS7000218.
    func requireAuthentication() throws(EntraError) {
        guard authentication == .none else { return }
        throw registration.hasCredentials || registration.kind != .publicClient
            ? .missingClientCredentials : .publicClientGrant
    }

    /// Lets a client go on that has authenticated, or that may do without.
    ///
    /// - Throws: AADSTS7000218.
    func requireAuthenticationUnlessPublic() throws(EntraError) {
        guard authentication == .none, !registration.allowsPublicFlows else { return }
        throw .missingClientCredentials
    }

    /// Checks that what was given to a client that had authenticated, or had not, goes to one that does the same.
    ///
    /// - Throws: AADSTS7000218 or AADSTS700025.
    func requireAuthentication(_ isConfidential: Bool) throws(EntraError) {
        if isConfidential, authentication == .none { throw .missingClientCredentials }
        if !isConfidential, authentication != .none { throw .publicClientSecret }
    }
}
