// Licensed under the MIT License. See LICENSE.

extension ConfigFile {
    /// Makes an account the default for these settings. `nil` removes the default from the profile, and from
    /// `accounts`, the list for all profiles.
    ///
    /// - Throws: `Failure` as `change(_:)`.
    mutating func setDefaultAccount(_ name: String?, of settings: Settings) throws(Failure) {
        let ofProfile = settings.accountProfile.map { ["profiles", $0, "account"] }
        // The case of letters in client ids does not matter.
        let ofClient = content.values.keys.first { position in
            position.count == 2 && position[0] == "accounts"
                && position[1].lowercased() == settings.clientID.lowercased()
        }
        if let name {
            return try change([(ofProfile ?? ofClient ?? ["accounts", settings.clientID], .text(name))])
        }
        let written = [ofProfile, ofClient].compactMap(\.self).filter { content.values[$0] != nil }
        guard !written.isEmpty else { return }
        try change(written.map { ($0, nil) })
    }
}
