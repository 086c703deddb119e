// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALSupport

/// The claims of an id token as they stand in it, not verified by having this value (OpenID Connect Core §2).
package struct IDTokenClaims: Sendable, Hashable {
    /// Every claim by name.
    package let all: [String: JSONValue]

    /// Decodes the payload of a compact JWS; `nil` where there is none.
    ///
    /// A missing signature part is tolerated: tokens of old caches look like that. What is checked of a token, and
    /// when, is the business of `TokenClient` (docs/reference/Protocol.md#id-token).
    package init?(compact: String) {
        let parts = compact.split(separator: ".", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        guard let data = Base64URL.decode(String(parts[1])), let claims = JSONValue(parsing: data)?.object else {
            return nil
        }
        all = claims
    }

    package subscript(name: String) -> JSONValue? { all[name] }

    /// Whether the token says anything under `name`; null says nothing.
    package func has(_ name: String) -> Bool { all[name].map { $0 != .null } ?? false }

    private func text(_ name: String) -> String? {
        guard let value = all[name]?.string, !value.isEmpty else { return nil }
        return value
    }

    private func date(_ name: String) -> Date? {
        // A date that no calendar has is as good as none.
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

    /// `aud` as a list; the service sends one string. Members that are no text are left out.
    package var audience: [String] {
        switch all["aud"] {
        case .string(let value): [value]
        case .array(let values): values.compactMap(\.string)
        default: []
        }
    }

    /// The user's id in the token's own tenant: `oid`, else `sub`, trimmed and in lower case
    /// (docs/reference/Protocol.md#id-token-claims).
    package var localAccountID: String? {
        (objectID ?? subject)?.trimmed.lowercased()
    }

    /// The name to show: `preferred_username` as it stands; `upn` of old tokens; else the subject in lower case.
    ///
    /// `isB2C`: B2C tokens often carry no name; the reference then shows a fixed text.
    package func username(isB2C: Bool) -> String {
        if let preferred = text("preferred_username") { return preferred }
        if isB2C { return "Missing from the token response" }
        return (text("upn") ?? subject ?? "").lowercased()
    }
}
