// Licensed under the MIT License. See LICENSE.

package import Foundation
package import MSALCore

extension MSALSignatureAlgorithm {
    /// The algorithms that an authority takes, the better one first (docs/reference/Services.md#assertions).
    package static func taken(by kind: Authority.Kind, at endpoint: URL) -> [MSALSignatureAlgorithm] {
        // OpenID Connect Discovery §3: an issuer should support RS256.
        if kind == .oidc { return [.rs256, .ps256] }
        // dSTS is known by its path.
        let isOlder = kind == .adfs || endpoint.path().lowercased().hasPrefix("/dstsv2/")
        return isOlder ? [.rs256] : [.ps256, .rs256]
    }

    /// The first of the algorithms that the authority takes and the signer has.
    ///
    /// - Throws: `.invalidCredential` if there is none.
    package static func choice(
        of offered: [MSALSignatureAlgorithm],
        among taken: [MSALSignatureAlgorithm]
    ) throws(MSALTokenError) -> MSALSignatureAlgorithm {
        guard let algorithm = taken.first(where: offered.contains) else {
            let names = { (list: [MSALSignatureAlgorithm]) in list.map(\.rawValue).joined(separator: " or ") }
            throw MSALTokenError(
                .invalidCredential,
                message:
                    "The signer offers \(offered.isEmpty ? "no algorithm" : names(offered)), and the service takes "
                    + "\(names(taken))."
            )
        }
        return algorithm
    }

    /// The member of the header that names the certificate. It depends on the algorithm, as in other libraries.
    package var thumbprintMember: String { self == .ps256 ? "x5t#S256" : "x5t" }
}
