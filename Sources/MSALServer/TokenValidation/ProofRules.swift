// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase
import MSALCore
import Synchronization

/// Checks the proofs that come with bound tokens.
final class ProofRules: Sendable {
    let settings: MSALProofSettings
    private let authority: Authority.Kind
    private let time: any TimeSource
    private let proxies: [NetworkRange]
    private let memory = Mutex(ProofMemory())

    /// How long a nonce is remembered. A proof is accepted from five minutes before its own time to five minutes after
    /// it, so it cannot be replayed later.
    private static let memoryTime: Duration = .seconds(600)

    /// - Throws: `.configuration` if a proxy is not a valid address.
    init(_ settings: MSALProofSettings, authority: Authority.Kind, time: any TimeSource) throws(MSALTokenError) {
        self.settings = settings
        self.authority = authority
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
                    "A header forwards certificates, but no proxy is trusted to set it. Specify the proxies' addresses."
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
            try isFirst(proof, ofKey: keyThumbprint)
        else { throw MSALTokenRejection(.invalidProof) }
    }

    /// Whether the proof did not come before. It is remembered.
    private func isFirst(_ proof: SignedRequestProof, ofKey thumbprint: String) throws(MSALTokenRejection) -> Bool {
        guard settings.maximumRememberedProofs > 0 else { return true }
        guard let nonce = proof.nonce, nonce.utf8.count <= 512 else { return false }
        let claims = try CompactToken(proof.accessToken).payload
        let caller = ["iss", "tid", CommonClaims.clientClaim(in: claims, from: authority), "sub"]
            .map { claims[$0]?.text ?? "" }.joined(separator: " ")
        let now = time.uptime
        return memory.withLock { memory in
            memory.forget(before: now - Self.memoryTime)
            return memory.keep(
                TokenDigest(of: Secret("\(thumbprint) \(nonce)")),
                of: TokenDigest(of: Secret(caller)),
                at: now,
                maximum: settings.maximumRememberedProofs
            )
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

/// The signed requests that came within the last minutes.
private struct ProofMemory {
    private struct Entry {
        let proof: TokenDigest
        let caller: TokenDigest
        let at: Duration
    }

    private var seen: Set<TokenDigest> = []
    private var held: [TokenDigest: Int] = [:]
    /// From the oldest to the youngest. Those before `first` are forgotten.
    private var entries: [Entry] = []
    private var first = 0

    mutating func forget(before start: Duration) {
        while first < entries.count, entries[first].at <= start {
            let entry = entries[first]
            first += 1
            seen.remove(entry.proof)
            held[entry.caller] = held[entry.caller].flatMap { $0 > 1 ? $0 - 1 : nil }
        }
        guard first > entries.count / 2 else { return }
        entries.removeFirst(first)
        first = 0
    }

    /// Remembers a proof; `false` if it came before or has no room. A caller may hold as many as are free, so one alone
    /// takes half, and others always have room.
    mutating func keep(_ proof: TokenDigest, of caller: TokenDigest, at now: Duration, maximum: Int) -> Bool {
        guard held[caller, default: 0] < maximum - seen.count, seen.insert(proof).inserted else { return false }
        held[caller, default: 0] += 1
        entries.append(Entry(proof: proof, caller: caller, at: now))
        return true
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

/// How a client proves possession of a bound token: with signed requests, or with the certificate of its connection.
public struct MSALProofSettings: Sendable {
    /// Whether signed requests, which use the scheme `PoP`, are accepted.
    public var acceptsSignedRequests = true

    /// Whether tokens that are bound to the client's certificate are accepted, with the scheme `Bearer` or `mtls_pop`.
    public var acceptsCertificates = true

    /// Creates a nonce for a client's next signed request. Rejections then carry it.
    public var makeNonce: (@Sendable () -> String)?

    /// Whether the API issued this nonce, and it is still valid. If set, a signed request without a valid nonce is
    /// rejected.
    public var acceptsNonce: (@Sendable (String) -> Bool)?

    /// How many signed requests are remembered, for ten minutes each, to detect replays. Each request then needs its
    /// own nonce. Zero disables replay detection. One caller can fill at most half of the memory, so that space remains
    /// for others.
    public var maximumRememberedProofs = 0

    /// The header in which a proxy forwards the client's certificate, such as `Client-Cert` (RFC 9440),
    /// `X-ARR-ClientCert` or a header with the certificate as percent-encoded PEM.
    public var certificateHeader: String?

    /// The addresses of the proxies that may set ``certificateHeader``: single ones, or networks such as `10.1.0.0/16`.
    /// From any other address, the header is ignored.
    public var trustedProxies: Set<String> = []

    /// Creates settings that accept signed requests and the certificates of connections, without nonces, replay
    /// detection, or proxies.
    public init() {}
}
