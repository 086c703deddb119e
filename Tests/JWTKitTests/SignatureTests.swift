// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import JWTKit
import MSALBase
import MSALCore
import TestSupport
import Testing

/// jwt-kit judges the signature of each token of the conformance cases, and agrees with this library about every key.
struct SignatureTests {
    private struct Case {
        let id: String
        let token: String
        let header: [String: JSONValue]
        let rejection: String?
    }

    /// Refusals of tokens whose signature was verified before (docs/reference/TokenValidation.md#order).
    private static let afterSignature: Set<String> = [
        "invalidAudience", "expired", "notYetValid", "issuedInFuture", "notAnAccessToken", "clientNotAllowed",
        "wrongTokenKind", "boundTokenWithoutProof", "missingPermissions", "insufficientScope", "insufficientRole",
    ]
    /// Tokens of which two programs may read different things. They are refused for that.
    private static let unclear: Set<String> = ["malformedToken", "tokenTooLarge", "encryptedToken"]

    /// A key as each of the two reads it.
    private struct Key {
        let own: JSONWebKey
        let modulus: String
        let exponent: String

        init?(_ value: JSONValue) {
            guard let own = JSONWebKey(value), own.isRSA, let modulus = value.object?["n"]?.string,
                let exponent = value.object?["e"]?.string
            else { return nil }
            self.own = own
            self.modulus = modulus
            self.exponent = exponent
        }
    }

    private let cases: [Case]
    private let keys: [Key]

    init() throws {
        let file = try #require(
            ConformanceFiles.folder.appending(path: "server/access-token-validation.json").existing,
            "\(ConformanceFiles.absence)"
        )
        let document = try #require(JSONValue(parsing: try Data(contentsOf: file))?.object)
        keys = (document["fixtures"]?.object?["keySets"]?.object ?? [:]).values.flatMap { set in
            (set.object?["keys"]?.array ?? []).compactMap(Key.init)
        }
        cases = (document["cases"]?.array ?? []).compactMap { value in
            guard let members = value.object, members["op"] == .string("validate"),
                let token = members["in"]?.object?["token"]?.string
            else { return nil }
            let header = token.split(separator: ".").first.flatMap { Base64URL.decodeStrictly($0) }
            return Case(
                id: members["id"]?.string ?? "",
                token: token,
                header: header.flatMap { JSONValue(parsing: Data($0))?.object } ?? [:],
                rejection: members["out"]?.object?["reject"]?.string
            )
        }
    }

    @Test func `both verify the same tokens with the same keys`() async throws {
        var verdicts: [Bool: Int] = [:]
        for one in cases where !Self.unclear.contains(one.rejection ?? "") && one.header["alg"] == .string("RS256") {
            // jwt-kit looks for the key by itself, and reads no id that is not text.
            guard one.header["kid"]?.string != nil else { continue }
            for key in keys {
                let ours = isValid(one.token, by: key)
                let theirs = await jwtKitAccepts(one, by: key)
                #expect(ours == theirs, "\(one.id)")
                verdicts[ours, default: 0] += 1
            }
        }
        // Both verdicts occur, so that the test says something.
        #expect(verdicts[true] ?? 0 > 50)
        #expect(verdicts[false] ?? 0 > 50)
    }

    @Test func `jwt-kit verifies what was accepted, and nothing whose signature was refused`() async throws {
        for one in cases {
            var accepts = false
            for key in keys where one.header["kid"] == key.own.kid.map(JSONValue.string) {
                accepts = await jwtKitAccepts(one, by: key) || accepts
            }
            switch one.rejection {
            case nil: #expect(accepts, "\(one.id)")
            case "invalidSignature"?: #expect(!accepts, "\(one.id)")
            case let reason? where Self.afterSignature.contains(reason): #expect(accepts, "\(one.id)")
            default: break
            }
        }
        #expect(cases.count > 90)
    }

    private func isValid(_ token: String, by key: Key) -> Bool {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let signature = Base64URL.decodeStrictly(parts[2]) else { return false }
        return JSONWebSignature.isValid(
            Data(signature),
            of: "\(parts[0]).\(parts[1])",
            by: .rs256,
            with: key.own
        )
    }

    private func jwtKitAccepts(_ one: Case, by key: Key) async -> Bool {
        do {
            let collection = JWTKeyCollection()
            let publicKey = try Insecure.RSA.PublicKey(modulus: key.modulus, exponent: key.exponent)
            let id = one.header["kid"]?.string.map(JWKIdentifier.init(string:))
            if one.header["alg"] == .string("PS256") {
                await collection.add(pss: publicKey, digestAlgorithm: .sha256, kid: id)
            } else {
                await collection.add(rsa: publicKey, digestAlgorithm: .sha256, kid: id)
            }
            _ = try await collection.verify(one.token, as: Anything.self)
            return true
        } catch {
            return false  // The verdict is what counts.
        }
    }

    /// Claims that nobody looks at.
    private struct Anything: JWTPayload {
        init(from decoder: any Decoder) throws {}
        func encode(to encoder: any Encoder) throws {}
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}

extension URL {
    fileprivate var existing: URL? { FileManager.default.fileExists(atPath: path(percentEncoded: false)) ? self : nil }
}
