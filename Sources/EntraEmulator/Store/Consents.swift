// Licensed under the MIT License. See LICENSE.

/// The permissions granted to applications.
struct Consents: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore

    /// The permissions granted to an application: by the user and, in an External ID tenant, by an administrator for
    /// all users.
    func given(
        by user: User,
        to client: AppRegistration,
        in tenant: Tenant,
        audience: String
    ) async throws -> Set<String> {
        let own = try await store.consents(userID: user.id, clientID: client.clientID, audience: audience)
        let everybodys = try await store.consents(
            userID: Self.adminConsentUserID(in: tenant),
            clientID: client.clientID,
            audience: audience
        )
        return own.union(everybodys).union(directory.administratorConsents(to: client, in: tenant, audience: audience))
    }

    /// The scopes of a token request, with `.default` reduced to the granted ones.
    ///
    /// - Throws: AADSTS65001 if a permission was not granted.
    func checked(
        _ scopes: RequestedScopes,
        by user: User,
        to client: AppRegistration,
        in tenant: Tenant
    ) async throws -> RequestedScopes {
        let given = try await given(by: user, to: client, in: tenant, audience: scopes.audience)
        var scopes = scopes
        scopes.narrow(to: given)
        guard given.isSuperset(of: scopes.permissions) else {
            throw EntraError.consentRequired(client.clientID, inTokenRequest: true)
        }
        return scopes
    }

    /// The user name under which the store records admin consent for all users of a tenant.
    static func adminConsentUserID(in tenant: Tenant?) -> String { "everybody in \(tenant?.id ?? "")" }
}
