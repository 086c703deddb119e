// Licensed under the MIT License. See LICENSE.

/// The location that the app or the user chose for a new store's key.
package enum StoreKeyChoice: Sendable, Hashable {
    /// In a sandbox, the secret portal; otherwise the Secret Service. The key file only if neither is available.
    case automatic
    /// A specific location. `file` is used for a credential file: an absolute path, or the name of a file in
    /// `$CREDENTIALS_DIRECTORY`, where systemd's `LoadCredential=` puts it.
    case location(KeyLocation, file: String? = nil)
    /// No store on disk.
    case memory

    /// The location that was chosen explicitly; `nil` for an automatic choice and for a store in memory.
    var named: KeyLocation? { if case .location(let location, _) = self { location } else { nil } }

    /// The choice as `$MSAL_STORE_KEY` and `--to` accept it.
    var text: String {
        switch self {
        case .automatic: "auto"
        case .location(let location, let file): location.setting + (file.map { ":\($0)" } ?? "")
        case .memory: "memory"
        }
    }

    /// The environment variable that decides if the app leaves the choice open.
    package static let variable = "MSAL_STORE_KEY"

    /// The remedy if a location is unavailable, as a sentence.
    static let otherPlaces =
        "For a new store, you can choose another location: \(variable)=key-file or credential-file:<path>."

    /// Parses `auto`, `secret-service`, `portal`, `key-file`, `credential-file:<path or name>`, `none`, or `memory`.
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
                message: "\"\(text)\" is not a valid location for the token store's key. \(Self.variable) may be auto, "
                    + "secret-service, portal, key-file, credential-file:<path>, none or memory."
            )
        }
    }

    /// The effective choice: the app's, or that of `$MSAL_STORE_KEY` if the app left it open.
    ///
    /// Throws `.invalidKeyChoice` if the variable's value is invalid.
    package func resolved(_ environment: [String: String]) throws(StoreError) -> StoreKeyChoice {
        guard self == .automatic, let text = environment[Self.variable], !text.isEmpty else { return self }
        return try StoreKeyChoice(text: text)
    }
}
