// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The binding of a token (RFC 7800 §3.1).
package enum TokenConfirmation: Sendable, Hashable {
    /// The thumbprint of the key that signs requests (RFC 7638).
    case key(thumbprint: String)
    /// The SHA-256 of the client's certificate, in base64url (RFC 8705 §3.1).
    case certificate(thumbprint: String)
    /// Something that is not supported, or more than one thing.
    case other

    /// Reads the claim `cnf`; `nil` if the token is not bound.
    init?(_ value: JSONValue?) {
        guard let value else { return nil }
        let members = value.object ?? [:]
        self =
            switch (members.count, members["kid"]?.string, members["x5t#S256"]?.string) {
            case (1, let thumbprint?, nil): .key(thumbprint: thumbprint)
            case (1, nil, let thumbprint?): .certificate(thumbprint: thumbprint)
            default: .other
            }
    }

    package static func == (left: TokenConfirmation, right: TokenConfirmation) -> Bool {
        switch (left, right) {
        case (.key(let left), .key(let right)), (.certificate(let left), .certificate(let right)):
            left.isExactly(right)
        case (.other, .other): true
        default: false
        }
    }
}
