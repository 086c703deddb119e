// Licensed under the MIT License. See LICENSE.

/// The texts by which Himmelblau reports failures (docs/reference/Broker.md#himmelblau).
///
/// It has no codes: every failure is the D-Bus error `Failed`, or status 0, with a text. A text that is not known changes
/// nothing.
enum HimmelblauWords {
    private static let kinds: [(words: String, kind: BrokerFailure.Kind)] = [
        ("Not implemented", .unsupported),
        // Its window signs in the user of the device only, and needs a desktop and a program for the question.
        ("Missing account", .unsupported),
        ("No interactive prompt available", .unsupported),
        ("no interactive session", .unsupported),
        // Its daemon serves the user of the calling process only.
        ("Invalid request for user", .unknownAccount),
        ("Unable to find account", .unknownAccount),
        // Its directory of accounts failed; "Unable to find" is the one that says no.
        ("Unable to load account", .temporary),
        ("Failed to authenticate user", .interactionRequired),
        ("Failed to fetch prt sso cookie", .interactionRequired),
        ("broker socket", .unreachable),
        ("Invalid redirectUri", .misconfigured),
        ("Interactive authentication failed", .unexpected),
    ]

    static func kind(of text: String) -> BrokerFailure.Kind? {
        kinds.first { text.contains($0.words) }?.kind
    }
}
