// Licensed under the MIT License. See LICENSE.

/// A protected API and the permissions it offers.
struct Resource: Sendable, Equatable {
    /// One delegated permission.
    struct Scope: Sendable, Equatable {
        let name: String
        /// What the consent page says about it.
        let summary: String
        /// Only an administrator can consent (AADSTS90094 for everyone else).
        var isAdministratorOnly = false
    }

    /// The value of `aud` in its access tokens.
    let audience: String
    /// Prefixes that name the API in a scope, without the slash.
    let identifiers: [String]
    let displayName: String
    let scopes: [Scope]
    /// Graph's own tokens are of version 1.0 and its scopes may be written without a prefix.
    let isGraph: Bool
    /// Whether its tokens need a second factor (AADSTS50076).
    var requiresSecondFactor = false

    /// The permission of that name; letter case does not matter.
    func scope(named name: String) -> Scope? {
        scopes.first { $0.name.lowercased() == name.lowercased() }
    }

    /// How a permission is written in the `scope` of an answer.
    func qualified(_ scope: String) -> String {
        isGraph ? scope : "\(audience)/\(scope)"
    }
}
