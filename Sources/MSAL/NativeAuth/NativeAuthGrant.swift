// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// The grants of the token endpoint, with their `grant_type` (docs/reference/NativeAuthentication.md#grants).
enum NativeAuthGrant: Sendable {
    case password(Secret, username: String)
    case code(Secret)
    case secondFactorCode(Secret)
    /// The sign-in after another flow, which already has all input of the user.
    case finishedFlow(username: String)
    /// The end of a sign-in during which a method was registered.
    case registration

    /// Adds the grant's own parameters.
    func fill(_ form: inout FormBody) {
        switch self {
        case .password(let password, let username):
            form.set(.grantType, to: "password")
            form.set(.username, to: username)
            form.set(.password, to: password.exposed)
        case .code(let code):
            form.set(.grantType, to: "oob")
            form.set(.oneTimeCode, to: code.exposed)
        case .secondFactorCode(let code):
            form.set(.grantType, to: "mfa_oob")
            form.set(.oneTimeCode, to: code.exposed)
        case .finishedFlow(let username):
            form.set(.grantType, to: "continuation_token")
            form.set(.username, to: username)
        case .registration:
            form.set(.grantType, to: "continuation_token")
        }
    }

    /// Whether the request includes the challenge types. Codes are redeemed without them.
    var sendsChallengeType: Bool {
        switch self {
        case .password, .finishedFlow, .registration: true
        case .code, .secondFactorCode: false
        }
    }
}
