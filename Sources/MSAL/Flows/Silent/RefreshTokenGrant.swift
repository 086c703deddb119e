// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

/// Redeems a refresh token (RFC 6749 §6).
struct RefreshTokenGrant: TokenGrant {
    let refreshToken: Secret
    /// The configured redirect URI, without the port of a sign-in. MSAL for iOS sends it with refreshes too.
    let redirectURI: String

    let grantType = "refresh_token"

    var parameters: FormBody {
        var form = FormBody()
        form.set(.refreshToken, to: refreshToken.exposed)
        form.set(.redirectURI, to: redirectURI)
        return form
    }
}
