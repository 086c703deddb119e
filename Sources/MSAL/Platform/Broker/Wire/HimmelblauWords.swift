// Licensed under the MIT License. See LICENSE.

/// The texts by which Himmelblau reports failures: it has no numbers (docs/reference/Broker.md#himmelblau).
///
/// `Tests/Fixtures/Himmelblau` has them with their sources, and a test compares.
enum HimmelblauWords {
    /// The phrases in the texts, with their meaning. `nil` says no more than that the call failed.
    static let known: [(words: String, kind: BrokerFailure.Kind?)] = [
        ("Not implemented", .unsupported),
        // Its window is for the account that the request names, and needs a desktop and a program for the question.
        ("Missing account", .accountNeeded),
        ("No interactive prompt available", .unsupported),
        ("PRT SSO cookie unavailable", .unsupported),
        // The daemon of Himmelblau serves the user of the calling process only.
        ("Invalid request for user", .unknownAccount),
        ("Unable to find account", .unknownAccount),
        // Its directory of accounts failed; only "Unable to find" means that there is no such account.
        ("Unable to load account", .temporary),
        ("Failed to authenticate user", .interactionRequired),
        ("Failed to fetch prt sso cookie", .interactionRequired),
        ("Failed to fetch", nil),
        ("Missing raw token", nil),
        ("Invalid redirectUri", .misconfigured),
        // A request that it cannot read, in the words of its reader.
        ("Error(", nil),
        ("Interactive authentication failed", nil),
        ("Authentication thread panicked", nil),
        ("broker socket", .unreachable),
        ("set_read_timeout", .unreachable),
        ("JSON encode", nil),
        ("invalid UTF-8", nil),
    ]

    /// The failure behind a text. For a silent token, an unknown text means that the user is needed.
    static func kind(of text: String, method: BrokerMethod) -> BrokerFailure.Kind {
        kind(of: text) ?? (method == .tokenSilently ? .interactionRequired : .unexplained)
    }

    static func kind(of text: String) -> BrokerFailure.Kind? {
        known.first { text.contains($0.words) }?.kind
    }
}
