// Licensed under the MIT License. See LICENSE.

/// A credential of a chain, ready to be asked.
package struct ChainLink: Sendable {
    /// The name for logs and errors.
    let name: String
    /// The credential that serves once it has won.
    let credential: any MSALTokenCredential
    /// The credential that is asked while none has won. It may find out first whether there is anything to ask.
    let searched: any MSALTokenCredential
    /// Whether the chain goes on after any failure. It does so for a developer's command line.
    let isOptional: Bool

    package init(
        _ name: String,
        credential: any MSALTokenCredential,
        searched: (any MSALTokenCredential)? = nil,
        isOptional: Bool = false
    ) {
        self.name = name
        self.credential = credential
        self.searched = searched ?? credential
        self.isOptional = isOptional
    }

    /// Whether the chain asks the next one after a failure (docs/reference/Services.md#chain).
    func isSkipped(after error: MSALTokenError) -> Bool {
        switch error.kind {
        case .cancelled: false
        case .credentialUnavailable, .unavailable, .noCredential: true
        default: isOptional
        }
    }
}
