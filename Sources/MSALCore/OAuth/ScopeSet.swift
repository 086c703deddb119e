// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALSupport

/// Scopes in the order given, without duplicates or blanks; the case is kept for the wire (RFC 6749 §3.3).
///
/// Matching ignores case (docs/reference/Silent.md#scopes): compare through ``normalized``.
package struct ScopeSet: Sendable, Hashable {
    /// The scopes, trimmed, each once, in the order in which they were given.
    package let values: [String]

    package init(_ scopes: [String]) {
        var values: [String] = []
        var seen: Set<String> = []
        for scope in scopes {
            // While they are few, looking through them is faster than hashing.
            let scope = scope.trimmed
            if scope.isEmpty { continue }
            if values.count == Self.few { seen = Set(values) }
            let isNew = values.count < Self.few ? !values.contains(scope) : seen.insert(scope).inserted
            if isNew { values.append(scope) }
        }
        self.values = values
    }

    private static let few = 8

    /// More than any API has: all permissions of Microsoft Graph together are about 800. Each scope of a token is a row
    /// of the store, so whoever may name any number of them can keep it busy.
    package static let most = 2_000

    /// Splits a space-separated list, as in `scope` members and cached targets.
    package init(parsing text: String) {
        self.init(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The scopes that every sign-in asks for beside the app's own (OpenID Connect Core §5.4 and §11).
    package static let openID = ScopeSet(["openid", "profile", "offline_access"])

    /// The scopes joined by one space.
    package var text: String { values.joined(separator: " ") }

    /// The scopes in lower case, for comparison.
    package var normalized: Set<String> { Set(values.map { $0.lowercased() }) }

    package var isEmpty: Bool { values.isEmpty }

    /// These scopes followed by those of `other` that are not among them.
    package func union(_ other: ScopeSet) -> ScopeSet { ScopeSet(values + other.values) }

    /// These scopes without those of `other`, ignoring case.
    package func subtracting(_ other: ScopeSet) -> ScopeSet {
        let excluded = other.normalized
        return ScopeSet(values.filter { !excluded.contains($0.lowercased()) })
    }
}

extension ScopeSet {
    /// What the service was asked for and did not give.
    ///
    /// OpenID Connect's own scopes and `email` do not count. A single `/.default` scope stands for whatever the app was
    /// given, so nothing of it can be declined (docs/reference/Silent.md#declined).
    package func declined(grantedBy granted: ScopeSet) -> ScopeSet {
        if isSingleDefault { return ScopeSet([]) }
        return subtracting(.openID).subtracting(ScopeSet(["email"])).subtracting(granted)
    }

    /// Whether this is exactly one scope of the form `<resource>/.default`.
    package var isSingleDefault: Bool {
        values.count == 1 && values.allSatisfy { $0.lowercased().hasSuffix("/.default") }
    }
}
