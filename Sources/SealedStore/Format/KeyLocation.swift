// Licensed under the MIT License. See LICENSE.

/// Where the key that opens a store is kept. The raw values are in the file.
package enum KeyLocation: String, Sendable, Hashable, CaseIterable {
    /// An item of the desktop's Secret Service.
    case secretService
    /// The secret that the desktop's portal gives to an app in a sandbox.
    case portal
    /// A file beside the store, with the mode 0600.
    case keyFile
    /// A file that the system or the operator provides.
    case credentialFile
    /// There is no key, and payloads are plain text. Only on explicit request.
    case none

    /// The value of `$MSAL_STORE_KEY` and `--to`, and the location in a message, after "in" or "from".
    private var row: (setting: String, description: String) {
        switch self {
        case .secretService: ("secret-service", "the Secret Service")
        case .portal: ("portal", "the secret portal")
        case .keyFile: ("key-file", "the key file")
        case .credentialFile: ("credential-file", "the credential file")
        case .none: ("none", "no place")
        }
    }

    /// The value of `$MSAL_STORE_KEY` and `--to`. For a credential file, its path or name follows after a colon.
    package var setting: String { row.setting }

    /// The location in a message, after "in" or "from".
    var description: String { row.description }

    /// The error of a location that cannot return or store a key. `explanation` has the cause and the remedy in sentences.
    func unavailable(_ explanation: String, underlying: (any Error)? = nil) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: "The token store's key is not available from \(description): \(explanation)",
            underlying: underlying
        )
    }
}
