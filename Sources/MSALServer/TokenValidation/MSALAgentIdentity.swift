// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The agent identity in an access token (Microsoft Entra, "Token claims reference for agents").
public struct MSALAgentIdentity: Sendable, Hashable {
    /// The one on whose behalf an agent calls.
    public enum Subject: Sendable {
        /// The agent itself.
        case agent
        /// The agent's own user account, which is not a person.
        case userAccount
        /// A person who signed in to an application, which called the agent.
        case person
    }

    /// The client ID of the agent.
    public let clientId: String
    /// The client ID of the agent's blueprint, for logs. Do not grant permissions to it, because a blueprint may have any
    /// number of agents. `nil` if the token does not name it.
    public let blueprint: String?
    /// The one for whom the agent calls.
    public let subject: Subject

    init(_ claims: AgentClaims, clientID: String) {
        clientId = clientID
        (blueprint, subject) = (claims.blueprint, claims.subject)
    }
}

/// The claims about an agent, apart from its client ID.
struct AgentClaims: Sendable, Hashable {
    let blueprint: String?
    let subject: MSALAgentIdentity.Subject

    /// The facets that matter. A token may have others, in any order.
    private enum Facet {
        static let agent: Substring = "11"
        static let userAccount: Substring = "13"
    }

    init?(_ claims: [String: JSONValue]) {
        let (subject, actor) = (Self.facets("xms_sub_fct", in: claims), Self.facets("xms_act_fct", in: claims))
        if subject.contains(Facet.userAccount) {
            self.subject = .userAccount
        } else if subject.contains(Facet.agent) {
            self.subject = .agent
        } else if actor.contains(Facet.agent) {
            self.subject = .person
        } else {
            return nil
        }
        blueprint = claims["xms_par_app_azp"]?.string
    }

    /// Whether a user account of an agent stands in the token of an application, or in one that no agent asked for.
    static func isContradictory(_ claims: [String: JSONValue], isApplication: Bool) -> Bool {
        facets("xms_sub_fct", in: claims).contains(Facet.userAccount)
            && (isApplication || !facets("xms_act_fct", in: claims).contains(Facet.agent))
    }

    private static func facets(_ name: String, in claims: [String: JSONValue]) -> [Substring] {
        claims[name]?.string?.split(separator: " ") ?? []
    }
}
