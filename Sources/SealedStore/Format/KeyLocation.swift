// Licensed under the MIT License. See LICENSE.

/// The location of the key that opens a store. The raw values are stored in the file.
package enum KeyLocation: String, Sendable, Hashable, CaseIterable {
    /// An item of the desktop's Secret Service.
    case secretService
    /// The secret that the desktop portal provides to a sandboxed app.
    case portal
    /// A file with mode 0600 next to the store.
    case keyFile
    /// A file that the system or the operator provides.
    case credentialFile
    /// No key: payloads are plain text. Only used on explicit request.
    case none

    /// The value for `$MSAL_STORE_KEY` and `--to`, and the description for messages, to follow "in" or "from".
    private var row: (setting: String, description: String) {
        switch self {
        case .secretService: ("secret-service", "the Secret Service")
        case .portal: ("portal", "the secret portal")
        case .keyFile: ("key-file", "the key file")
        case .credentialFile: ("credential-file", "the credential file")
        case .none: ("none", "no place")
        }
    }

    /// The value for `$MSAL_STORE_KEY` and `--to`. For a credential file, a colon and its path or name follow.
    package var setting: String { row.setting }

    /// The description for messages, to follow "in" or "from".
    var description: String { row.description }

    /// The error for a location that cannot return or store a key. `explanation` describes the cause and the remedy in
    /// sentences.
    func unavailable(_ explanation: String, underlying: (any Error)? = nil) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: "The token store's key is not available from \(description): \(explanation)",
            underlying: underlying
        )
    }
}
