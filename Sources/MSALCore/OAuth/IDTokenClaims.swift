// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALBase

/// The unverified claims of an ID token (OpenID Connect Core §2).
package struct IDTokenClaims: Sendable, Hashable {
    /// All claims by their names.
    package let all: [String: JSONValue]

    /// Decodes the payload of a compact JWS. The result is `nil` if there is none.
    ///
    /// A missing signature part is tolerated, because tokens of old caches lack it. `TokenClient` decides when a token is
    /// checked (docs/reference/Protocol.md#id-token).
    package init?(compact: String) {
        let parts = compact.parts(at: UInt8(ascii: "."))
        guard (2...3).contains(parts.count) else { return nil }
        guard let data = Base64URL.decode(parts[1]), let claims = JSONValue(parsing: data)?.object else { return nil }
        all = claims
    }

    package subscript(name: String) -> JSONValue? { all[name] }

    /// Whether the token has a claim with this name. A null value does not count.
    package func has(_ name: String) -> Bool { all[name].map { $0 != .null } ?? false }

    private func text(_ name: String) -> String? {
        guard let value = all[name]?.string, !value.isEmpty else { return nil }
        return value
    }

    private func date(_ name: String) -> Date? {
        // A number outside the range of dates counts as absent.
        all[name]?.double.flatMap { abs($0) < 3.2e10 ? Date(timeIntervalSince1970: $0) : nil }
    }

    package var issuer: String? { text("iss") }
    package var subject: String? { text("sub") }
    package var objectID: String? { text("oid") }
    package var tenantID: String? { text("tid") }
    package var nonce: String? { text("nonce") }
    package var name: String? { text("name") }
    package var expiresOn: Date? { date("exp") }
    package var notBefore: Date? { date("nbf") }

    /// The audience as a list. The service sends one string. Members that are not strings are left out.
    package var audience: [String] {
        switch all["aud"] {
        case .string(let value): [value]
        case .array(let values): values.compactMap(\.string)
        default: []
        }
    }

    /// The user's ID in the token's own tenant. It is `oid`, or else `sub`, trimmed and in lower case
    /// (docs/reference/Protocol.md#id-token-claims).
    package var localAccountID: String? { (objectID ?? subject)?.trimmed.lowercased() }

    /// The name to show. It is `preferred_username`, or `upn` of old tokens, or else the subject in lower case.
    ///
    /// B2C tokens often carry no name. For them MSAL for iOS shows a fixed text.
    package func username(isB2C: Bool) -> String {
        if let preferred = text("preferred_username") { return preferred }
        if isB2C { return "Missing from the token response" }
        return (text("upn") ?? subject ?? "").lowercased()
    }
}
