// Licensed under the MIT License. See LICENSE.

import MSALBase

/// `grant_type=urn:ietf:params:oauth:grant-type:device_code`, RFC 8628 §3.4.
struct DeviceCodeRedemption: Sendable {
    /// The name in RFC 8628, and the short one that MSAL for Go and for Node send.
    static let grantTypes = ["urn:ietf:params:oauth:grant-type:device_code", "device_code"]

    let deviceCodes: DeviceCodes

    /// Allows the tokens once, after a user has signed in with the user code.
    func redeem(_ exchange: Exchange, client: AuthenticatedClient) throws(EntraError) -> GrantOutcome {
        try client.requireAuthenticationUnlessPublic()
        // MSAL for Go sends the code under the name that the version 1.0 endpoints use.
        guard let code = exchange.form["device_code"] ?? exchange.form["code"] else {
            throw .missingParameter("device_code")
        }
        guard let device = deviceCodes.poll(Secret(code).digest, clientID: client.clientID, now: exchange.now)
        else {
            throw .unknownDeviceCode
        }
        guard device.request.expiresAt > exchange.now else { throw .deviceCodeExpired }
        switch device.result {
        case .pending: throw .authorizationPending
        case .tooFast: throw .slowDown
        case .declined: throw .authorizationDeclined
        case .approved(var entitlement):
            entitlement.clientAuthentication = client.authentication
            return .init(entitlement: entitlement, scopes: entitlement.scopes)
        }
    }
}

/// Microsoft identity platform, "OAuth 2.0 device authorization grant", expected errors.
extension EntraError {
    static let authorizationPending = EntraError(
        number: 70_016,
        error: "authorization_pending",
        message: "OAuth 2.0 device flow error. Authorization is pending. Continue polling."
    )

    /// Microsoft's page does not list this error. It is a variant of `authorization_pending`, with the same number (RFC
    /// 8628 §3.5).
    static let slowDown = EntraError(
        number: 70_016,
        error: "slow_down",
        message: "Pending end-user authorization. The device asks too often: wait five seconds longer from now on."
    )

    static let authorizationDeclined = EntraError(
        number: 70_017,
        error: "authorization_declined",
        message: "The end user denied the authorization request."
    )

    static let unknownDeviceCode = EntraError(
        number: 70_018,
        error: "bad_verification_code",
        message: "The device code is not known, or it was used already."
    )

    static let deviceCodeExpired = EntraError(
        number: 70_019,
        error: "expired_token",
        message: "The device code has expired; begin again."
    )

    /// The error on the page where the user enters an unknown code.
    static let unknownUserCode = EntraError(
        number: 70_018,
        error: "bad_verification_code",
        message: "That code didn’t work. Check the code and try again."
    )
}
