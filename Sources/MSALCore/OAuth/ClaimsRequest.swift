// Licensed under the MIT License. See LICENSE.

package import MSALSupport

/// The `claims` request parameter (OpenID Connect Core §5.5).
package enum ClaimsRequest {
    /// Lays the client's capabilities over the claims the app asked for (docs/reference/Protocol.md#capabilities).
    ///
    /// `xms_cc` of the request is replaced by the capabilities, as the reference does.
    ///
    /// - Returns: The parameter's value, or `nil` where neither asks for anything.
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
