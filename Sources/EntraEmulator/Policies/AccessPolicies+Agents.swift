// Licensed under the MIT License. See LICENSE.

import Foundation

/// Conditional Access for agents (Microsoft Entra, "Conditional Access for agent identities").
extension AccessPolicies {
    /// Decides about a token that an agent gets for itself, and adds the decision to the list of sign-ins. An agent cannot
    /// satisfy a requirement, so only policies that block have an effect.
    ///
    /// - Throws: The error of the first policy that blocks.
    func checkAgent(_ client: AppRegistration, audience: String, exchange: Exchange) throws(EntraError) {
        guard client.agent != nil else { return }
        let rules = directory.policies.filter { rule in
            rule.policy.mode != .disabled && rule.policy.grant == [.block] && rule.policy.authenticationContext == nil
                && rule.isAbout(client.agent)
                && rule.isAbout(
                    names: [],
                    audience: audience,
                    client: client.clientID,
                    address: exchange.clientAddress
                )
        }
        let enforced = rules.filter { $0.policy.mode == .enabled }
        let error = enforced.first.map { EntraError.refusal($0.policy.refusal, by: enforced.map(\.policy.id)) }
        log.append(
            SignInDecision(
                ofAgent: client,
                audience: audience,
                exchange: exchange,
                outcomes: rules.map { .init(policy: $0.policy.name, mode: $0.policy.mode, isSatisfied: false) },
                error: error
            )
        )
        if let error { throw error }
    }
}

extension AccessRule {
    /// Whether the policy names the agent, its blueprint, or all agents.
    func isAbout(_ agent: AgentIdentity?) -> Bool {
        guard let agent else { return false }
        return policy.agents.contains { ["all", agent.id, agent.blueprintID.lowercased()].contains($0.lowercased()) }
    }
}

extension SignInDecision {
    fileprivate init(
        ofAgent client: AppRegistration,
        audience: String,
        exchange: Exchange,
        outcomes: [Outcome],
        error: EntraError?
    ) {
        date = exchange.now
        user = ""
        application = client.clientID
        agentBlueprint = client.agent?.blueprintID
        api = audience
        address = exchange.clientAddress
        self.outcomes = outcomes
        number = error?.number
        reason = error?.message ?? "Tokens were issued."
        signInID = nil
    }
}
