// Licensed under the MIT License. See LICENSE.

import Foundation
package import MSALBase

/// The names in an assertion by which a registration chooses a federated credential. The assertion is not checked.
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
    /// The error of a refused request, with facts about the proof.
    ///
    /// If no federated credential fits the assertion, the facts are the assertion's names. If the service does not know
    /// the signature or the certificate, the fact is the certificate's thumbprint.
    package func explaining(_ error: MSALTokenError) -> MSALTokenError {
        if error.kind == .federationMismatch, let names = assertion.flatMap(AssertionNames.init(assertion:)) {
            return error.appendingToMessage(
                "The assertion has \(names). The federated credential of the registration must have the same, letter by "
                    + "letter."
            )
        }
        if error.serviceCodes.contains(Self.unknownCertificate), let thumbprint {
            return error.appendingToMessage(
                "The certificate that was used has the thumbprint \(thumbprint) (base64url)."
            )
        }
        return error
    }

    /// AADSTS700027: the certificate is not registered, or another key has signed.
    private static let unknownCertificate = 700_027

    /// The thumbprint by which the service looked for the certificate.
    private var thumbprint: String? {
        if let certificate { return certificate.thumbprint }
        guard
            let header = assertion?.exposed.parts(at: UInt8(ascii: ".")).first, header.utf8.count <= 32_768,
            let members = Base64URL.decode(header).flatMap(JSONValue.init(parsing:))?.object
        else { return nil }
        let text = members["x5t#S256"]?.string ?? members["x5t"]?.string
        return text.map { VisibleText.line($0, without: [], limit: 64) }
    }
}

extension MSALTokenError {
    /// The same error with another sentence at the end of its message.
    fileprivate func appendingToMessage(_ sentence: String) -> MSALTokenError {
        var facts = facts
        facts.message += " \(sentence)"
        return MSALTokenError(kind, facts: facts)
    }
}
