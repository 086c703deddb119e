// Licensed under the MIT License. See LICENSE.

package import MSALCore

extension MSALTokenOptions {
    /// The extra parameters of the request, which are a part of the token's identity in the memory.
    package var keyComponents: [String: String] {
        // Nearly all calls add nothing.
        if clientClaims == nil, fmiPath == nil { return extraBodyParameters }
        var components = extraBodyParameters
        components["client_claims"] = clientClaims
        components["fmi_path"] = fmiPath
        return components
    }

    /// Adds the extra parameters to the body of a request. `clientClaims` are not added here, because they go into the
    /// parameter `claims`, together with others.
    ///
    /// - Throws: `.configuration` if a parameter would replace one of the library's.
    package func addComponents(to form: inout FormBody) throws(MSALTokenError) {
        for name in extraBodyParameters.keys.sorted() where Self.reserved.contains(name.lowercased()) {
            throw MSALTokenError(
                .configuration,
                message: "The body parameter \(name) is the library's. Use the option or the setting for it."
            )
        }
        form.merge(extraBodyParameters)
        form.set("fmi_path", to: fmiPath)
    }

    /// The parameters that the library sets, and those that carry a credential or choose the kind of the token.
    private static let reserved: Set = [
        "assertion", "claims", "client_assertion", "client_assertion_type", "client_claims", "client_id",
        "client_info", "client_secret", "code", "code_verifier", "fmi_path", "grant_type", "password", "redirect_uri",
        "refresh_token", "req_cnf", "requested_token_use", "scope", "token_type", "user_federated_identity_credential",
        "user_id", "username",
    ]
}
