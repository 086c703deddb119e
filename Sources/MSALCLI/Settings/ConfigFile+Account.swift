// Licensed under the MIT License. See LICENSE.

extension ConfigFile {
    /// Makes an account the default for these settings. `nil` removes it wherever it is written: in the profile, and under
    /// `accounts` for all profiles.
    ///
    /// - Throws: `Failure` as `change(_:)`.
    mutating func setDefaultAccount(_ name: String?, of settings: Settings) throws(Failure) {
        let ofProfile = settings.accountProfile.map { ["profiles", $0, "account"] }
        // Client ids are compared without the case of their letters.
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
