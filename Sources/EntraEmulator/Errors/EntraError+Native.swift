// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Errors of native authentication. Numbers that the service does not publish are marked.
extension EntraError {
    // MARK: Requests

    static func invalidParameter(_ name: String) -> EntraError {
        .init(number: 90_100, error: "invalid_request", message: "\(name) parameter is empty or not valid.")
    }

    /// The number is not published; this one is the emulator's.
    static func nativeDisabled(_ clientID: String) -> EntraError {
        .init(
            number: 9_999_001,
            error: "invalid_client",
            message: "Native authentication is switched off for the application '\(clientID)'.",
            suberror: "nativeauthapi_disabled"
        )
    }

    static let invalidChallengeType = EntraError(
        number: 901_007,
        error: "invalid_request",
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

    static let unusableGrantType = EntraError(
        number: 70_003,
        error: "invalid_grant",
        message: "The grant_type cannot be used at this point."
    )

    // MARK: People

    static let customerNotFound = EntraError(
        number: 50_034,
        error: "user_not_found",
        message: "The user account does not exist in the directory."
    )

    static let deletedUser = EntraError(
        number: 50_034,
        error: "invalid_grant",
        message: "The user account does not exist in the directory.",
        suberror: "user_account_deleted"
    )

    static let customerExists = EntraError(
        number: 1_003_037,
        error: "user_already_exists",
        message: "It looks like you may already have an account. Try signing in instead."
    )

    static let lockedUser = EntraError(
        number: 50_053,
        error: "invalid_grant",
        message: "The account is locked, because there were too many sign-ins with a wrong user name or password."
    )

    static let passwordExpired = EntraError(
        number: 50_055,
        error: "invalid_grant",
        message: "The password is expired."
    )

    static let passwordChangeRequired = EntraError(
        number: 50_142,
        error: "invalid_request",
        message: "A password change is required because of a policy."
    )

    static let noPasswordToReset = EntraError(
        number: 500_222,
        error: "invalid_request",
        message: "The tenant or user does not support native credential recovery."
    )

    // MARK: Codes

    static let wrongCode = EntraError(
        number: 50_181,
        error: "invalid_grant",
        message: "The one-time code is not valid.",
        suberror: "invalid_oob_value"
    )

    static let expiredCode = EntraError(
        number: 50_184,
        error: "invalid_grant",
        message: "The one-time code is expired.",
        suberror: "invalid_oob_value"
    )

    static let tooManyCodes = EntraError(
        number: 701_014,
        error: "invalid_request",
        message: "Too many codes were asked for; no more can be made now."
    )

    // MARK: Strong authentication

    static let secondFactorRequired = EntraError(
        number: 50_076,
        error: "invalid_grant",
        message: "A policy requires a second factor to access the resource.",
        suberror: "mfa_required"
    )

    /// The number is general knowledge of the platform, not documented for this endpoint.
    static let registrationRequired = EntraError(
        number: 50_079,
        error: "invalid_grant",
        message: "A strong authentication method has to be registered first.",
        suberror: "registration_required"
    )

    static let blockedContact = EntraError(
        number: 550_024,
        error: "access_denied",
        message: "Codes cannot be sent to this address because it was blocked.",
        suberror: "provider_blocked_by_rep"
    )

    static let invalidContact = EntraError(
        number: 901_001,
        error: "invalid_request",
        message: "The challenge target is not valid."
    )

    static let introspectionRequired = EntraError(
        number: 901_001,
        error: "invalid_request",
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

    /// The number is not published; this one is the emulator's.
    static func invalidAttributes(_ names: [String]) -> EntraError {
        EntraError(
            number: 55_104,
            error: "invalid_grant",
            message: "Attributes of the user are not valid: \(names.joined(separator: ", ")).",
            suberror: "attribute_validation_failed"
        )
        .with(["invalid_attributes": names.namedMembers])
    }

    /// The number is not published; this one is the emulator's.
    static let verificationRequired = EntraError(
        number: 55_105,
        error: "verification_required",
        message: "The address of the user has to be verified first."
    )
    .with(["unverified_attributes": ["username"].namedMembers])
}

extension [String] {
    /// `[{"name": …}]`, the form of attribute lists.
    fileprivate var namedMembers: JSONValue {
        .array(map { ["name": .string($0)] })
    }
}
