// Licensed under the MIT License. See LICENSE.

/// The place of a new store's key, as the app or the user wants it.
package enum StoreKeyChoice: Sendable, Hashable {
    /// In a sandbox the secret portal; else the Secret Service; the key file only where neither can be had.
    case automatic
    case secretService
    case portal
    case keyFile
    /// An absolute path, or the name of a file in `$CREDENTIALS_DIRECTORY`, where systemd's `LoadCredential=` puts it.
    case credentialFile(String)
    /// The store has no key, and its payloads are plain.
    case none
    /// There is no store on disk at all.
    case memory

    /// The kind of provider that is asked for by name; `nil` if the choice is left open, and for a store in memory.
    var named: KeyProviderKind? {
        switch self {
        case .automatic, .memory: nil
        case .secretService: .secretService
        case .portal: .portal
        case .keyFile: .keyFile
        case .credentialFile: .credentialFile
        case .none: KeyProviderKind.none
        }
    }

    /// The choice as `$MSAL_STORE_KEY` and `--to` take it.
    var text: String {
        switch self {
        case .automatic: "auto"
        case .secretService: "secret-service"
        case .portal: "portal"
        case .keyFile: "key-file"
        case .credentialFile(let file): "credential-file:\(file)"
        case .none: "none"
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
        switch text {
        case "auto": self = .automatic
        case "secret-service": self = .secretService
        case "portal": self = .portal
        case "key-file": self = .keyFile
        case "none": self = .none
        case "memory": self = .memory
        default:
            let prefix = "credential-file:"
            guard text.hasPrefix(prefix), text.count > prefix.count else {
                throw StoreError(
                    .invalidKeyChoice,
                    message: "\"\(text)\" is no way to keep the token store's key. \(Self.variable) may be auto, "
                        + "secret-service, portal, key-file, credential-file:<path>, none or memory."
                )
            }
            self = .credentialFile(String(text.dropFirst(prefix.count)))
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
