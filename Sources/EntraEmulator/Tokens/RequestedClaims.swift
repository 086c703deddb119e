// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The parameter `claims` (OpenID Connect Core §5.5). The emulator reads client capabilities and authentication
/// contexts.
package enum RequestedClaims {
    /// The capabilities of the parameter.
    ///
    /// - Throws: AADSTS90023 for anything but a JSON object.
    static func capabilities(in text: String?) throws(EntraError) -> [String] {
        guard let text else { return [] }
        // The response is the same for everything that can be wrong with the text.
        guard let value = JSONValue(parsing: Data(text.utf8)), case .object = value
        else { throw .unsupportedValue("claims", value: text) }
        return capabilities(in: value)
    }

    /// The capabilities of the parameter; a malformed one has none.
    static func capabilities(ifAnyIn text: String?) -> [String] {
        guard let text, let value = JSONValue(parsing: Data(text.utf8)) else { return [] }
        return capabilities(in: value)
    }

    /// The authentication contexts that an access token is asked to have: `access_token.acrs` (Microsoft identity platform,
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
