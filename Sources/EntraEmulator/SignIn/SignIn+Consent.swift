// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// The permissions that the user has to consent to.
extension SignIn {
    /// The requested scopes that the user has not yet consented to for this client. `.default` is reduced to the
    /// earlier consents.
    func missingConsent(of user: User, in flow: inout SignInFlow) async throws -> [String] {
        flow.request.scopes = flow.requestedScopes  // Another user may have started this sign-in.
        let request = flow.request
        guard let tenant = directory.issuingTenant(for: user, in: request.selector) else { return request.scopes.all }
        let given = try await consents.given(
            by: user,
            to: request.client,
            in: tenant,
            audience: request.scopes.audience
        )
        if request.pageOptions.prompt != .consent { flow.request.scopes.narrow(to: given) }
        return flow.request.scopes.all.filter { !given.contains($0) }
    }

    /// Whether only an administrator can consent to the scope.
    func isAdministratorOnly(_ scope: String, in request: AuthorizeRequest) -> Bool {
        directory.api(audience: request.scopes.audience)?
            .scope(named: scope)?.isAdministratorOnly ?? false
    }

    /// Asks for the missing permissions, or for all of them again.
    func showConsent(
        _ flow: inout SignInFlow,
        to user: User,
        missing: [String]
    ) async throws -> Response {
        flow.stage = .consent
        flows.save(flow)
        let scopes = missing.isEmpty ? flow.request.scopes.all : missing
        let api = directory.api(audience: flow.request.scopes.audience)
        return pages.consent(
            .init(flow),
            userName: user.userPrincipalName,
            api: api?.displayName ?? "",
            publisher: directory.tenant(id: flow.request.client.tenantID)?.domain,
            isForEverybody: flow.request.isForEverybody,
            permissions: scopes.map { Self.permission($0, of: api) }
        )
    }

    private static func permission(_ scope: String, of api: API?) -> Pages.Permission {
        switch scope {
        case "openid": .init(name: scope, summary: "Sign you in")
        case "profile": .init(name: scope, summary: "See your name and user name")
        case "email": .init(name: scope, summary: "See your email address")
        case "offline_access": .init(name: scope, summary: "Maintain access to data you have given it access to")
        default: .init(name: scope, summary: api?.scope(named: scope)?.summary ?? scope)
        }
    }
}
