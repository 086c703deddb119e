// Licensed under the MIT License. See LICENSE.

package import MSALBase

/// The `claims` request parameter (OpenID Connect Core §5.5).
package enum ClaimsRequest {
    /// Adds the client's capabilities to the claims that the app asked for (docs/reference/Protocol.md#capabilities).
    ///
    /// The capabilities replace the request's `xms_cc`, as in MSAL for iOS.
    ///
    /// - Returns: The parameter's value, or `nil` if there are neither capabilities nor claims.
    package static func merged(capabilities: [String], claims: JSONValue?) -> JSONValue? {
        var targets = claims?.object ?? [:]
        if !capabilities.isEmpty {
            var accessToken = targets["access_token"]?.object ?? [:]
            accessToken["xms_cc"] = .object(["values": .array(capabilities.map(JSONValue.string))])
            targets["access_token"] = .object(accessToken)
        }
        return targets.isEmpty ? nil : .object(targets)
    }
}
