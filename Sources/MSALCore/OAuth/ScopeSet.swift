// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// Scopes in the given order, without duplicates and blanks. The case is kept for the wire (RFC 6749 §3.3).
///
/// A comparison ignores case and uses ``normalized`` (docs/reference/Silent.md#scopes).
package struct ScopeSet: Sendable, Hashable {
    /// The trimmed scopes, each once, in the order in which they were given.
    package let values: [String]

    package init(_ scopes: [String]) {
        var values: [String] = []
        var seen: Set<String> = []
        for scope in scopes {
            // A search through few scopes is faster than hashing.
            let scope = scope.trimmed
            if scope.isEmpty { continue }
            if values.count == Self.few { seen = Set(values) }
            let isNew = values.count < Self.few ? !values.contains(scope) : seen.insert(scope).inserted
            if isNew { values.append(scope) }
        }
        self.values = values
    }

    private static let few = 8

    /// The limit, which no API reaches. All permissions of Microsoft Graph together are about 800. Each scope of a token is
    /// a row of the store, so an unlimited number could keep the store busy.
    package static let most = 2_000

    /// Splits a space-separated list, as in `scope` members and cached targets.
    package init(parsing text: String) {
        // Nearly every list is plain ASCII, whose white space is known without asking for each character's properties.
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            self.init(text.split(whereSeparator: \.isWhitespace).map(String.init))
            return
        }
        self.init(text.utf8.split { $0 == 0x20 || (0x09...0x0D).contains($0) }.map { String(Substring($0)) })
    }

    /// The scopes that every sign-in adds to the app's own (OpenID Connect Core §5.4 and §11).
    package static let openID = ScopeSet(["openid", "profile", "offline_access"])

    /// The scopes joined by one space.
    package var text: String { values.joined(separator: " ") }

    /// The scopes in lower case, for comparison.
    package var normalized: Set<String> { Set(values.map { $0.lowercased() }) }

    package var isEmpty: Bool { values.isEmpty }

    /// These scopes, and behind them the further ones of `other`.
    package func union(_ other: ScopeSet) -> ScopeSet { ScopeSet(values + other.values) }

    /// These scopes without the scopes of `other`. Letter case does not matter.
    package func subtracting(_ other: ScopeSet) -> ScopeSet {
        let excluded = other.normalized
        return ScopeSet(values.filter { !excluded.contains($0.lowercased()) })
    }
}

extension ScopeSet {
    /// The scopes that the service declined.
    ///
    /// OpenID Connect's own scopes and `email` do not count. A single `/.default` scope stands for all that the app was
    /// granted, so it cannot be declined (docs/reference/Silent.md#declined).
    package func declined(grantedBy granted: ScopeSet) -> ScopeSet {
        if isSingleDefault { return ScopeSet([]) }
        return subtracting(.openID).subtracting(ScopeSet(["email"])).subtracting(granted)
    }

    /// Whether this is exactly one scope of the form `<resource>/.default`.
    package var isSingleDefault: Bool {
        values.count == 1 && values.allSatisfy { $0.lowercased().hasSuffix("/.default") }
    }
}
