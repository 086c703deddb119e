// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// What the `Authorization` header of a request carries (RFC 9110 §11.6.2, RFC 6750 §2.1).
package enum AuthorizationHeader {
    /// The scheme by which the token is presented.
    package enum Scheme: Sendable {
        /// The access token comes as it is.
        case bearer
        /// An access token inside a signed request (draft-ietf-oauth-signed-http-request).
        case signedRequest
        /// An access token that is bound to the certificate of the connection (Microsoft's scheme `mtls_pop`).
        case certificate
    }

    /// Reads the lines of the header.
    ///
    /// - Parameters:
    ///   - lines: The values of all header lines of this name.
    ///   - proofs: Whether the schemes with a proof are taken beside `Bearer`.
    /// - Returns: How the token is presented, and the token.
    /// - Throws: `.absent` without a token for this API; `.unsupportedDPoP`; `.malformedRequest`; `.tokenTooLarge`.
    package static func credential(
        of lines: [String],
        takingProofs proofs: Bool
    ) throws(MSALTokenRejection) -> (scheme: Scheme, token: String) {
        guard let line = lines.first else { throw MSALTokenRejection(.absent) }
        guard lines.count == 1 else { throw MSALTokenRejection(.malformedRequest) }
        let bytes = line.utf8
        let space = bytes.firstIndex(of: UInt8(ascii: " ")) ?? bytes.endIndex
        let name = line[..<space]
        guard !name.isEmpty, name.utf8.allSatisfy(\.isOfHTTPToken) else { throw MSALTokenRejection(.malformedRequest) }
        guard let scheme = scheme(name.lowercased(), takingProofs: proofs) else {
            throw MSALTokenRejection(name.lowercased() == "dpop" ? .unsupportedDPoP : .absent)
        }
        let token = String(line[space...].drop { $0 == " " })
        guard token.utf8.count <= CompactToken.maximumLength else { throw MSALTokenRejection(.tokenTooLarge) }
        guard token.isBearerToken else { throw MSALTokenRejection(.malformedRequest) }
        return (scheme, token)
    }

    private static func scheme(_ name: String, takingProofs proofs: Bool) -> Scheme? {
        switch name {
        case "bearer": .bearer
        case "pop" where proofs: .signedRequest
        case "mtls_pop" where proofs: .certificate
        default: nil
        }
    }
}
