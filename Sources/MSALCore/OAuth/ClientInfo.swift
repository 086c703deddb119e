// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// The `client_info` member of a token response, which names the user in the home tenant
/// (docs/reference/Protocol.md#response-members).
package struct ClientInfo: Sendable, Hashable {
    /// The user's object ID in the home tenant. For B2C it also carries the policy.
    package let uid: String
    /// The home tenant's ID.
    package let utid: String
    /// The text as it was received.
    package let raw: String

    /// The key of the account in the token store, `<uid>.<utid>` in lower case.
    package var homeAccountID: String { "\(uid).\(utid)".lowercased() }

    /// Decodes the base64url JSON. The result is `nil` if it is malformed, if `uid` or `utid` is missing, or if one of them
    /// has a control character, with which the store would not find the account again.
    package init?(raw: String) {
        guard
            let data = Base64URL.decode(raw), let members = JSONValue(parsing: data)?.object,
            let uid = members["uid"]?.string, !uid.allSatisfy(\.isWhitespace), !uid.hasControlCharacters,
            let utid = members["utid"]?.string, !utid.allSatisfy(\.isWhitespace), !utid.hasControlCharacters
        else { return nil }
        self.uid = uid
        self.utid = utid
        self.raw = raw
    }
}
