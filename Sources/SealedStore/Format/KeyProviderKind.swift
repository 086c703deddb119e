// Licensed under the MIT License. See LICENSE.

/// The places where the key that opens a store can live. The raw values are in the file.
package enum KeyProviderKind: String, Sendable, Hashable, CaseIterable {
    /// An item of the desktop's Secret Service.
    case secretService
    /// A file beside the store, 0600.
    case keyFile
    /// A file that the system or the operator provides.
    case credentialFile
    /// No key: payloads are plain. Only on explicit request.
    case none

    /// The place in words, to follow "in" or stand by itself in a message.
    var words: String {
        switch self {
        case .secretService: "the Secret Service"
        case .keyFile: "the key file"
        case .credentialFile: "the credential file"
        case .none: "no place"
        }
    }
}
