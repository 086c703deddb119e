// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALCore

// What the tests read from a challenge, and the library does not.

extension AuthenticateChallenge {
    package var nonce: String? { parameters["nonce"] }
    package var resource: String? { parameters["resource_id"] ?? parameters["resource"] ?? parameters["client_id"] }

    /// The authority to ask. It is the authorization endpoint's URL without its last path segments.
    package var authority: String? {
        guard
            let text = parameters["authorization_uri"] ?? parameters["authorization"] ?? parameters["authority"]
        else { return nil }
        let endings = ["/v2.0/oauth2/authorize", "/oauth2/v2.0/authorize", "/oauth2/authorize"]
        guard let ending = endings.first(where: { text.lowercased().hasSuffix($0) }) else { return text }
        return String(text.dropLast(ending.count))
    }

    /// The tenant in the authority's path. It is `nil` for AD FS, which has none.
    package var tenant: String? {
        guard let authority, let url = URL(string: authority) else { return nil }
        let first = url.pathComponents.first { $0 != "/" }
        return first?.lowercased() == "adfs" ? nil : first
    }

    /// Whether this is a challenge of the named scheme, whose case does not matter.
    package func isScheme(_ name: String) -> Bool { scheme.caseInsensitiveCompare(name) == .orderedSame }
}

extension [AuthenticateChallenge] {
    /// The nonce of the proof-of-possession challenge.
    package var proofOfPossessionNonce: String? { lazy.filter { $0.isScheme("pop") }.compactMap(\.nonce).first }
}
