// Licensed under the MIT License. See LICENSE.

/// The permissions that applications have been given.
struct Consents: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore

    /// The permissions an application was given: by the user and, in an External ID tenant, by an administrator for
    /// everybody.
    func given(
        by user: User,
        to client: AppRegistration,
        in tenant: Tenant,
        audience: String
    ) async throws -> Set<String> {
        let own = try await store.consents(userID: user.id, clientID: client.clientID, audience: audience)
        let everybodys = try await store.consents(
            userID: Self.everybody(in: tenant),
            clientID: client.clientID,
            audience: audience
        )
        return own.union(everybodys).union(directory.administratorConsents(to: client, in: tenant, audience: audience))
    }

    /// The scopes of a token request, `.default` reduced to what was given.
    ///
    /// - Throws: AADSTS65001 where a permission was not given.
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

    /// The name under which the store keeps what an administrator has given for everybody in a tenant.
    static func everybody(in tenant: Tenant?) -> String { "everybody in \(tenant?.id ?? "")" }
}
