// Licensed under the MIT License. See LICENSE.

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
        try await inventedKeys(issuer)
        try await memory(issuer)
    }

    private func validator(remembering maximum: Int) async throws -> MSALTokenValidator {
        var configuration = MSALTokenValidatorConfiguration(
            clientId: Self.audience,
            authority: .tenant(Content.tenant, host: Content.host)
        )
        configuration.maximumRememberedTokens = maximum
        configuration.caFile = ProcessInfo.processInfo.environment["BENCHMARK_CA"].map { URL(filePath: $0) }
        configuration.logger.logLevel = .critical
        let validator = try MSALTokenValidator(configuration)
        try await validator.prepare()
        return validator
    }

    // MARK: Speed

    /// A token that nobody remembers, beside its bare verification and jwt-kit.
    private func first(_ issuer: Issuer) async throws {
        let token = try issuer.token(1)
        let header = ["Bearer \(token)"]
        let bare = try await measured(Rounds(samples: 31, calls: 200)) { _ in
            guard issuer.verifies(token) else { throw CocoaError(.coderInvalidValue) }
        }
        let validator = try await validator(remembering: 0)
        let ours = try await measured(Rounds(samples: 31, calls: 200)) { _ in
            _ = try await validator.validate(authorization: header, request: MSALRequestFacts())
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
        table.row("a token of \(token.utf8.count) bytes, the first time", at: 1, ours, limit: limit, target: 1.1 * bare.median)
        table.row("the same with jwt-kit, which checks the time alone", at: 1, theirs, limit: limit)
    }

    /// Tokens from the memory.
    private func again(_ issuer: Issuer) async throws {
        let validator = try await validator(remembering: 10_000)
        var dice = Dice()
        for count in [1, 1000] where count <= most {
            let headers = try (0..<count).map { ["Bearer \(try issuer.token($0))"] }
            for header in headers { _ = try await validator.validate(authorization: header, request: MSALRequestFacts()) }
            let order = (0..<4096).map { _ in headers[dice.roll(count)] }
            let figure = try await measured(Rounds(samples: 31, calls: 4096)) { number in
                _ = try await validator.validate(authorization: order[number % order.count], request: MSALRequestFacts())
            }
            table.row("a token from the memory", at: count, figure, target: 6)
        }
    }

    /// Tokens that are refused before their signature is looked at.
    private func refusals(_ issuer: Issuer) async throws {
        let validator = try await validator(remembering: 10_000)
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

    /// Many tokens with key ids that nobody publishes, beside good ones.
    private func inventedKeys(_ issuer: Issuer) async throws {
        let validator = try await validator(remembering: 10_000)
        let good = try (0..<100).map { ["Bearer \(try issuer.token($0))"] }
        for header in good { _ = try await validator.validate(authorization: header, request: MSALRequestFacts()) }
        let before = try issuer.requests(in: folder)
        func slowest(beside strangers: Int) async throws -> Double {
            var times: [Double] = []
            for round in 0..<1000 {
                for number in 0..<strangers {
                    let header = #"{"typ":"JWT","alg":"RS256","kid":"invented-\#(round)-\#(number)"}"#
                    let token = try issuer.token(1, header: header, isSigned: false)
                    _ = try? await validator.validate(authorization: ["Bearer \(token)"], request: MSALRequestFacts())
                }
                let start = Moment()
                _ = try await validator.validate(authorization: good[round % good.count], request: MSALRequestFacts())
                times.append(start.cost().wall)
            }
            return times.sorted()[990]
        }
        let alone = try await slowest(beside: 0)
        let crowded = try await slowest(beside: 100)
        let fetches = try issuer.requests(in: folder) - before
        table.row("key fetches for 100,000 invented key ids", at: 100_000, value: Double(fetches), unit: .ratio, target: 1)
        table.row(
            "the 99th percentile of good tokens beside them, in times of alone",
            at: 100_000,
            value: crowded / alone,
            unit: .ratio,
            target: 1.2
        )
    }

    // MARK: Memory

    /// What the process grows by for each token that it remembers.
    private func memory(_ issuer: Issuer) async throws {
        let count = min(10_000, most)
        let validator = try await validator(remembering: 2 * count)
        let headers = try (0..<count).map { ["Bearer \(try issuer.token($0))"] }
        // What is not kept is there before.
        let other = try await self.validator(remembering: 0)
        for header in headers.prefix(500) { _ = try await other.validate(authorization: header, request: MSALRequestFacts()) }
        let before = residentBytes()
        for header in headers { _ = try await validator.validate(authorization: header, request: MSALRequestFacts()) }
        let each = Double(residentBytes() - before) / Double(count)
        table.row("growth of the process for each remembered token", at: count, value: each, unit: .bytes, target: 200)
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

/// An issuer with one key, whose tokens have the usual size.
private struct Issuer {
    static let keyID = "benchmark-key"

    let audience: String
    private let key: _RSA.Signing.PrivateKey
    private let publicKey: _RSA.Signing.PublicKey

    init(audience: String) throws {
        self.audience = audience
        key = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        publicKey = key.publicKey
    }

    var publicPEM: String { publicKey.pemRepresentation }

    /// Writes the key set that the endpoint serves.
    func publish(in folder: String) throws {
        let primitives = try publicKey.getKeyPrimitives()
        let members = ["kty": "RSA", "use": "sig", "kid": Self.keyID, "n": Self.encoded(primitives.modulus),
                       "e": Self.encoded(primitives.publicExponent)]
        let data = try JSONEncoder().encode(["keys": [members]])
        try data.write(to: URL(filePath: folder).appending(path: "keys.json"))
    }

    /// How often the endpoint was asked for the keys.
    func requests(in folder: String) throws -> Int {
        try Data(contentsOf: URL(filePath: folder).appending(path: "key-requests")).count
    }

    /// A token of a user, 1.6 KB long.
    func token(
        _ number: Int,
        header: String = #"{"typ":"JWT","alg":"RS256","kid":"benchmark-key"}"#,
        issuer: String? = nil,
        tenant: String = Content.tenant,
        isSigned: Bool = true
    ) throws -> String {
        let end = Int(Date().timeIntervalSince1970) + 86_400
        let digits = String(number)
        let user = "33333333-3333-4333-8333-" + String(repeating: "0", count: 12 - digits.count) + digits
        let name = issuer ?? "https://\(Content.host)/\(Content.tenant)/v2.0"
        let claims = """
            {"ver":"2.0","aud":"\(audience)","azp":"\(Content.clientID)","oid":"\(user)","tid":"\(tenant)",\
            "iss":"\(name)","sub":"s\(number)","scp":"Orders.Read","name":"User \(number)",\
            "preferred_username":"user-\(number)@contoso.example",\
            "exp":\(end),"iat":\(end - 90_000),"nbf":\(end - 90_000),"rh":"\(String(repeating: "h", count: 420))"}
            """
        let signed = "\(Self.encoded(Data(header.utf8))).\(Self.encoded(Data(claims.utf8)))"
        guard isSigned else { return "\(signed).\(String(repeating: "c2ln", count: 85))" }
        let signature = try key.signature(for: SHA256.hash(data: Data(signed.utf8)), padding: .insecurePKCS1v1_5)
        return "\(signed).\(Self.encoded(signature.rawRepresentation))"
    }

    /// The bare verification of a signature, and its hash.
    func verifies(_ token: String) -> Bool {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let signature = Self.decoded(parts[2]) else { return false }
        return publicKey.isValidSignature(
            _RSA.Signing.RSASignature(rawRepresentation: signature),
            for: SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8)),
            padding: .insecurePKCS1v1_5
        )
    }

    private static func encoded(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static func decoded(_ text: Substring) -> Data? {
        let plain = text.replacing("-", with: "+").replacing("_", with: "/")
        return Data(base64Encoded: plain + String(repeating: "=", count: (4 - plain.count % 4) % 4))
    }
}
