// Licensed under the MIT License. See LICENSE.

/// Spends an authorization code (RFC 6749 §4.1.3, RFC 7636 §4.5).
struct AuthorizationCodeGrant: TokenGrant {
    let code: Secret
    /// The redirect URI of the authorization request, to the letter, port included.
    let redirectURI: String
    let verifier: Secret

    let grantType = "authorization_code"

    var parameters: FormBody {
        var form = FormBody()
        form.set(.code, code.exposed)
        form.set(.redirectURI, redirectURI)
        form.set(.codeVerifier, verifier.exposed)
        return form
    }
}
