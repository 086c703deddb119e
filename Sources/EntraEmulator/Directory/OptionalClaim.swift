// Licensed under the MIT License. See LICENSE.

/// A claim that a registration may ask for (Microsoft identity platform, "Optional claims reference"). There are no others:
/// a claim that would be passed over in silence looks like a fault of the app.
enum OptionalClaim: String, CaseIterable, Sendable {
    case email, upn, acct, groups
    case givenName = "given_name"
    case familyName = "family_name"
    case preferredUserName = "preferred_username"
    case authenticationTime = "auth_time"
    case loginHint = "login_hint"
    /// The claim of the kind of a token. Only access tokens have it.
    case kindOfToken = "idtyp"

    /// The names that an application may have, for its id tokens.
    static let ofIDTokens = allCases.filter { $0 != .kindOfToken }.map(\.rawValue)
    /// The names that an API may have.
    static let ofAccessTokens = allCases.map(\.rawValue)
}

extension CheckedEntry {
    /// Checks that the emulator has the optional claims of an entry.
    func require(optionalClaims names: [String], outOf known: [String]) throws(EmulatorDirectory.InvalidEntry) {
        for name in names {
            try require(
                known.contains(name),
                orFailWith: .unknown(name),
                remedy: "choose optional claims out of \(known.joined(separator: ", "))"
            )
        }
    }
}
