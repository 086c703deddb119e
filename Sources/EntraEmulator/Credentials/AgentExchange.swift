// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The tokens that a blueprint and its agents exchange (Microsoft Entra, "Agent OAuth protocols"). With T1, the
/// blueprint authenticates an agent. With T2, the agent proves itself when it asks for the tokens of its user account.
struct AgentExchange: Sendable {
    /// The audience of the tokens. Microsoft's pages show this ID and `api://AzureADTokenExchange`. Inferred: the ID, as
    /// in the version 2.0 tokens of managed identities.
    static let audience = "fb60f99c-7a34-4190-8149-302f77469936"

    let directory: ServedDirectory
    let issuer: TokenIssuer

    /// The principal of a token for the exchange, if the request asks for one: T1 for a blueprint that names an agent, T2
    /// for an agent. `nil` for a request that is not about agents.
    ///
    /// - Throws: AADSTS90013, AADSTS700016, AADSTS700213, or AADSTS7000112 if the blueprint may not act as the agent.
    func subject(
        of scope: String,
        in exchange: Exchange,
        client: AuthenticatedClient,
        tenant: Tenant
    ) throws(EntraError) -> String? {
        guard Self.isExchange(scope) else { return nil }
        if let agent = client.registration.agent { return agent.id }
        guard client.registration.isAgentBlueprint, let path = exchange.form["fmi_path"] else { return nil }
        guard UUID(uuidString: path) != nil else { throw .malformedAgentPath(String(path.prefix(80))) }
        guard let agent = directory.application(path)?.agent, agent.tenantID == tenant.id else {
            throw .unknownClient(path.lowercased())
        }
        guard agent.blueprintID == client.clientID else { throw .foreignAgent(agent.id, of: client.clientID) }
        guard agent.isEnabled else { throw .disabledAgent(agent.id) }
        return Self.path(of: agent)
    }

    /// Issues T1 or T2.
    func token(for subject: String, to principal: ApplicationPrincipal, exchange: Exchange) async throws -> String {
        var api = API(audience: Self.audience, displayName: "Token exchange", scopes: [])
        api.optionalClaims = ["idtyp"]
        var claims = issuer.claims(
            of: principal,
            at: api,
            named: Self.audience,
            base: exchange.publicBase,
            now: exchange.now
        )
        claims["sub"] = .string(subject)
        claims["roles"] = nil
        return try await issuer.keys.sign(claims)
    }

    /// Checks that a client assertion is T1 for an agent, in the tenant of the request.
    ///
    /// - Throws: The errors of federated credentials, and AADSTS7000112 for an agent that is disabled.
    func checkAssertion(
        _ text: Secret,
        of agent: AgentIdentity,
        at now: Date,
        in selector: TenantSelector
    ) async throws(EntraError) {
        guard case .tenant(let tenant) = selector, tenant.id == agent.tenantID else { throw .unknownClient(agent.id) }
        guard agent.isEnabled else { throw .disabledAgent(agent.id) }
        guard let token = SignedToken(text) else { throw .malformedAssertion("it is not a signed JSON Web Token") }
        let presented = PresentedIdentity(
            issuer: token.claims["iss"]?.string ?? "",
            subject: token.claims["sub"]?.string ?? "",
            audience: token.audiences.first ?? ""
        )
        guard await issuer.keys.claims(of: text.exposed) != nil else {
            throw .unknownFederatedKey(presented, keyID: token.header["kid"]?.string)
        }
        try ClientAssertions.checkLifetime(of: token, at: now)
        guard presented.audience == Self.audience else { throw .unknownFederatedAudience(presented) }
        guard presented.subject == Self.path(of: agent), token.claims["azp"]?.string == agent.blueprintID else {
            throw .unknownFederatedSubject(presented)
        }
    }

    /// Checks that a token is T2 of an agent.
    ///
    /// - Throws: AADSTS50013.
    func checkProof(_ text: Secret, of agent: AgentIdentity, at now: Date) async throws(EntraError) {
        guard let token = SignedToken(text), await issuer.keys.claims(of: text.exposed) != nil else {
            throw .invalidUserAssertion("the signature of user_federated_identity_credential is invalid")
        }
        guard (try? ClientAssertions.checkLifetime(of: token, at: now)) != nil else {
            throw .invalidUserAssertion("user_federated_identity_credential is not valid yet, or has expired")
        }
        guard token.audiences == [Self.audience], token.claims["sub"]?.string == agent.id,
            token.claims["azp"]?.string == agent.id, token.claims["tid"]?.string == agent.tenantID
        else {
            throw .invalidUserAssertion("user_federated_identity_credential is not an exchange token of the agent")
        }
    }

    /// Whether a scope names the exchange, in any case. The agents SDK writes `api://AzureAdTokenExchange`.
    private static func isExchange(_ scope: String) -> Bool {
        let names = scope.split(separator: " ").filter { !RequestedScopes.openIDScopes.contains($0.lowercased()) }
        let exchange = EmulatorDirectory.FederatedCredential.standardAudience
        return names.count == 1
            && [exchange, audience].contains { names[0].lowercased() == "\($0)/.default".lowercased() }
    }

    /// The subject of T1. Inferred from published tokens: tenant, blueprint, and `fmi_path`, the first two in base64url.
    private static func path(of agent: AgentIdentity) -> String {
        func short(_ id: String) -> String {
            let bytes = UUID(uuidString: id).map { id in withUnsafeBytes(of: id.uuid) { Data($0) } } ?? Data(id.utf8)
            return bytes.base64URL
        }
        return "/eid1/c/pub/t/\(short(agent.tenantID))/a/\(short(agent.blueprintID))/\(agent.id)"
    }
}
