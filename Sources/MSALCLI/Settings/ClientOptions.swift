// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// The client and the authority for which a command works, as the arguments name them.
protocol ClientChoice {
    var profile: String? { get }
    var clientID: String? { get }
    var authority: String? { get }
    var knownAuthority: [String] { get }
    var caFile: String? { get }
}

/// The flags that name the client and the authority for which a command works.
struct ClientOptions: ParsableArguments, ClientChoice {
    @Option(
        help: ArgumentHelp("The profile in config.yaml. (MSAL_PROFILE)", valueName: "name"),
        completion: Profile.completion
    )
    var profile: String?

    @Option(help: ArgumentHelp("The application ID of the app registration. (MSAL_CLIENT_ID)", valueName: "id"))
    var clientID: String?

    @Option(
        help: ArgumentHelp(
            "The authority: https://HOST/TENANT. (MSAL_AUTHORITY)",
            discussion: "Hosts under b2clogin.com are Azure AD B2C, and hosts under ciamlogin.com are External ID.",
            valueName: "url"
        )
    )
    var authority: String?

    @Option(
        help: ArgumentHelp(
            "An authority to trust without asking the service.",
            discussion: "Required for Azure AD B2C with a custom domain.",
            valueName: "url"
        )
    )
    var knownAuthority: [String] = []

    @Option(
        help: ArgumentHelp(
            "A PEM file with additional certificate authorities to trust. (MSAL_CA_FILE)",
            valueName: "file"
        ),
        completion: .file()
    )
    var caFile: String?

    /// ``CommandLog`` looks for this flag itself, before the arguments are parsed.
    @Flag(help: LogOptions.help)
    var debug = false
}

/// `--scope`.
///
/// A group of options costs time at each start. A command that scripts run in a loop has its own option with this
/// ``help``.
struct ScopeOptions: ParsableArguments {
    @Option(help: help)
    var scope: [String] = []

    static let help = ArgumentHelp(
        "A scope to request; may be repeated, or list several separated by spaces. (MSAL_SCOPES)",
        discussion: "Default: User.Read; for Azure AD B2C the client ID, for msal native the scopes of the sign-in.",
        valueName: "scope"
    )
}
