// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird

/// What the person has to agree to.
extension SignIn {
    /// The requested scopes the person has not yet given this client. Of `.default`, only what was given stays.
    func missingConsent(_ user: User, _ flow: inout SignInFlow) async throws -> [String] {
        flow.request.scopes = flow.requestedScopes  // Somebody else may have been here before.
        let request = flow.request
        guard let tenant = platform.issuingTenant(for: user, in: request.selector) else { return request.scopes.all }
        let given = try await platform.consents(
            of: user,
            to: request.client,
            in: tenant,
            audience: request.scopes.audience
        )
        if request.prompt != .consent { flow.request.scopes.narrow(to: given) }
        return flow.request.scopes.all.filter { !given.contains($0) }
    }

    /// Whether only an administrator can give the scope.
    func isAdministratorOnly(_ scope: String, _ request: AuthorizationRequest) -> Bool {
        platform.directory.resource(audience: request.scopes.audience)?
            .scope(named: scope)?.isAdministratorOnly ?? false
    }

    /// Asks for what is missing, or for everything again.
    func showConsent(_ flow: inout SignInFlow, _ user: User, _ missing: [String]) async throws -> Response {
        flow.stage = .consent
        platform.flows.save(flow)
        let scopes = missing.isEmpty ? flow.request.scopes.all : missing
        let resource = platform.directory.resource(audience: flow.request.scopes.audience)
        return platform.pages.consent(
            .init(flow),
            userName: user.userPrincipalName,
            resource: resource?.displayName ?? "",
            permissions: scopes.map { Self.summary($0, resource) }
        )
    }

    private static func summary(_ scope: String, _ resource: Resource?) -> Pages.Permission {
        switch scope {
        case "openid": .init(name: scope, summary: "Sign you in")
        case "profile": .init(name: scope, summary: "See your name and user name")
        case "email": .init(name: scope, summary: "See your e-mail address")
        case "offline_access": .init(name: scope, summary: "Keep the access you give it while you are away")
        default: .init(name: scope, summary: resource?.scope(named: scope)?.summary ?? scope)
        }
    }
}
