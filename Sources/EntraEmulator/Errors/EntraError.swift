// Licensed under the MIT License. See LICENSE.

/// A failure as the service reports it: an OAuth error code together with an AADSTS number.
///
/// It only says what went wrong. Whether it becomes JSON, a page or a redirect is decided in `ErrorRendering`.
struct EntraError: Error, Sendable, Equatable {
    /// The AADSTS number.
    let number: Int
    /// The OAuth `error`.
    let error: String
    /// One sentence for a developer; may repeat parts of the request, so every renderer escapes it.
    let message: String
    /// The HTTP status of the JSON and page forms.
    var status = 400
    /// The `suberror` member, where the service sends one.
    var suberror: String?
    /// Further members of the JSON form.
    var members: [String: JSONValue] = [:]

    /// The same failure with further members of the JSON form.
    func with(_ members: [String: JSONValue]) -> EntraError {
        var copy = self
        copy.members.merge(members) { _, new in new }
        return copy
    }
}

/// The catalogue: one factory for each situation, so that numbers and error codes are paired in one place.
extension EntraError {
    // MARK: Requests

    static func missingParameter(_ name: String) -> EntraError {
        .init(
            number: 900_144,
            error: "invalid_request",
            message: "The request must contain the following parameter: '\(name)'."
        )
    }

    static func duplicatedParameter(_ name: String) -> EntraError {
        .init(
            number: 9_000_411,
            error: "invalid_request",
            message: "The request is not properly formatted. The parameter '\(name)' is duplicated."
        )
    }

    static let malformed = EntraError(
        number: 9_002_313,
        error: "invalid_request",
        message: "Invalid request. The request is malformed or invalid."
    )

    static func unsupportedValue(_ name: String, _ value: String) -> EntraError {
        .init(
            number: 90_023,
            error: "invalid_request",
            message: "Unsupported value '\(value)' of the parameter '\(name)'."
        )
    }

    static let formExpired = EntraError(
        number: 165_000,
        error: "invalid_request",
        message: "The request tokens do not match the user context. The page is too old, or it was opened elsewhere."
    )

    static func methodNotAllowed(_ received: String, accepted: [String]) -> EntraError {
        .init(
            number: 900_561,
            error: "invalid_request",
            message: "The endpoint only accepts \(accepted.joined(separator: ", ")) requests. Received a \(received) "
                + "request.",
            status: 405
        )
    }

    static func unsupportedResponseType(_ reason: String) -> EntraError {
        .init(
            number: 70_005,
            error: "unsupported_response_type",
            message: "The app returned an unsupported response type due to the following reason: \(reason)."
        )
    }

    /// The service has no number for it.
    static let notFound = EntraError(
        number: 9_002_313,
        error: "not_found",
        message: "There is nothing at this address.",
        status: 404
    )

    // MARK: Tenant, client, redirect

    static func unknownTenant(_ name: String) -> EntraError {
        .init(
            number: 90_002,
            error: "invalid_tenant",
            message: "Tenant '\(name)' not found. Check that you have the correct tenant ID and are signing into the "
                + "correct cloud."
        )
    }

    static func unknownInstance(_ host: String) -> EntraError {
        .init(number: 50_049, error: "invalid_instance", message: "Unknown or invalid instance '\(host)'.")
    }

    static func unknownClient(_ clientID: String) -> EntraError {
        .init(
            number: 700_016,
            error: "unauthorized_client",
            message: "Application with identifier '\(clientID)' was not found in the directory."
        )
    }

    static func redirectMismatch(_ uri: String, clientID: String) -> EntraError {
        .init(
            number: 50_011,
            error: "invalid_request",
            message: "The redirect URI '\(uri)' specified in the request does not match the redirect URIs configured "
                + "for the application '\(clientID)'."
        )
    }

    static let insecureRedirect = EntraError(
        number: 500_117,
        error: "invalid_request",
        message: "The reply URI specified in the request is not using a secure scheme."
    )

    static let publicClientSecret = EntraError(
        number: 700_025,
        error: "invalid_client",
        message: "Client is public so neither 'client_assertion' nor 'client_secret' should be presented.",
        status: 401
    )

    // MARK: Scopes

    static func invalidScope(_ scope: String) -> EntraError {
        .init(
            number: 70_011,
            error: "invalid_scope",
            message: "The provided value for the input parameter 'scope' is not valid. The scope '\(scope)' does not "
                + "exist or is malformed."
        )
    }

