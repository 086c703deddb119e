// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// Makes the JWT with which a client proves that it has a key (RFC 7523 §3, docs/reference/Services.md#assertions).
struct ClientAssertion: Sendable {
    let signer: any MSALAssertionSigner
    let thumbprints: CertificateThumbprints
    /// The leaf and its issuers in DER.
    let chain: [Data]
    let extraClaims: [String: String]
    let environment: ServerEnvironment

    /// Signs an assertion for a request.
    ///
    /// - Throws: `.invalidCredential` if the service takes none of the signer's algorithms; `.credentialUnavailable` if the
    ///   signer fails.
    func signed(for context: MSALAssertionContext) async throws(MSALTokenError) -> Secret {
        let algorithm = try MSALSignatureAlgorithm.choice(of: signer.algorithms, among: context.signatureAlgorithms)
        let content = part(header(algorithm, context: context)) + "." + part(claims(context))
        let signature: Data
        do {
            signature = try await signer.sign(Data(content.utf8), with: algorithm)
        } catch {
            if Task.isCancelled { throw .cancellation }
            throw MSALTokenError(
                .credentialUnavailable,
                message:
                    "The signer of the client's assertion failed (\(type(of: error))). The underlying error has the "
                    + "cause.",
                underlying: [error]
            )
        }
        return Secret(content + "." + Base64URL.encode(signature))
    }

    private func header(_ algorithm: MSALSignatureAlgorithm, context: MSALAssertionContext) -> [String: JSONValue] {
        var header: [String: JSONValue] = ["alg": .string(algorithm.rawValue), "typ": .string("JWT")]
        header[algorithm.thumbprintMember] = .string(algorithm == .ps256 ? thumbprints.sha256 : thumbprints.sha1)
        if context.sendsCertificateChain { header["x5c"] = .array(chain.map { .string($0.base64EncodedString()) }) }
        return header
    }

    private func claims(_ context: MSALAssertionContext) -> [String: JSONValue] {
        let now = Int64(environment.time.now.timeIntervalSince1970.rounded(.down))
        let fixed: [String: JSONValue] = [
            "aud": .string(context.tokenEndpoint.absoluteString),
            "iss": .string(context.clientId),
            "sub": .string(context.clientId),
            "jti": .string(identifier()),
            "iat": .integer(now),
            "nbf": .integer(now),
            "exp": .integer(now + Self.life),
        ]
        return extraClaims.mapValues { .string($0) }.merging(fixed) { _, fixed in fixed }
    }

    /// The seconds for which an assertion is valid.
    private static let life: Int64 = 600

    /// A random UUID (RFC 9562 §5.4).
    private func identifier() -> String {
        var bytes = environment.random(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
        return groups.map { Hexadecimal.text($0) }.joined(separator: "-")
    }

    private func part(_ members: [String: JSONValue]) -> String {
        Base64URL.encode(JSONValue.object(members).text.utf8)
    }
}
