// Licensed under the MIT License. See LICENSE.

package import MSALBase
package import MSALCore

/// Exchanges the token that an API received for one of another API (Microsoft identity platform, "OAuth 2.0 On-Behalf-Of
/// flow"; RFC 7523 §2.1).
package struct JWTBearerGrant: TokenGrant {
    /// The token that the API received.
    package let assertion: Secret

    package var grantType: String { "urn:ietf:params:oauth:grant-type:jwt-bearer" }

    package var parameters: FormBody {
        var form = FormBody()
        form.set(.assertion, to: assertion.exposed)
        form.set(.requestedTokenUse, to: "on_behalf_of")
        form.set(.clientInfo, to: "1")
        return form
    }
}

extension Parameter {
    fileprivate static let assertion = Parameter(rawValue: "assertion")
    fileprivate static let requestedTokenUse = Parameter(rawValue: "requested_token_use")
}
