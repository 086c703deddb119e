// Licensed under the MIT License. See LICENSE.

import CountedAllocations
import Crypto
import CryptoExtras
import Foundation
import JWTKit
import MSALServer

/// Access tokens that an API receives, whose issuer is the endpoint on this machine. jwt-kit is measured in the same run.
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
        table.title("Tokens that an API receives; the column of accounts is that of tokens")
        try await first(issuer)
        try await again(issuer)
        try await refusals(issuer)
        try await allocations(issuer)
        try await TokenFloodRows(table: table, issuer: issuer, folder: folder, most: most).run()
        try await HummingbirdRows(table: table, issuer: issuer, folder: folder, most: most).run()
    }

    // MARK: Speed

    /// A token that nobody remembers, beside its bare verification and jwt-kit.
    private func first(_ issuer: Issuer) async throws {
        let token = try issuer.token(1)
        let header = ["Bearer \(token)"]
        let verification = try issuer.verification(of: token)
        let bare = try await measured(Rounds(samples: 31, calls: 200)) { _ in
            guard verification() else { throw CocoaError(.coderInvalidValue) }
        }
        let validator = try await issuer.validator(remembering: 0)
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
        let limit = Limit(what: "RSA", value: bare.median)
        table.row(
            "a token of \(token.utf8.count) bytes, the first time",
            at: 1,
            ours,
            limit: limit,
            target: 1.1 * bare.median
        )
        table.row("of it, the reading of header and claims alone", at: 1, claims, limit: limit)
        table.row("the same with jwt-kit, which checks the time alone", at: 1, theirs, limit: limit)
    }

    /// Tokens from the memory.
    private func again(_ issuer: Issuer) async throws {
        let validator = try await issuer.validator(remembering: 10_000)
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
            table.row("a token from the memory", at: count, figure, target: 6)
        }
    }

    /// Tokens that are refused before their signature is looked at.
    private func refusals(_ issuer: Issuer) async throws {
        let validator = try await issuer.validator(remembering: 10_000)
        let stranger = "22222222-2222-2222-2222-222222222222"
        let bad: [(String, String)] = [
            ("too large", String(repeating: "a", count: 33_000)),
            ("two parts", try issuer.token(1).split(separator: ".").prefix(2).joined(separator: ".")),
            ("no algorithm", try issuer.token(1, header: #"{"typ":"JWT","alg":"none"}"#)),
            ("no issuer", try issuer.token(1, issuer: "")),
            ("another issuer", try issuer.token(1, issuer: "https://\(Content.host)/\(stranger)/v2.0")),
            ("another tenant", try issuer.token(1, tenant: stranger)),
        ]
        for (name, token) in bad {
            let header = ["Bearer \(token)"]
            let figure = await measured(Rounds(samples: 31, calls: 1000)) { _ in
                // The refusal is what is measured.
                _ = try? await validator.validate(authorization: header, request: MSALRequestFacts())
            }
            table.row("a refusal before the signature: \(name)", at: 1, figure, target: 10)
        }
    }

    // MARK: Allocations

    /// What the check of a new token asks the allocator for, beside the reading of its claims and the verification of its
    /// signature. Both are counted by themselves.
    private func allocations(_ issuer: Issuer) async throws {
        let count = 500
        let tokens = try (0..<2 * count).map { try issuer.token($0) }
        let headers = tokens.map { ["Bearer \($0)"] }
        func counted(_ body: (Int) async throws -> Void) async rethrows -> Double {
            // What is made once is there before.
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
        let validator = try await issuer.validator(remembering: 0)
        let all = try await counted { number in
            _ = try await validator.validate(authorization: headers[number], request: MSALRequestFacts())
        }
        table.row("allocations of a first check", at: 1, value: all, unit: .ratio)
        table.row("of these, for the claims", at: 1, value: claims, unit: .ratio)
        table.row("of these, for the signature", at: 1, value: signature, unit: .ratio)
        table.row("of these, for the check itself", at: 1, value: all - claims - signature, unit: .ratio, target: 3)
    }
}

/// What jwt-kit is asked for: the members that an API reads.
private struct JWTKitClaims: JWTPayload {
    let exp: ExpirationClaim
    let aud: String
    let scp: String?
    let oid: String?
    let tid: String?

    func verify(using algorithm: some JWTAlgorithm) async throws { try exp.verifyNotExpired() }
}
