// Licensed under the MIT License. See LICENSE.

/// Errors about accounts, sessions, and consent.
extension EntraError {
    static let unknownUser = invalidGrant(50_034, message: "The user account does not exist in the directory.")

    static let wrongPassword = invalidGrant(
        50_126,
        message: "Error validating credentials due to invalid username or password."
    )

    static let disabledUser = invalidGrant(50_057, message: "The user account is disabled.")

    static func foreignUser(_ name: String, tenant: String) -> EntraError {
        invalidGrant(
            50_020,
            message: "User account '\(name)' does not exist in tenant '\(tenant)' and cannot access the application. "
                + "The account needs to be added as an external user first, or sign in with a different account."
        )
    }

    static let noSession = EntraError(
        number: 50_058,
        error: "login_required",
        message: "A silent sign-in request was sent but no user is signed in."
    )

    static let severalSessions = interactionRequired(
        16_000,
        message: "Several user accounts are signed in; the request must let the user choose one."
    )

    static func consentRequired(_ clientID: String, inTokenRequest: Bool) -> EntraError {
        .init(
            number: 65_001,
            error: inTokenRequest ? "invalid_grant" : "consent_required",
            message: "The user or administrator has not consented to use the application with ID '\(clientID)'. Send "
                + "an interactive authorization request for this user and resource.",
            suberror: inTokenRequest ? "consent_required" : nil
        )
    }

    static let declined = EntraError(
        number: 65_004,
        error: "access_denied",
        message: "User declined to consent to access the app."
    )

    /// An administrator declined at `/adminconsent` (Microsoft identity platform, "Admin consent on the Microsoft
    /// identity platform").
    static let declinedByAdministrator = EntraError(
        number: 65_004,
        error: "consent_required",
        message: "The resource owner or authorization server denied the request."
    )

    static let administratorConsent = EntraError(
        number: 90_094,
        error: "access_denied",
        message: "An administrator of the organization must grant the requested permissions."
    )

    static let signUpUnavailable = invalidRequest(
        90_023,
        message: "The tenant does not allow people to create accounts by themselves (prompt 'create')."
    )
}
