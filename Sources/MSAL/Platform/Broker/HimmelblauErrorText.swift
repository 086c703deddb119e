// Licensed under the MIT License. See LICENSE.

/// The texts with which Himmelblau reports failures: it has no status codes (docs/reference/Broker.md#himmelblau).
///
/// `Tests/Fixtures/Himmelblau` has them with their sources, and a test compares them.
enum HimmelblauErrorText {
    /// The phrases in the texts, with their meaning. `nil` only means that the call failed.
    static let known: [(words: String, kind: BrokerFailure.Kind?)] = [
        ("Not implemented", .unsupported),
        // Its window is for the account that the request names, and requires a desktop and a program for the prompt.
        ("Missing account", .accountNeeded),
        ("No interactive prompt available", .unsupported),
        ("PRT SSO cookie unavailable", .unsupported),
        // Himmelblau's daemon serves only the user of the calling process.
        ("Invalid request for user", .unknownAccount),
        ("Unable to find account", .unknownAccount),
        // Its directory of accounts failed; only "Unable to find" means that the account does not exist.
        ("Unable to load account", .temporary),
        ("Failed to authenticate user", .interactionRequired),
        ("Failed to fetch prt sso cookie", .interactionRequired),
        ("Failed to fetch", nil),
        ("Missing raw token", nil),
        ("Invalid redirectUri", .misconfigured),
        // A request that it cannot parse, with the error of its parser.
        ("Error(", nil),
        ("Interactive authentication failed", nil),
        ("Authentication thread panicked", nil),
        ("broker socket", .unreachable),
        ("set_read_timeout", .unreachable),
        ("JSON encode", nil),
        ("invalid UTF-8", nil),
    ]

    /// The failure for a text. For a silent token, an unknown text means that user interaction is required.
    static func kind(of text: String, method: IdentityBrokerMethod) -> BrokerFailure.Kind {
        kind(of: text) ?? (method == .tokenSilently ? .interactionRequired : .unexplained)
    }

    static func kind(of text: String) -> BrokerFailure.Kind? {
        known.first { text.contains($0.words) }?.kind
    }
}
