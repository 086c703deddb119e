// Licensed under the MIT License. See LICENSE.

/// A claim that a registration may request (Microsoft identity platform, "Optional claims reference"). All others are
/// rejected, because a claim that is silently ignored looks like a bug in the app.
enum OptionalClaim: String, CaseIterable, Sendable {
    case email, upn, acct, groups
    case givenName = "given_name"
    case familyName = "family_name"
    case preferredUserName = "preferred_username"
    case authenticationTime = "auth_time"
    case loginHint = "login_hint"
    /// The claim with the type of a token. Only access tokens have it.
    case kindOfToken = "idtyp"
    /// The capabilities of the client. Only access tokens have it.
    case capabilities = "xms_cc"

    /// The names that an application may request for its ID tokens.
    static let ofIDTokens = allCases.filter { ![.kindOfToken, .capabilities].contains($0) }.map(\.rawValue)
    /// The names that an API may request.
    static let ofAccessTokens = allCases.map(\.rawValue)
}

extension CheckedEntry {
    /// Checks that the emulator supports the optional claims of an entry.
    func require(optionalClaims names: [String], outOf known: [String]) throws(EmulatorDirectory.InvalidEntry) {
        for name in names {
            try require(
                known.contains(name),
                orFailWith: .unknown(name),
                remedy: "choose from the optional claims \(known.joined(separator: ", "))"
            )
        }
    }
}
