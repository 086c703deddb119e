// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// Redeems an authorization code (RFC 6749 §4.1.3, RFC 7636 §4.5).
struct AuthorizationCodeGrant: TokenGrant {
    let code: Secret
    /// The redirect URI of the authorization request, to the letter, port included.
    let redirectURI: String
    let verifier: Secret

    let grantType = "authorization_code"
    /// A code is good for one use (RFC 6749 §4.1.2). If the response was lost, the service has already redeemed the
    /// code and would refuse a second request.
    let repetition = HTTPMessage.Repetition.unlessSent

    var parameters: FormBody {
        var form = FormBody()
        form.set(.code, to: code.exposed)
        form.set(.redirectURI, to: redirectURI)
        form.set(.codeVerifier, to: verifier.exposed)
        return form
    }
}
