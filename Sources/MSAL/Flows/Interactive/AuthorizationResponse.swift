// Licensed under the MIT License. See LICENSE.

package import MSALCore
package import MSALSupport

/// The response of the authorization endpoint (RFC 6749 §4.1.2; docs/reference/Protocol.md#redirect-parameters).
package struct AuthorizationResponse: Sendable {
    package let code: Secret
    /// The host of another cloud, if the user belongs there.
    package let cloudHost: String?
    /// The user who signed in, if the redirect says so. Nothing confirms it, so it serves for routing only.
    package let clientInfo: ClientInfo?

    /// - Parameters:
    ///   - parameters: Those of the redirect, decoded.
    ///   - state: The one that was sent; checked before anything else is read.
    ///   - isIssuer: Whether this is the issuer that the service names in its redirects (RFC 9207). It is checked
    ///     before a code or an error is accepted.
    /// - Throws: `.invalidState`, `.authorizationRefused`, or `.invalidResponse` where the issuer is wrong, or neither
    ///   code nor error came.
    package init(
        parameters: [String: String],
        expecting state: String,
        from isIssuer: (_ iss: String?) -> Bool
    ) throws(AuthError) {
        try AuthorizationResponse.check(state: parameters["state"], expecting: state)
        // A parameter without a value counts as absent (RFC 6749 §3.1).
        guard isIssuer(parameters["iss"].flatMap { $0.isEmpty ? nil : $0 }) else {
            throw AuthError(
                .invalidResponse,
                message: "The redirect does not name the service that was asked as its issuer. Nothing was redeemed. "
                    + "Start the sign-in again."
            )
        }
        if let name = parameters["error"], !name.isEmpty {
            var error = OAuthError(
                error: name,
                suberror: parameters["suberror"] ?? parameters["error_subcode"],
                description: parameters["error_description"]
            )
            error.codes = ServiceWords.codes(in: error.description)
            error.claims = parameters["claims"]
            error.correlationID = parameters["correlation_id"].flatMap(UUID.init(uuidString:))
            throw AuthError(
                .authorizationRefused(error),
                message: error.description ?? "The service ended the sign-in: \(name)."
            )
        }
        guard let code = parameters["code"], !code.isEmpty else {
            throw AuthError(.invalidResponse, message: "The service's redirect carries neither a code nor an error.")
        }
        self.code = Secret(code)
        cloudHost = parameters["cloud_instance_host_name"]
        clientInfo = parameters["client_info"].flatMap(ClientInfo.init(raw:))
    }

    /// Compares in constant time; a redirect with another state belongs to another sign-in, or to an attacker.
    static func check(state: String?, expecting expected: String) throws(AuthError) {
        guard let state, constantTimeEqual(state, to: expected) else {
            throw AuthError(.invalidState, message: "The redirect does not belong to this sign-in; start again.")
        }
    }
}
