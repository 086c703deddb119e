// Licensed under the MIT License. See LICENSE.

import MSALBase

extension TokenIssuer {
    /// The claims that tell an API about the agent in a token (Microsoft Entra, "Token claims reference for agents"); none
    /// if the client is not an agent. 11 means an agent identity, and 13 an agent's user account. An API has to ignore
    /// the other numbers.
    ///
    /// `user`: The user of the token; `nil` for an app-only token.
    func agentClaims(of clientID: String, user: User?) -> [String: JSONValue] {
        guard let agent = directory.application(clientID)?.agent else { return [:] }
        var claims: [String: JSONValue] = [
            "xms_act_fct": "9 3 11", "xms_par_app_azp": .string(agent.blueprintID), "xms_idrel": "7 10",
        ]
        if let user {
            claims["xms_sub_fct"] = user.agent == nil ? "3" : "3 13"
            claims["xms_idrel"] = "1 10"
        } else {
            claims["xms_sub_fct"] = "3 9 11"
        }
        return claims
    }
}
