// Licensed under the MIT License. See LICENSE.

package import Foundation
import MSALCore

/// The id of a user or a service principal, as a token has it.
///
/// Nearly all are GUIDs in lower case. They take 16 bytes here, and no memory of their own.
package enum TokenObjectID: Sendable {
    case absent
    case guid(UUID)
    case text(String)

    package init(_ text: String?) {
        guard let text else {
            self = .absent
            return
        }
        let isLowercase = !text.utf8.contains { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
        if isLowercase, text.isTenantID, let id = UUID(uuidString: text) {
            self = .guid(id)
        } else {
            self = .text(text)
        }
    }

    /// The id as it stands in the token. It is made when it is asked for.
    package var text: String? {
        switch self {
        case .absent: nil
        case .guid(let id): id.uuidString.lowercased()
        case .text(let text): text
        }
    }
}
