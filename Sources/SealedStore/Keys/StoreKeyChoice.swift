// Licensed under the MIT License. See LICENSE.

/// The place of a new store's key, as the app or the user wants it.
package enum StoreKeyChoice: Sendable, Hashable {
    /// In a sandbox the secret portal; else the Secret Service; the key file only where neither can be had.
    case automatic
    /// A location by name. `file` belongs to a credential file: an absolute path, or the name of a file in
    /// `$CREDENTIALS_DIRECTORY`, where systemd's `LoadCredential=` puts it.
    case location(KeyLocation, file: String? = nil)
    /// There is no store on disk at all.
    case memory

    /// The location that is asked for by name; `nil` if the choice is left open, and for a store in memory.
    var named: KeyLocation? {
        if case .location(let location, _) = self { location } else { nil }
    }

    /// The choice as `$MSAL_STORE_KEY` and `--to` take it.
    var text: String {
        switch self {
        case .automatic: "auto"
        case .location(let location, let file): location.setting + (file.map { ":\($0)" } ?? "")
        case .memory: "memory"
        }
    }

    /// The variable with which the user decides, if the app leaves the choice open.
    package static let variable = "MSAL_STORE_KEY"

    /// The remedy where a place cannot be had, as a sentence.
    static let otherPlaces =
        "For a new store another place can be chosen: \(variable)=key-file or credential-file:<path>."

    /// Reads `auto`, `secret-service`, `portal`, `key-file`, `credential-file:<path or name>`, `none` or `memory`.
    ///
    /// Throws `.invalidKeyChoice` for any other text.
    package init(text: String) throws(StoreError) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        switch (KeyLocation.allCases.first { $0.setting == parts[0] }, parts.dropFirst().first) {
        case (nil, nil) where text == "auto": self = .automatic
        case (nil, nil) where text == "memory": self = .memory
        case (.credentialFile?, let file?) where !file.isEmpty:
            self = .location(.credentialFile, file: String(file))
        case (let location?, nil) where location != .credentialFile: self = .location(location)
        default:
            throw StoreError(
                .invalidKeyChoice,
                message: "\"\(text)\" is no way to keep the token store's key. \(Self.variable) may be auto, "
                    + "secret-service, portal, key-file, credential-file:<path>, none or memory."
            )
        }
    }

    /// The choice in force: that of the app, or of `$MSAL_STORE_KEY` if the app left it open.
    ///
    /// Throws `.invalidKeyChoice` if the variable cannot be understood.
    package func resolved(_ environment: [String: String]) throws(StoreError) -> StoreKeyChoice {
        guard self == .automatic, let text = environment[Self.variable], !text.isEmpty else { return self }
        return try StoreKeyChoice(text: text)
    }
}
