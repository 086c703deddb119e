// Licensed under the MIT License. See LICENSE.

/// Errors about agents. Microsoft documents only AADSTS82014; the other numbers are inferred from the errors of
/// applications and federated credentials in the same situation.
extension EntraError {
    /// Microsoft Entra, "Agent on-behalf-of flow": agent identities cannot be consented to interactively.
    static let agentIsNotInteractive = invalidRequest(
        82_014,
        message: "Agent identities cannot start interactive requests at '/authorize'. Grant the permissions to the "
            + "agent, or make them inheritable on its blueprint."
    )

    static func malformedAgentPath(_ path: String) -> EntraError {
        invalidRequest(90_013, message: "The parameter 'fmi_path' must be the client ID of an agent, not '\(path)'.")
    }

    static func foreignAgent(_ id: String, of blueprintID: String) -> EntraError {
        invalidClient(
            700_213,
            message: "No matching federated identity record found: agent '\(id)' is not an agent identity of the "
                + "blueprint '\(blueprintID)'."
        )
    }

    static func disabledAgent(_ id: String) -> EntraError {
        EntraError(number: 7_000_112, error: "unauthorized_client", message: "Application '\(id)' is disabled.")
    }

    static func agentCredential(_ id: String) -> EntraError {
        invalidClient(
            7_000_215,
            message: "Agent '\(id)' has no credentials of its own. Send the token that its blueprint gets for it with "
                + "'fmi_path' as 'client_assertion'."
        )
    }

    static let agentUserNames = invalidRequest(
        90_013,
        message: "The request must contain exactly one of 'user_id' and 'username'."
    )

    static func unassignedAgentUser(_ name: String, of id: String) -> EntraError {
        invalidGrant(50_105, message: "'\(name)' is not the user account of agent '\(id)'.")
    }

    static func userGrantWithoutAgent(_ clientID: String) -> EntraError {
        EntraError(
            number: 700_016,
            error: "unauthorized_client",
            message: "The grant 'user_fic' is for agent identities, and '\(clientID)' is not one."
        )
    }
}
