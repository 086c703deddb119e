// Licensed under the MIT License. See LICENSE.

/// Errors of codes, refresh tokens, and verifiers.
extension EntraError {
    static let missingChallenge = invalidRequest(
        9_002_325,
        message: "Proof Key for Code Exchange is required for cross-origin authorization code redemption."
    )

    static let invalidChallenge = invalidRequest(
        501_491,
        message: "Invalid size of Code_Challenge parameter."
    )

    static let verifierMismatch = invalidGrant(
        501_481,
        message: "The Code_Verifier does not match the code_challenge supplied in the authorization request."
    )

    static let unknownCodeOrToken = invalidGrant(
        70_000,
        message: "The provided value for the input parameter 'code' or 'refresh_token' is not valid."
    )

    static let notInFamily = invalidGrant(
        70_000,
        message: "The refresh token belongs to a family that the application is not a member of.",
        suberror: "client_mismatch"
    )

    static let codeExpired = invalidGrant(
        70_008,
        message: "The provided authorization code or refresh token has expired due to inactivity. Send a new "
            + "interactive authorization request for this user and resource."
    )

    static let codeSpent = invalidGrant(
        54_005,
        message: "OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an "
            + "existing refresh token."
    )

    static let codeOfOtherTenant = invalidGrant(
        700_005,
        message: "Provided Authorization Code is intended to use against other tenant, thus rejected."
    )

    static let redirectURIMismatch = invalidGrant(
        500_112,
        message: "The reply address does not match the reply address provided when requesting Authorization code."
    )

    static let refreshTokenInactive = invalidGrant(
        700_082,
        message: "The refresh token has expired due to inactivity.",
        suberror: "bad_token"
    )

    static let singlePageTokenExpired = invalidGrant(
        700_084,
        message: "The refresh token was issued to a single page app (SPA), and therefore has a fixed, limited lifetime "
            + "of 1.00:00:00, which cannot be extended. It is now expired and a new sign in request must be sent by "
            + "the SPA to the sign in page.",
        suberror: "bad_token"
    )

    static func crossOriginRedemption(_ origin: String) -> EntraError {
        invalidRequest(
            9_002_326,
            message: "Cross-origin token redemption is permitted only for the 'Single-Page Application' client-type. "
                + "Request origin: '\(origin)'."
        )
    }

    static let singlePageRedemption = invalidRequest(
        9_002_327,
        message: "Tokens issued for the 'Single-Page Application' client-type may only be redeemed via cross-origin "
            + "requests."
    )

    static let grantRevoked = invalidGrant(
        50_173,
        message: "The provided grant has expired due to it being revoked, a fresh auth token is needed.",
        suberror: "bad_token"
    )

    static func unsupportedGrant(_ grant: String) -> EntraError {
        .init(
            number: 70_003,
            error: "unsupported_grant_type",
            message: "The app requested an unsupported grant type '\(grant)'.",
            hasPage: false
        )
    }
}
