// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation

/// The `sub` of a user's tokens, which differs between applications (OpenID Connect Core §8.1).
struct PairwiseSubject: Sendable {
    let userID: String
    let tenantID: String
    let clientID: String

    /// The claim.
    var text: String {
        let parts = [userID, tenantID, clientID.lowercased()]
        return Data(SHA256.hash(data: Data(parts.joined(separator: "|").utf8))).base64URL
    }
}
