// Licensed under the MIT License. See LICENSE.

import MSALBase

extension DecodedToken {
    /// Lines that explain the claims about an agent; none if no agent asked for the token.
    static func explanations(
        ofAgentIn claims: [String: JSONValue],
        in directory: ServedDirectory
    ) -> [(name: String, value: String)] {
        func has(_ facet: Substring, _ name: String) -> Bool {
            claims[name]?.string?.split(separator: " ").contains(facet) == true
        }
        let client = claims["azp"]?.string ?? claims["appid"]?.string ?? ""
        guard has("11", "xms_act_fct") || has("11", "xms_sub_fct") || has("13", "xms_sub_fct") else { return [] }
        let name = directory.application(client)?.displayName ?? "an agent that no longer exists"
        let subject =
            if has("13", "xms_sub_fct") {
                "the agent's user account (13), not a person"
            } else if has("11", "xms_sub_fct") {
                "the agent itself (11)"
            } else {
                "a person, for whom the agent acts"
            }
        return [("agent", "\(name) (\(client))"), ("agent's subject", subject)]
    }
}
