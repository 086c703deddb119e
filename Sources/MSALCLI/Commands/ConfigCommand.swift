// Licensed under the MIT License. See LICENSE.

import ArgumentParser

/// `msal config`, the settings in config.yaml.
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Read and change the settings in config.yaml.",
        usage: "msal config <command> [options]",
        subcommands: [
            ConfigListCommand.self, ConfigGetCommand.self, ConfigSetCommand.self, ConfigUnsetCommand.self,
            ConfigPathCommand.self,
        ]
    )
}

/// A setting that `msal config` knows.
enum ConfigKey: ExpressibleByArgument, Equatable {
    case defaultProfile
    case member(Profile.Member)

    init?(argument: String) {
        if argument == "default_profile" {
            self = .defaultProfile
        } else if let member = Profile.Member(rawValue: argument) {
            self = .member(member)
        } else {
            return nil
        }
    }

    static let allValueStrings = ["default_profile"] + Profile.Member.allCases.map(\.rawValue)

    static let defaultCompletionKind = CompletionKind.list(allValueStrings)

    var name: String {
        switch self {
        case .defaultProfile: "default_profile"
        case .member(let member): member.rawValue
        }
    }

    /// The position of the setting in the file.
    ///
    /// - Throws: `Failure` with the status `usage`, if the setting belongs to a profile and no profile is named.
    func position(profile: String?) throws(Failure) -> [String] {
        switch self {
        case .defaultProfile: return ["default_profile"]
        case .member(let member):
            guard let profile else {
                throw .usage(
                    "No profile is selected.",
                    remedy: "Pass --profile NAME, or run: msal config set default_profile NAME"
                )
            }
            return ["profiles", profile, member.rawValue]
        }
    }
}

/// `--profile`, for commands that need no other setting of the client.
struct ConfigOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The profile, instead of the default one. (MSAL_PROFILE)", valueName: "name"),
        completion: Profile.completion
    )
    var profile: String?

    @OptionGroup var log: LogOptions
}
