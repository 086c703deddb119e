// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The parameter `claims` (OpenID Connect Core §5.5). The emulator reads client capabilities and authentication
/// contexts.
package enum RequestedClaims {
    /// The capabilities in the parameter.
    ///
    /// - Throws: AADSTS90023 if it is not a JSON object.
    static func capabilities(in text: String?) throws(EntraError) -> [String] {
        guard let text else { return [] }
        // All invalid texts get the same response.
        guard let value = JSONValue(parsing: Data(text.utf8)), case .object = value
        else { throw .unsupportedValue("claims") }
        return capabilities(in: value)
    }

    /// The capabilities in the parameter; a malformed one has none.
    static func capabilities(ifAnyIn text: String?) -> [String] {
        guard let text, let value = JSONValue(parsing: Data(text.utf8)) else { return [] }
        return capabilities(in: value)
    }

    /// The authentication contexts requested for an access token: `access_token.acrs` (Microsoft identity platform,
    /// "Developer guide to Conditional Access authentication context").
    package static func authenticationContexts(ifAnyIn text: String?) -> [String] {
        guard let text, let value = JSONValue(parsing: Data(text.utf8)) else { return [] }
        let acrs = value["access_token"]?["acrs"]
        return acrs?["values"]?.array?.compactMap(\.string) ?? [acrs?["value"]?.string].compactMap(\.self)
    }

    /// The values of `access_token.xms_cc`.
    private static func capabilities(in claims: JSONValue) -> [String] {
        claims["access_token"]?["xms_cc"]?["values"]?.array?.compactMap(\.string) ?? []
    }
}
