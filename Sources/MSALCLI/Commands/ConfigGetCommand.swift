// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation

/// `msal config get`
struct ConfigGetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print one setting.",
        usage: "msal config get <setting> [options]",
        discussion: """
            Prints only the value, unless -o json is set. The exit status is 1 if the setting is not in the file.

            EXAMPLES
              msal config get client_id
            """
    )

    @Argument(help: "The setting.")
    var setting: ConfigKey

    @OptionGroup var config: ConfigOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let file = try ConfigFile()
        let position = try setting.position(profile: file.profile(named: config.profile))
        guard let texts = file.content.values[position] else {
            throw Failure.file(
                "\(setting.name) is not set in \(file.path).",
                remedy: "Set it: msal config set \(setting.name) VALUE"
            )
        }
        try output.show(ConfigReport(path: file.path, values: [(setting.name, texts)], isList: false))
    }
}

/// `msal config list`
struct ConfigListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the settings of a profile.",
        usage: "msal config list [options]"
    )

    @OptionGroup var config: ConfigOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let file = try ConfigFile()
        let environment = ProcessInfo.processInfo.environment
        let profile = file.profile(named: config.profile)
        let keys = [ConfigKey.defaultProfile] + Profile.Member.allCases.map(ConfigKey.member)
        var values: [(String, [String])] = []
        var overriding: [String] = []
        for key in keys {
            // Without a profile, there are no settings of a profile to list.
            guard let position = try? key.position(profile: profile), let texts = file.content.values[position] else {
                continue
            }
            values.append((key.name, texts))
            if case .member(let member) = key, let variable = member.variable, environment[variable]?.isEmpty == false {
                overriding.append(variable)
            }
        }
        try output.show(ConfigReport(path: file.path, profile: profile, values: values, overriding: overriding))
    }
}

/// The settings of the file.
struct ConfigReport: Report {
    var path: String
    var profile: String?
    var values: [(name: String, texts: [String])]
    /// The environment variables that override the listed settings.
    var overriding: [String] = []
    /// Whether the settings are shown with their names.
    var isList = true

    func text(_ style: Style) -> TerminalText {
        guard isList else { return "\(raw)" }
        var lines: [TerminalText] = []
        if let profile { lines.append(style.faint("Profile \(profile) in \(path)")) }
        if values.isEmpty { lines.append("Nothing is set. To set a client ID: msal config set client_id ID") }
        let rows = values.map { ($0.name, "\($0.texts.joined(separator: " "))" as TerminalText) }
        if !rows.isEmpty { lines.append(table(rows, style: style)) }
        lines += overriding.map { style.faint("\($0) is set in the environment and takes precedence.") }
        return lines.joined(separator: "\n")
    }

    /// The settings as JSON: a list is an array, any other setting a text.
    var json: String {
        var members: [String: JSONMember] = [:]
        for (name, texts) in values {
            let isList = Profile.Member(rawValue: name)?.isList ?? false
            members[name] = isList ? .list(texts) : .text(texts.first ?? "")
        }
        return JSONText.encode(Members(path: path, profile: profile, settings: members))
    }

    var raw: String {
        values.map { (isList ? "\($0.name)\t" : "") + $0.texts.joined(separator: " ") }.joined(separator: "\n")
    }

    private enum JSONMember: Encodable {
        case text(String)
        case list([String])

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .text(let text): try container.encode(text)
            case .list(let texts): try container.encode(texts)
            }
        }
    }

    private struct Members: Encodable {
        var path: String
        @ExplicitNull var profile: String? = nil
        var settings: [String: JSONMember]
    }
}
