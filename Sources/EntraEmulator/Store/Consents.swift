// Licensed under the MIT License. See LICENSE.

/// The permissions that applications have been given.
struct Consents: Sendable {
    let directory: Directory
    let store: EmulatorStore

    /// The permissions an application was given: by the user and, in an External ID tenant, by an administrator for
    /// everybody.
    func given(
        by user: User,
        to client: AppRegistration,
        in tenant: Tenant,
        audience: String
    ) async throws -> Set<String> {
        try await store.consents(userID: user.id, clientID: client.clientID, audience: audience)
            .union(directory.administratorConsents(to: client, in: tenant, audience: audience))
    }
}
