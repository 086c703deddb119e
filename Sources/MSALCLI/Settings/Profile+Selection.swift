// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation

extension Profile {
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
