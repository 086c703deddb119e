// Licensed under the MIT License. See LICENSE.

/// Errors of codes, refresh tokens and verifiers.
extension EntraError {
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

    static let codeOfOtherTenant = EntraError(
        number: 700_005,
        error: "invalid_grant",
        message: "Provided Authorization Code is intended to use against other tenant, thus rejected."
    )

    static let redirectURIMismatch = EntraError(
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

    static let singlePageTokenExpired = EntraError(
        number: 700_084,
        error: "invalid_grant",
        message: "The refresh token was issued to a single page app (SPA), and therefore has a fixed, limited lifetime "
            + "of 1.00:00:00, which cannot be extended. It is now expired; the SPA has to send a new sign-in request.",
        suberror: "bad_token"
    )

    static let crossOriginRedemption = EntraError(
        number: 9_002_326,
        error: "invalid_request",
        message: "Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type."
    )

    static let singlePageRedemption = EntraError(
        number: 9_002_327,
        error: "invalid_request",
        message: "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin "
            + "requests."
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
}
