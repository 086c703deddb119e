// Licensed under the MIT License. See LICENSE.

import CountedAllocations
import Crypto
import CryptoExtras
import Foundation
import JWTKit
import MSALServer

/// Validation of access tokens, whose keys are at the endpoint on this machine. jwt-kit verifies the same tokens.
struct APIRows {
    let table: Table
    let folder: String
    /// The largest number of tokens.
    let most: Int

    private static let audience = "99999999-0000-4000-8000-0000000000d1"

    func run() async throws {
        let issuer = try Issuer(audience: Self.audience)
        let endpoint = try Endpoint(folder)
        defer { endpoint.stop() }
        try issuer.publish(in: folder)
        table.title("Tokens that an API receives (accounts: tokens)")
        try await first(issuer)
        try await cached(issuer)
        try await rejections(issuer)
        try await allocations(issuer)
        try await TokenFloodRows(table: table, issuer: issuer, folder: folder, most: most).run()
        try await HummingbirdRows(table: table, issuer: issuer, folder: folder, most: most).run()
    }

    // MARK: Speed

    /// The first check of a token, compared with verifying only its signature and with jwt-kit.
    private func first(_ issuer: Issuer) async throws {
        let token = try issuer.token(1)
        let header = ["Bearer \(token)"]
        let verification = try issuer.verification(of: token)
        let bare = try await measured(Rounds(samples: 31, calls: 200)) { _ in
            guard verification() else { throw CocoaError(.coderInvalidValue) }
        }
        let validator = try await issuer.validator(caching: 0)
        let ours = try await measured(Rounds(samples: 31, calls: 200)) { _ in
            _ = try await validator.validate(authorization: header, request: MSALRequestFacts())
        }
        let claims = try await measured(Rounds(samples: 31, calls: 200)) { _ in
            _ = try MSALValidatedToken(checkedElsewhere: token)
        }
        let keys = JWTKeyCollection()
        await keys.add(
            rsa: try Insecure.RSA.PublicKey(pem: issuer.publicPEM),
            digestAlgorithm: .sha256,
            kid: JWKIdentifier(string: Issuer.keyID)
        )
        let theirs = try await measured(Rounds(samples: 31, calls: 200)) { _ in
            _ = try await keys.verify(token, as: JWTKitClaims.self)
        }
        let limit = Limit(what: "\(token.utf8.count) bytes", value: nil)
        table.row(
            "full check of a new token",
            at: 1,
            ours,
            limit: Limit(what: "RSA", value: bare.median),
            target: 1.1 * bare.median
        )
        table.row("full checks per second and core", at: 1, value: 1e6 / ours.median, unit: .ratio)
        table.row("reading header and claims only", at: 1, claims, limit: limit)
        table.row("jwt-kit, which checks only signature and time", at: 1, theirs, limit: limit)
    }

    /// Repeated checks of cached tokens.
    private func cached(_ issuer: Issuer) async throws {
        let validator = try await issuer.validator(caching: 10_000)
        var dice = Dice()
        for count in [1, 1000] where count <= most {
            let headers = try (0..<count).map { try issuer.header($0) }
            for header in headers {
                _ = try await validator.validate(authorization: header, request: MSALRequestFacts())
            }
            let order = (0..<4096).map { _ in headers[dice.roll(count)] }
            let figure = try await measured(Rounds(samples: 31, calls: 4096)) { number in
                _ = try await validator.validate(
                    authorization: order[number % order.count],
                    request: MSALRequestFacts()
                )
            }
            table.row("cached token", at: count, figure, target: 6)
        }
    }

    /// Tokens that are rejected before their signature is verified.
    private func rejections(_ issuer: Issuer) async throws {
        let validator = try await issuer.validator(caching: 10_000)
        let otherTenant = "22222222-2222-2222-2222-222222222222"
        let bad: [(String, String)] = [
            ("too large", String(repeating: "a", count: 33_000)),
            ("two parts", try issuer.token(1).split(separator: ".").prefix(2).joined(separator: ".")),
            ("no algorithm", try issuer.token(1, header: #"{"typ":"JWT","alg":"none"}"#)),
            ("no issuer", try issuer.token(1, issuer: "")),
            ("another issuer", try issuer.token(1, issuer: "https://\(Content.host)/\(otherTenant)/v2.0")),
            ("another tenant", try issuer.token(1, tenant: otherTenant)),
        ]
        for (name, token) in bad {
            let header = ["Bearer \(token)"]
            let figure = await measured(Rounds(samples: 31, calls: 1000)) { _ in
                // The rejection is what is measured.
                _ = try? await validator.validate(authorization: header, request: MSALRequestFacts())
            }
            table.row("rejection before the signature: \(name)", at: 1, figure, target: 10)
        }
    }

    // MARK: Allocations

    /// The allocations of a full check. Those of reading the claims and of verifying the signature are counted separately.
    private func allocations(_ issuer: Issuer) async throws {
        let count = 500
        let tokens = try (0..<2 * count).map { try issuer.token($0) }
        let headers = tokens.map { ["Bearer \($0)"] }
        func counted(_ body: (Int) async throws -> Void) async rethrows -> Double {
            // Warms up, so that objects that are created once do not count.
            for number in 0..<count { try await body(number) }
            counted_allocations_begin()
            for number in count..<2 * count { try await body(number) }
            return Double(counted_allocations_end()) / Double(count)
        }
        let claims = try await counted { _ = try MSALValidatedToken(checkedElsewhere: tokens[$0]) }
        let signatures = try tokens.map { try issuer.verification(of: $0) }
        let signature = try await counted { number in
            guard signatures[number]() else { throw CocoaError(.coderInvalidValue) }
        }
        let validator = try await issuer.validator(caching: 0)
        let all = try await counted { number in
            _ = try await validator.validate(authorization: headers[number], request: MSALRequestFacts())
        }
        table.row("allocations of a full check", at: 1, value: all, unit: .ratio)
        table.row("of these, reading the claims", at: 1, value: claims, unit: .ratio)
        table.row("of these, verifying the signature", at: 1, value: signature, unit: .ratio)
        table.row("of these, the check itself", at: 1, value: all - claims - signature, unit: .ratio, target: 3)
    }
}

/// The claims that jwt-kit decodes: those that an API reads.
private struct JWTKitClaims: JWTPayload {
    let exp: ExpirationClaim
    let aud: String
    let scp: String?
    let oid: String?
    let tid: String?

    func verify(using algorithm: some JWTAlgorithm) async throws { try exp.verifyNotExpired() }
}
