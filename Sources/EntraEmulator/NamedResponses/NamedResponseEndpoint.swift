// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// Creates the named responses that a test requested.
struct NamedResponseEndpoint: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let tokens: TokenResponses

    /// Creates the response; its tokens are for the first user of the first External ID tenant.
    ///
    /// - Throws: `EntraError` if the name is a failure.
    func respond(
        to exchange: Exchange,
        with name: NamedResponse,
        tenant segment: TenantSegment
    ) async throws -> Response {
        switch name.content {
        case .flow(let answer):
            return try answer.response(
                to: exchange,
                segment: segment,
                tenantID: directory.tenant(named: segment.tenant)?.id ?? segment.tenant
            )
        case .success(let members): return .json(.object(members))
        case .failure(let error): throw error
        case .tokens:
            guard let tenant = directory.tenants.first(where: { $0.kind == .external }),
                let id = directory.users.first(where: { $0.homeTenantID == tenant.id })?.id,
                let user = try await store.user(id: id)
            else { throw EntraError.unknownUser }
            let scopes = try RequestedScopes.parse("openid profile offline_access", in: directory)
            let entitlement = Entitlement(
                family: UUID().uuidString.lowercased(),
                userID: user.id,
                tenantID: tenant.id,
                clientID: exchange.form.last("client_id") ?? directory.applications.first?.clientID ?? "",
                scopes: scopes,
                authenticatedAt: exchange.now
            )
            return try await tokens.response(
                to: exchange,
                granting: GrantOutcome(entitlement: entitlement, scopes: scopes),
                in: .tenant(tenant)
            )
        }
    }
}
