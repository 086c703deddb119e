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
        var parts = request.scopes.parts
        guard let tenant = directory.issuingTenant(for: user, in: request.selector) else { return parts.flatMap(\.all) }
        var missing: [String] = []
        for index in parts.indices {
            let audience = parts[index].audience
            let given = try await consents.given(by: user, to: request.client, in: tenant, audience: audience)
            if request.pageOptions.prompt != .consent { parts[index].narrow(to: given) }
            missing += parts[index].all.filter { !given.contains($0) }
        }
        flow.request.scopes = RequestedScopes(first: parts[0], others: parts.dropFirst())
        return missing
    }

    /// Whether only an administrator can consent to the scope.
    func isAdministratorOnly(_ scope: String, in request: AuthorizeRequest) -> Bool {
        apis(of: request).contains { $0.scope(named: scope)?.isAdministratorOnly == true }
    }

    /// Asks for the missing permissions, or for all of them again.
    func showConsent(
        _ flow: inout SignInFlow,
        to user: User,
        missing: [String]
    ) async throws -> Response {
        flow.stage = .consent
        flows.save(flow)
        let scopes = missing.isEmpty ? flow.request.scopes.parts.flatMap(\.all) : missing
        let apis = apis(of: flow.request)
        return pages.consent(
            .init(flow),
            userName: user.userPrincipalName,
            api: apis.map(\.displayName).joined(separator: ", "),
            publisher: directory.tenant(id: flow.request.client.tenantID)?.domain,
            isForEverybody: flow.request.isForEverybody,
            permissions: scopes.map { Self.permission($0, of: apis) }
        )
    }

    private func apis(of request: AuthorizeRequest) -> [API] {
        request.scopes.parts.compactMap { directory.api(audience: $0.audience) }
    }

    private static func permission(_ scope: String, of apis: [API]) -> Pages.Permission {
        switch scope {
        case "openid": .init(name: scope, summary: "Sign you in")
        case "profile": .init(name: scope, summary: "See your name and user name")
        case "email": .init(name: scope, summary: "See your email address")
        case "offline_access": .init(name: scope, summary: "Maintain access to data you have given it access to")
        default: .init(name: scope, summary: apis.compactMap { $0.scope(named: scope) }.first?.summary ?? scope)
        }
    }
}
