// Licensed under the MIT License. See LICENSE.

import Foundation
import UserFiles

/// Reads and changes config.yaml.
struct ConfigFile {
    let path: String
    private(set) var content: ConfigText

    /// Reads the file. If there is none, the content is empty.
    ///
    /// - Throws: `Failure` with the status `usage`, if there is no home, or the file cannot be used.
    init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(Failure) {
        path = try Self.path(environment: environment)
        guard FileManager.default.fileExists(atPath: path) else {
            content = try ConfigText("")
            return
        }
        let text = try ProfileFile.text(at: path)
        // The whole file is checked first. Otherwise an old error in it would be reported as an error of the change.
        _ = try ProfileFile(text: text, path: path)
        content = try ConfigText(text)
    }

    /// The path of the file, which may not exist yet.
    ///
    /// - Throws: `Failure` with the status `usage`, if there is no home for it.
    static func path(environment: [String: String] = ProcessInfo.processInfo.environment) throws(Failure) -> String {
        guard let path = ProfileFile.path(environment: environment) else {
            throw .usage(
                "There is no home directory for config.yaml.",
                remedy: "Set HOME, XDG_CONFIG_HOME or MSAL_CONFIG."
            )
        }
        return path
    }

    /// The names of the profiles.
    var profiles: [String] {
        Set(content.values.keys.filter { $0.count == 3 && $0[0] == "profiles" }.map { $0[1] }).sorted()
    }

    /// The name of the profile that a command uses with this value of `--profile`.
    func profile(named flag: String?, environment: [String: String] = ProcessInfo.processInfo.environment) -> String? {
        flag ?? environment["MSAL_PROFILE"].flatMap { $0.isEmpty ? nil : $0 }
            ?? content.values[["default_profile"]]?.first
    }

    /// Sets values, or removes those that are `nil`, and writes the file.
    ///
    /// - Throws: `Failure`: `usage`, if a setting does not take its value; `failed`, if the file cannot be written.
    mutating func change(_ changes: [(position: [String], value: ConfigValue?)]) throws(Failure) {
        var changed = content
        for (position, value) in changes {
            if let value { try Self.check(value, at: position) }
            try changed.set(value, at: position)
        }
        do throws(Failure) {
            _ = try ProfileFile(text: changed.text, path: "config.yaml")
        } catch {
            var failure = error
            // The message begins with a position in the text. It is left out, because that text was not written to the
            // file.
            failure.message = error.message.components(separatedBy: ": ").dropFirst().joined(separator: ": ")
            throw failure
        }
        try UserFile.replace(changed.text, at: path)
        content = changed
    }

    private static func check(_ value: ConfigValue, at position: [String]) throws(Failure) {
        guard value.texts.allSatisfy({ !$0.isEmpty && !$0.unicodeScalars.contains { $0.value < 0x20 } }) else {
            throw .usage("A value must be a single line.")
        }
        for text in value.texts {
            switch position.last {
            case "authority", "known_authorities": _ = try AuthorityChoice.authority(text)
            case "graph_url": _ = try Settings.graph(text)
            default: break
            }
        }
    }

    /// Makes an account the default for these settings. `nil` removes the default from the profile, and from
    /// `accounts`, the list for all profiles.
    ///
    /// - Throws: `Failure` as `change(_:)`.
    mutating func setDefaultAccount(_ name: String?, of settings: Settings) throws(Failure) {
        let ofProfile = settings.accountProfile.map { ["profiles", $0, "account"] }
        // The case of letters in client IDs does not matter.
        let ofClient = content.values.keys.first { position in
            position.count == 2 && position[0] == "accounts"
                && position[1].lowercased() == settings.clientID.lowercased()
        }
        if let name { return try change([(ofProfile ?? ofClient ?? ["accounts", settings.clientID], .text(name))]) }
        let written = [ofProfile, ofClient].compactMap(\.self).filter { content.values[$0] != nil }
        guard !written.isEmpty else { return }
        try change(written.map { ($0, nil) })
    }
}
