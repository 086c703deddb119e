// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import Synchronization

/// Checks the proofs that come with bound tokens.
final class ProofRules: Sendable {
    let settings: MSALProofSettings
    private let time: any TimeSource
    private let proxies: [NetworkRange]
    /// The nonces of signed requests with the time at which they came.
    private let used = Mutex<[String: Duration]>([:])

    /// How long a nonce is remembered. A proof is accepted from five minutes before its own time to five minutes after it, so
    /// nobody can send it again later.
    private static let memoryTime: Duration = .seconds(600)

    /// - Throws: `.configuration` if a proxy is no address.
    init(_ settings: MSALProofSettings, time: any TimeSource) throws(MSALTokenError) {
        self.settings = settings
        self.time = time
        var proxies: [NetworkRange] = []
        for text in settings.trustedProxies {
            guard let addresses = NetworkRange(text) else {
                throw MSALTokenError(
                    .configuration,
                    message:
                        "\"\(text.visibleLine)\" among the trusted proxies is neither an IP address nor a network such as "
                        + "10.1.0.0/16."
                )
            }
            proxies.append(addresses)
        }
        guard settings.certificateHeader == nil || !proxies.isEmpty else {
            throw MSALTokenError(
                .configuration,
                message:
                    "A header hands on certificates, but no proxy is trusted to set it. Name the proxies' addresses."
            )
        }
        guard settings.maximumRememberedProofs >= 0 else {
            throw MSALTokenError(.configuration, message: "The number of remembered proofs cannot be negative.")
        }
        self.proxies = proxies
    }

    /// Checks a signed request.
    ///
    /// - Throws: `.invalidProof`.
    func check(
        _ proof: SignedRequestProof,
        keyThumbprint: String,
        request: MSALRequestFacts
    ) throws(MSALTokenRejection) {
        guard
            proof.holds(keyThumbprint: keyThumbprint, for: request, at: Double(time.wholeSeconds)),
            settings.acceptsNonce.map({ accepts in proof.nonce.map(accepts) ?? false }) ?? true,
            isFirst(proof, ofKey: keyThumbprint)
        else { throw MSALTokenRejection(.invalidProof) }
    }

    /// Whether the proof did not come before. It is remembered.
    private func isFirst(_ proof: SignedRequestProof, ofKey thumbprint: String) -> Bool {
        guard settings.maximumRememberedProofs > 0 else { return true }
        guard let nonce = proof.nonce, nonce.utf8.count <= 512 else { return false }
        let now = time.uptime
        return used.withLock { used in
            if used.count >= settings.maximumRememberedProofs {
                used = used.filter { now - $0.value < Self.memoryTime }
                // No proof is forgotten early. A full memory refuses new ones.
                guard used.count < settings.maximumRememberedProofs else { return false }
            }
            let name = "\(thumbprint) \(nonce)"
            if let seen = used[name], now - seen < Self.memoryTime { return false }
            used[name] = now
            return true
        }
    }

    /// Checks the certificate of the connection.
    ///
    /// - Throws: `.boundTokenWithoutProof` without a certificate; `.invalidProof` with another one.
    func check(certificateThumbprint: String, request: MSALRequestFacts) throws(MSALTokenRejection) {
        guard let certificate = certificate(of: request) else { throw MSALTokenRejection(.boundTokenWithoutProof) }
        let thumbprint = Base64URL.encode(SHA256.hash(data: certificate))
        guard constantTimeEqual(thumbprint, to: certificateThumbprint) else { throw MSALTokenRejection(.invalidProof) }
    }

    /// The client's certificate. Behind a trusted proxy it is the one that the proxy saw.
    private func certificate(of request: MSALRequestFacts) -> Data? {
        guard let name = settings.certificateHeader, let peer = request.peerAddress,
            proxies.contains(where: { $0.contains(peer) })
        else { return request.peerCertificate }
        let values = request.values(of: name)
        return values.count == 1 ? ForwardedCertificate.bytes(of: values[0]) : nil
    }
}

/// A client's certificate in a header that a proxy sets.
enum ForwardedCertificate {
    /// The DER bytes of a value in one of three forms: a byte sequence between colons (RFC 9440 §2.1), base64, or PEM that is
    /// percent-encoded. The result is `nil` for anything else.
    static func bytes(of value: String) -> Data? {
        var text = value.trimmed
        guard text.utf8.count <= 32_768 else { return nil }
        if text.hasPrefix(":"), text.hasSuffix(":"), text.utf8.count > 2 {
            text = String(text.dropFirst().dropLast())
        } else if text.contains("%") || text.hasPrefix("-----") {
            guard let decoded = text.removingPercentEncoding else { return nil }
            let lines = decoded.split(whereSeparator: \.isNewline).map(String.init)
            guard lines.first == "-----BEGIN CERTIFICATE-----", lines.last == "-----END CERTIFICATE-----" else {
                return nil
            }
            text = lines.dropFirst().dropLast().joined()
        }
        return Data(base64Encoded: text)
    }
}