    static func unknownResource(_ name: String) -> EntraError {
        .init(
            number: 500_011,
            error: "invalid_resource",
            message: "The resource principal named '\(name)' was not found in the tenant."
        )
    }

    static func severalResources(_ scope: String) -> EntraError {
        .init(
            number: 28_000,
            error: "invalid_request",
            message: "Provided value for the input parameter scope is not valid because it contains more than one "
                + "resource. Scope '\(scope)' is not valid."
        )
    }

    // MARK: PKCE, codes, refresh tokens

    static let missingChallenge = EntraError(
        number: 9_002_325,
        error: "invalid_request",
        message: "Proof Key for Code Exchange is required: send 'code_challenge' and 'code_challenge_method=S256'."
    )

    static let invalidChallenge = EntraError(
        number: 501_491,
        error: "invalid_request",
        message: "Invalid Code_Challenge parameter: 43 characters of base64url are expected."
    )

    static let verifierMismatch = EntraError(
        number: 501_481,
        error: "invalid_grant",
        message: "The Code_Verifier does not match the code_challenge supplied in the authorization request."
    )

    static let invalidGrant = EntraError(
        number: 70_000,
        error: "invalid_grant",
        message: "The provided value for the input parameter 'code' or 'refresh_token' is not valid."
    )

    static let notInFamily = EntraError(
        number: 70_000,
        error: "invalid_grant",
        message: "The refresh token belongs to a family that the application is not a member of.",
        suberror: "client_mismatch"
    )

    static let codeExpired = EntraError(
        number: 70_008,
        error: "invalid_grant",
        message: "The provided authorization code or refresh token has expired due to inactivity. Send a new "
            + "interactive authorization request for this user and resource."
    )

    static let codeSpent = EntraError(
        number: 54_005,
        error: "invalid_grant",
        message: "OAuth2 Authorization code was already redeemed, please retry with a new valid code."
    )

    static let replyAddressMismatch = EntraError(
        number: 500_112,
        error: "invalid_grant",
        message: "The reply address does not match the reply address provided when requesting Authorization code."
    )

    static let refreshTokenInactive = EntraError(
        number: 700_082,
        error: "invalid_grant",
        message: "The refresh token has expired due to inactivity.",
        suberror: "bad_token"
    )

    static let grantRevoked = EntraError(
        number: 50_173,
        error: "invalid_grant",
        message: "The provided grant has expired due to it being revoked, a fresh auth token is needed.",
        suberror: "bad_token"
    )

    static func unsupportedGrant(_ grant: String) -> EntraError {
        .init(
            number: 70_003,
            error: "unsupported_grant_type",
            message: "The app requested an unsupported grant type '\(grant)'."
        )
    }

    // MARK: People, sessions, consent

    static let unknownUser = EntraError(
        number: 50_034,
        error: "invalid_grant",
        message: "The user account does not exist in the directory."
    )

    static let wrongPassword = EntraError(
        number: 50_126,
        error: "invalid_grant",
        message: "Error validating credentials due to invalid username or password."
    )

    static let disabledUser = EntraError(
        number: 50_057,
        error: "invalid_grant",
        message: "The user account is disabled."
    )

    static func foreignUser(_ name: String, tenant: String) -> EntraError {
        .init(
            number: 50_020,
            error: "invalid_grant",
            message: "User account '\(name)' does not exist in tenant '\(tenant)' and cannot access the application. "
                + "The account needs to be added as an external user first, or sign in with a different account."
        )
    }

    static let noSession = EntraError(
        number: 50_058,
        error: "login_required",
        message: "A silent sign-in request was sent but no user is signed in."
    )

    static let severalSessions = EntraError(
        number: 16_000,
        error: "interaction_required",
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

    static let administratorConsent = EntraError(
        number: 90_094,
        error: "access_denied",
        message: "An administrator of the organization must grant the requested permissions."
    )

    static let signUpUnavailable = EntraError(
        number: 90_023,
        error: "invalid_request",
        message: "The tenant does not allow people to create accounts by themselves (prompt 'create')."
    )

    static let serverFault = EntraError(
        number: 90_033,
        error: "temporarily_unavailable",
        message: "A transient error has occurred. Please try again.",
        status: 503
    )
}
