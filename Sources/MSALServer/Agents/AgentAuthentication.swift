// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// Proves that a client is an agent identity, with the token T1 that its blueprint gets for it
/// (docs/services/Agents.md#exchanges).
struct AgentAuthentication: ClientAuthentication {
    let blueprint: MSALConfidentialClientApplication
    let agentID: String
    /// The tokens of the agent's user accounts, by the accounts' names. They are only in memory, because an application's
    /// entry in the shared store does not name a user.
    let userTokens: AccessTokenSource
    let kind = ObservedCredential.callback

    /// Gets T1 from the blueprint's cache, or from the service, in the tenant of the request.
    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof {
        guard !context.bindsToCertificate else {
            throw MSALTokenError(
                .certificateRequired,
                message: "An agent has no certificate of its own, so its tokens cannot be bound to one."
            )
        }
        var options = MSALTokenOptions()
        options.tenant = context.tenant
        options.fmiPath = agentID
        options.correlationID = context.correlationID
        do throws(MSALTokenError) {
            let scope = Self.exchangeScope(of: blueprint.authority)
            let token = try await blueprint.acquireTokenForClient(scopes: [scope], options: options)
            return .assertion(Secret(token.accessToken))
        } catch {
            throw explaining(error, as: .blueprint)
        }
    }

    func explaining(_ error: MSALTokenError, ofRequest form: FormBody, to authority: Authority) -> MSALTokenError {
        switch form.value(of: .grantType) {
        case MSALAgentUser.grantType: explaining(error, as: .userAccount)
        case "client_credentials" where form.value(of: .scope) == Self.exchangeScope(of: authority):
            explaining(error, as: .proof)
        case "client_credentials": explaining(error, as: .agent)
        default: explaining(error, as: .person)
        }
    }

    /// The scope of the tokens that a blueprint and its agents exchange.
    static func exchangeScope(of authority: Authority) -> String {
        ExchangeAudience.name(for: authority.url) + "/.default"
    }

    /// The legs of the protocol, as errors name them.
    private enum Leg: String {
        case blueprint = "T1, the blueprint's token for the agent"
        case proof = "T2, the agent's proof for its user account"
        case agent = "the agent's own token"
        case userAccount = "the token of the agent's user account"
        case person = "the token on behalf of a person"
    }

    private func explaining(_ error: MSALTokenError, as leg: Leg) -> MSALTokenError {
        // An earlier leg has the cause, and names itself.
        guard error.kind != .cancelled, !error.message.hasPrefix(prefix) else { return error }
        return error.reworded("\(prefix) cannot get \(leg.rawValue): \(error.message)")
    }

    private var prefix: String { "Agent \(agentID)" }
}
