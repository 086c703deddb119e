// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

/// Spends an authorization code (RFC 6749 §4.1.3, RFC 7636 §4.5).
struct AuthorizationCodeGrant: TokenGrant {
    let code: Secret
    /// The redirect URI of the authorization request, to the letter, port included.
    let redirectURI: String
    let verifier: Secret

    let grantType = "authorization_code"
    /// A code is good for one use (RFC 6749 §4.1.2): where the answer was lost, the service has it, and would say of a
    /// second request only that it is spent.
    let repetition = HTTPMessage.Repetition.unlessSent

    var parameters: FormBody {
        var form = FormBody()
        form.set(.code, to: code.exposed)
        form.set(.redirectURI, to: redirectURI)
        form.set(.codeVerifier, to: verifier.exposed)
        return form
    }
}
