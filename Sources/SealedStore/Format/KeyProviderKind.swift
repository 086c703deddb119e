// Licensed under the MIT License. See LICENSE.

/// The places where the key that opens a store can live. The raw values are in the file.
package enum KeyProviderKind: String, Sendable, Hashable, CaseIterable {
    /// An item of the desktop's Secret Service.
    case secretService
    /// The secret that the desktop's portal gives to an app in a sandbox.
    case portal
    /// The key is in a file beside the store, with the mode 0600.
    case keyFile
    /// A file that the system or the operator provides.
    case credentialFile
    /// No key: payloads are plain. Only on explicit request.
    case none

    /// The location in words. They can follow "in" and "from", or stand alone in a message.
    var words: String {
        switch self {
        case .secretService: "the Secret Service"
        case .portal: "the secret portal"
        case .keyFile: "the key file"
        case .credentialFile: "the credential file"
        case .none: "no place"
        }
    }

    /// The error of such a place that gave or took no key. `explanation` has the reason and the remedy in sentences.
    func unavailable(_ explanation: String, underlying: (any Error)? = nil) -> StoreError {
        StoreError(
            .keyUnavailable,
            message: "The token store's key is not available from \(words): \(explanation)",
            underlying: underlying
        )
    }
}
