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

    @Option(help: ArgumentHelp("The application id of the app registration. (MSAL_CLIENT_ID)", valueName: "id"))
    var clientID: String?

    @Option(
        help: ArgumentHelp(
            "Who signs users in: https://HOST/TENANT. (MSAL_AUTHORITY)",
            discussion: "Addresses at b2clogin.com are taken as Azure AD B2C, at ciamlogin.com as External ID.",
            valueName: "url"
        )
    )
    var authority: String?

    @Option(
        help: ArgumentHelp(
            "An authority that is taken as it is, without asking the service.",
            discussion: "Needed for Azure AD B2C at a domain of your own.",
            valueName: "url"
        )
    )
    var knownAuthority: [String] = []

    @Option(
        help: ArgumentHelp(
            "A PEM file with certificate authorities to trust in addition. (MSAL_CA_FILE)",
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
        "A scope wanted; may be repeated, or name several between spaces. (MSAL_SCOPES)",
        discussion: "User.Read unless set; for Azure AD B2C the client id, for msal native the sign-in's own scopes.",
        valueName: "scope"
    )
}
