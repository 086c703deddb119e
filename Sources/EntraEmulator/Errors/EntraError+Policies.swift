// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The errors of Conditional Access policies (Microsoft identity platform, "Claims challenges, claims requests and
/// client capabilities").
extension EntraError {
    /// The error with the member `claims`, which names the policies.
    func naming(_ policies: [String]) -> EntraError {
        let claims: JSONValue = ["access_token": ["capolids": ["essential": true, "values": .strings(policies)]]]
        return with(["claims": .string(String(decoding: claims.encoded(), as: UTF8.self))])
    }

    /// A second factor is required, and the user has a method.
    static let secondFactorInteraction = interactionRequired(
        50_076,
        message: "Due to a policy, you must use multi-factor authentication to access the resource.",
        suberror: "basic_action"
    )

    /// A second factor is required, and the user has no method.
    static let registrationInteraction = interactionRequired(
        50_079,
        message: "Due to a policy, you must enroll in multi-factor authentication to access the resource.",
        suberror: "basic_action"
    )

    static let strongAuthenticationFailed = interactionRequired(
        50_074,
        message: "Strong Authentication is required.",
        suberror: "basic_action"
    )

    /// A device that the service knows is required.
    static let deviceNeeded = interactionRequired(
        50_097,
        message: "Device Authentication is required.",
        suberror: "additional_action"
    )

    static func notAssigned(_ user: String, clientID: String) -> EntraError {
        invalidGrant(
            50_105,
            message:
                "The user '\(user)' is not assigned to the application '\(clientID)', which only assigned users may use."
        )
    }

    static let passwordRegistrationNeeded = interactionRequired(
        50_125,
        message: "The sign-in was interrupted for a password reset or the registration of one.",
        suberror: "additional_action"
    )

    static let accessConditionFailed = interactionRequired(
        50_131,
        message: "A condition of access failed, such as the state of the device or a suspicious activity.",
        suberror: "message_only"
    )

    static let passwordChangeByPolicy = interactionRequired(
        50_142,
        message: "A password change is required because of a policy.",
        suberror: "basic_action"
    )

    static let termsOfUseNeeded = interactionRequired(
        50_158,
        message: "External security challenge was not satisfied. User will be redirected to another page or "
            + "authentication provider to satisfy additional authentication challenges.",
        suberror: "basic_action"
    )

    static let deviceNotCompliant = interactionRequired(
        53_000,
        message: "Device is not in required device state: compliant. Conditional Access policy requires a compliant "
            + "device, and the device is not compliant. The user must enroll their device with an approved MDM "
            + "provider like Intune.",
        suberror: "message_only"
    )

    static let deviceNotJoined = interactionRequired(
        53_001,
        message: "Device is not in required device state: domain_joined. Conditional Access policy requires a domain "
            + "joined device, and the device is not domain joined.",
        suberror: "message_only"
    )

    static let blockedByPolicy = invalidGrant(
        53_003,
        message:
            "Access has been blocked by Conditional Access policies. The access policy does not allow token issuance.",
        suberror: "message_only"
    )

    static let deviceNotManaged = interactionRequired(
        530_003,
        message: "The device has to be managed to access the resource.",
        suberror: "message_only"
    )

    static let recentSignInNeeded = invalidGrant(
        70_043,
        message: "The refresh token has expired or is invalid due to sign-in frequency checks by Conditional Access.",
        suberror: "token_expired"
    )

    /// The error for a redirect, where denials have the names of RFC 6749 §4.1.2.1 and OpenID Connect Core §3.1.2.6.
    var inRedirect: EntraError {
        guard error == "invalid_grant" || error == "invalid_request" else { return self }
        return EntraError(
            number: number,
            error: number == Self.recentSignInNeeded.number ? "login_required" : "access_denied",
            message: message
        )
    }
}
