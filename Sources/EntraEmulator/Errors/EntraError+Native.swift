// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Errors of native authentication. Numbers that the service does not document are marked.
extension EntraError {
    // MARK: Requests

    static func invalidParameter(_ name: String) -> EntraError {
        invalidRequest(90_100, message: "\(name) parameter is empty or not valid.")
    }

    /// The number is not documented; this one is the emulator's.
    static func nativeDisabled(_ clientID: String) -> EntraError {
        .init(
            number: 9_999_001,
            error: "invalid_client",
            message: "Native authentication is switched off for the application '\(clientID)'.",
            suberror: "nativeauthapi_disabled"
        )
    }

    static let invalidChallengeType = invalidRequest(
        901_007,
        message: "The challenge_type list parameter is empty or has a challenge type that does not exist."
    )

    static func missingRedirect(error: String) -> EntraError {
        .init(
            number: 901_007,
            error: error,
            message: "The challenge_type list parameter does not include the 'redirect' type."
        )
    }

    static func invalidContinuation(number: Int, error: String = "invalid_request") -> EntraError {
        .init(number: number, error: error, message: "The continuation_token is invalid.")
    }

    static func expiredContinuation(number: Int) -> EntraError {
        .init(number: number, error: "expired_token", message: "The continuation_token is expired.")
    }

    static let unusableGrantType = invalidGrant(70_003, message: "The grant_type cannot be used at this point.")

    // MARK: People

    static let customerNotFound = EntraError(
        number: 50_034,
        error: "user_not_found",
        message: "The user account does not exist in the directory."
    )

    static let deletedUser = invalidGrant(
        50_034,
        message: "The user account does not exist in the directory.",
        suberror: "user_account_deleted"
    )

    static let customerExists = EntraError(
        number: 1_003_037,
        error: "user_already_exists",
        message: "It looks like you may already have an account. Try signing in instead."
    )

    static let lockedUser = invalidGrant(
        50_053,
        message: "The account is locked, because there were too many sign-ins with a wrong user name or password."
    )

    static let passwordExpired = invalidGrant(50_055, message: "The password is expired.")

    static let passwordChangeRequired = invalidRequest(
        50_142,
        message: "A password change is required because of a policy."
    )

    static let noPasswordToReset = invalidRequest(
        500_222,
        message: "The tenant or user does not support native credential recovery."
    )

    // MARK: Codes

    static let wrongCode = invalidGrant(
        50_181,
        message: "The one-time code is not valid.",
        suberror: "invalid_oob_value"
    )

    static let expiredCode = invalidGrant(
        50_184,
        message: "The one-time code is expired.",
        suberror: "invalid_oob_value"
    )

    static let tooManyCodes = invalidRequest(
        701_014,
        message: "Too many codes were asked for; no more can be made now."
    )

    // MARK: Strong authentication

    static let secondFactorRequired = invalidGrant(
        50_076,
        message: "A policy requires a second factor to access the resource.",
        suberror: "mfa_required"
    )

    /// The number is used across the platform, but not documented for this endpoint.
    static let registrationRequired = invalidGrant(
        50_079,
        message: "A strong authentication method has to be registered first.",
        suberror: "registration_required"
    )

    static let blockedContact = EntraError(
        number: 550_024,
        error: "access_denied",
        message: "Codes cannot be sent to this address because it was blocked.",
        suberror: "provider_blocked_by_rep"
    )

    static let invalidContact = invalidRequest(901_001, message: "The challenge target is not valid.")

    static let introspectionRequired = invalidRequest(
        901_001,
        message: "There are several methods and no default; list them first.",
        suberror: "introspect_required"
    )

    // MARK: Sign-up

    static let credentialRequired = EntraError(
        number: 55_103,
        error: "credential_required",
        message: "A password is required."
    )

    static func attributesRequired(number: Int) -> EntraError {
        .init(number: number, error: "attributes_required", message: "Attributes of the user are required.")
    }

    /// The number is not documented; this one is the emulator's.
    static func invalidAttributes(_ names: [String]) -> EntraError {
        invalidGrant(
            55_104,
            message: "Attributes of the user are not valid: \(names.joined(separator: ", ")).",
            suberror: "attribute_validation_failed"
        )
        .with(["invalid_attributes": names.namedMembers])
    }

    /// The number is not documented; this one is the emulator's.
    static let verificationRequired = EntraError(
        number: 55_105,
        error: "verification_required",
        message: "The address of the user has to be verified first."
    )
    .with(["unverified_attributes": ["username"].namedMembers])
}

extension [String] {
    /// `[{"name": …}]`, the format of attribute lists.
    fileprivate var namedMembers: JSONValue { .array(map { ["name": .string($0)] }) }
}
