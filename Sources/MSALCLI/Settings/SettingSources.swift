// Licensed under the MIT License. See LICENSE.

import Foundation

/// The sources of a command's settings: a flag overrides the environment, and the environment overrides the profile.
///
/// Every command that has a flag for a setting reads the setting here.
struct SettingSources {
    let options: any ClientChoice
    /// The scopes of the flags.
    var scopeOptions: [String] = []
    /// Variables with an empty value are left out: they count as absent.
    let environment: [String: String]
    let profile: Profile

    /// The sources of this process.
    ///
    /// - Throws: `Failure` with the status `usage`, if the settings file cannot be read or lacks the profile.
    init(_ options: some ClientChoice, scopes: [String] = []) throws(Failure) {
        let environment = ProcessInfo.processInfo.environment
        let profile = try Profile.selected(named: options.profile, environment: environment)
        self.init(options, scopes: scopes, environment: environment, profile: profile)
    }

    init(_ options: some ClientChoice, scopes: [String], environment: [String: String], profile: Profile) {
        self.options = options
        self.scopeOptions = scopes
        self.environment = environment.filter { !$0.value.isEmpty }
        self.profile = profile
    }

    var clientID: String? { options.clientID ?? environment["MSAL_CLIENT_ID"] ?? profile.clientID }

    var authority: String? { options.authority ?? environment["MSAL_AUTHORITY"] ?? profile.authority }

    var knownAuthorities: [String] {
        options.knownAuthority.isEmpty ? profile.knownAuthorities : options.knownAuthority
    }

    var caFile: URL? { (options.caFile ?? environment["MSAL_CA_FILE"]).map { URL(filePath: $0) } ?? profile.caFile }

    var graph: String? { environment["MSAL_GRAPH_URL"] ?? profile.graphURL }

    /// The requested scopes; may be empty.
    var scopes: [String] {
        let choices = [scopeOptions, environment["MSAL_SCOPES"].map { [$0] } ?? [], profile.scopes]
        return choices.map(Self.separated).first { !$0.isEmpty } ?? []
    }

    private static func separated(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split { $0.isWhitespace || $0 == "," }.map(String.init) }
    }
}
