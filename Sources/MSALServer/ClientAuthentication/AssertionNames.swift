// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALSupport

/// The names in an assertion by which a registration chooses a federated credential. Nothing of it is checked.
package struct AssertionNames: Sendable, Hashable, CustomStringConvertible {
    private let issuer: String
    private let subject: String
    private let audience: String

    /// Reads the claims of a JWT (RFC 7519 §4.1); `nil` for other text.
    package init?(assertion: Secret) {
        let parts = assertion.exposed.parts(at: UInt8(ascii: "."))
        guard
            parts.count == 3, parts[1].utf8.count <= Self.limit, let payload = Base64URL.decode(parts[1]),
            let claims = JSONValue(parsing: payload)?.object
        else { return nil }
        func text(_ name: String) -> String {
            let value = claims[name]?.string ?? claims[name]?.array?.compactMap(\.string).joined(separator: " ")
            guard let value, !value.isEmpty else { return "none" }
            return "'\(VisibleText.line(value, without: [assertion], limit: 256))'"
        }
        issuer = text("iss")
        subject = text("sub")
        audience = text("aud")
    }

    /// The largest part that is read, in characters.
    private static let limit = 32_768

    /// The three names, to follow "The assertion has".
    package var description: String { "the issuer \(issuer), the subject \(subject) and the audience \(audience)" }
}

extension ClientProof {
    /// The error of a refused request. If no federated credential fits the assertion, it shows what the assertion says.
    package func explaining(_ error: MSALTokenError) -> MSALTokenError {
        guard
            error.kind == .federationMismatch, case .assertion(let assertion) = self,
            let names = AssertionNames(assertion: assertion)
        else { return error }
        return MSALTokenError(
            error.kind,
            reason: error.reason,
            message:
                "\(error.message) The assertion has \(names). The federated credential of the registration must have "
                + "the same, letter by letter.",
            refusal: error.refusal,
            correlationID: error.correlationID,
            serviceCodes: error.serviceCodes,
            retryAfter: error.retryAfter,
            underlying: error.causes
        )
    }
}
