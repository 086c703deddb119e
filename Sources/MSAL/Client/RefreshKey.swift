// Licensed under the MIT License. See LICENSE.

/// What makes two redemptions the same. The refresh token compares in constant time.
package struct RefreshKey: Sendable, Hashable {
    let endpoint: URL
    let refreshToken: Secret
    let scopes: Set<String>
    let claims: JSONValue?
    /// The key of a bound token; `nil` for bearer tokens.
    let keyID: String?
    let queryParameters: [String: String]
    /// A forced refresh must not get what an unforced one found stored meanwhile.
    let mayAnswerFromCache: Bool
}
