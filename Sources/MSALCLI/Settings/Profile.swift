// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation

/// Named settings from config.yaml. An empty profile sets nothing.
struct Profile: Equatable {
    var clientID: String?
    var authority: String?
    var knownAuthorities: [String] = []
    var scopes: [String] = []
    var caFile: URL?
    var graphURL: String?
    var redirect: RedirectChoice?
    /// The account that commands use unless another is named.
    var account: String?

    /// The name of the selected profile as the file spells it, and the file's default accounts by client ID.
    var name: String?
    var accounts: [String: String] = [:]

    /// The members of a profile, as the file spells them.
    enum Member: String, CaseIterable {
        case clientID = "client_id"
        case authority
        case knownAuthorities = "known_authorities"
        case scopes
        case caFile = "ca_file"
        case graphURL = "graph_url"
        case port
        case redirectURI = "redirect_uri"
        case account

        /// Whether the setting is a list of texts.
        var isList: Bool { self == .scopes || self == .knownAuthorities }

        /// The environment variable that overrides the setting.
        var variable: String? {
            switch self {
            case .clientID: "MSAL_CLIENT_ID"
            case .authority: "MSAL_AUTHORITY"
            case .scopes: "MSAL_SCOPES"
            case .caFile: "MSAL_CA_FILE"
            case .graphURL: "MSAL_GRAPH_URL"
            case .redirectURI, .port: "MSAL_REDIRECT_URI"
            case .knownAuthorities, .account: nil
            }
        }

        static let names = allCases.map(\.rawValue).joined(separator: ", ")
    }

    /// The names of the profiles there are.
    static let completion = CompletionKind.custom { _, _, _ in
        // If the file cannot be read, there are no names to suggest.
        let path = ProfileFile.path(environment: ProcessInfo.processInfo.environment)
        return path.flatMap { try? ProfileFile(path: $0).profiles.keys.sorted() } ?? []
    }

    /// The profile that the flag or the environment names, else the file's default profile, else an empty one.
    ///
    /// - Throws: `Failure` with the status `usage` if the file cannot be read or lacks the profile.
    static func selected(named flag: String?, environment: [String: String]) throws(Failure) -> Profile {
        let asked = flag ?? environment["MSAL_PROFILE"].flatMap { $0.isEmpty ? nil : $0 }
        guard let path = ProfileFile.path(environment: environment), FileManager.default.fileExists(atPath: path) else {
            guard let asked else { return Profile() }
            let place = ProfileFile.path(environment: environment) ?? "$XDG_CONFIG_HOME/msal/config.yaml"
            throw .usage("Profile \(asked) not found: \(place) does not exist.", remedy: "See: msal --help")
        }
        let file = try ProfileFile(path: path)
        guard let name = asked ?? file.defaultProfile else { return Profile(accounts: file.accounts) }
        guard var profile = file.profiles[name] else {
            let names = file.profiles.keys.sorted().joined(separator: ", ")
            throw .usage(
                "Profile \(name) not found in \(path).",
                remedy: names.isEmpty ? "The file has no profiles." : "Available profiles: \(names)"
            )
        }
        (profile.name, profile.accounts) = (name, file.accounts)
        return profile
    }
}
