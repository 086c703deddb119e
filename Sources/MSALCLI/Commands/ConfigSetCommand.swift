// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation

/// `msal config set`
struct ConfigSetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Write a setting.",
        usage: "msal config set <setting> <value> ... [options]",
        discussion: """
            The file is created if it does not exist. Its comments and layout are kept. The first profile created this \
            way becomes the default.

            EXAMPLES
              msal config set client_id 00000000-0000-4000-8000-000000000001
              msal config set scopes User.Read Mail.Read --profile contoso
              msal config set default_profile contoso
            """
    )

    @Argument(help: "The setting.")
    var setting: ConfigKey

    @Argument(help: "The value; scopes and known_authorities accept several.")
    var values: [String]

    @OptionGroup var config: ConfigOptions
    @OptionGroup var output: OutputOptions

    private var isList: Bool {
        if case .member(let member) = setting { return member.isList }
        return false
    }

    private var texts: [String] { isList ? values.flatMap { $0.split(separator: " ").map(String.init) } : values }

    func validate() throws {
        guard isList || values.count == 1 else { throw ValidationError("\(setting.name) takes one value.") }
        guard !texts.isEmpty else {
            throw ValidationError("\(setting.name) takes a value; to remove it: msal config unset \(setting.name).")
        }
    }

    func run() throws {
        var file = try ConfigFile()
        let profiles = file.profiles
        let isFirst = profiles.isEmpty
        // Only the first profile gets a name by itself. A later profile needs a name from the user, or no command would
        // use it.
        let profile = file.profile(named: config.profile) ?? (isFirst ? "default" : nil)
        let authority = profile.flatMap {
            file.content.values[["profiles", $0, Profile.Member.authority.rawValue]]?.first
        }
        let texts = try checked(texts, profiles: profiles, authority: authority)
        var changes: [(position: [String], value: ConfigValue?)] = []
        if let profile, setting != .defaultProfile, file.content.values[["default_profile"]] == nil, isFirst {
            changes.append((["default_profile"], .text(profile)))
        }
        let position = try setting.position(profile: profile)
        changes.append((position, isList ? .list(texts) : .text(texts[0])))
        try file.change(changes)
        try output.show(ChangeReport(path: file.path, profile: profile, setting: setting.name, value: texts))
    }

    /// The texts to write. A path is made absolute, because commands in other folders read it.
    ///
    /// - Throws: `Failure` with the status `usage`, if the value names a file or profile that does not exist, or is not a
    ///   client ID of the authority.
    private func checked(_ texts: [String], profiles: [String], authority: String?) throws(Failure) -> [String] {
        switch setting {
        case .member(.clientID):
            let variable = ProcessInfo.processInfo.environment["MSAL_AUTHORITY"].flatMap { $0.isEmpty ? nil : $0 }
            for text in texts {
                _ = try SetupChoice.clientID(text, at: variable ?? authority ?? SetupChoice.serviceHost)
            }
            return texts
        case .defaultProfile:
            guard let name = texts.first, !profiles.contains(name) else { return texts }
            let known = profiles.isEmpty ? "" : "Available profiles: \(profiles.joined(separator: ", ")). "
            throw .usage(
                "Profile \(name) not found.",
                remedy: "\(known)To create it: msal config set client_id ID --profile \(name)"
            )
        case .member(.caFile):
            let paths = texts.map { URL(filePath: $0).absoluteURL.path(percentEncoded: false) }
            if let path = paths.first(where: { access($0, R_OK) != 0 }) {
                throw .usage("\(path) cannot be read.", remedy: "Pass a PEM file that you can read.")
            }
            return paths
        case .member: return texts
        }
    }
}

/// `msal config unset`
struct ConfigUnsetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Remove a setting.",
        usage: "msal config unset <setting> [options]"
    )

    @Argument(help: "The setting.")
    var setting: ConfigKey

    @OptionGroup var config: ConfigOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        var file = try ConfigFile()
        let profile = file.profile(named: config.profile)
        try file.change([(try setting.position(profile: profile), nil)])
        try output.show(ChangeReport(path: file.path, profile: profile, setting: setting.name, value: []))
    }
}

/// A setting that was changed.
struct ChangeReport: Report, Encodable {
    var path: String
    var profile: String?
    var setting: String
    /// Empty for a setting that was removed.
    var value: [String]

    func text(_ style: Style) -> TerminalText {
        let suffix = setting == "default_profile" ? "" : profile.map { " in profile \($0)" } ?? ""
        let words = value.isEmpty ? "is no longer set" : "is \(value.joined(separator: " "))"
        return "\(style.good("✓")) \(setting) \(words)\(suffix)."
    }

    var raw: String { value.joined(separator: " ") }
}
