// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Damaged input for every parser of untrusted data. A trap ends the whole run. Each test states what else must be
/// true. `MSAL_FUZZ_ROUNDS` sets the length (see ``Fuzz``).
struct FuzzTests {
    private func bytes(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func `a damaged cache is rejected as a whole, or survives every further export`() throws {
        let corpus = try CacheCorpus.files()
        #expect(corpus.count > 10)
        var fuzz = Fuzz(corpus: corpus, words: CacheCorpus.words)
        var readable = 0
        try fuzz.run { input in
            guard let document = try? CacheDocument(parsing: Data(input)) else { return }  // Rejected.
            readable += 1
            let first = MemoryStore()
            _ = try first.merge(document)
            let exported = try first.exportedCache()
            let second = MemoryStore()
            _ = try second.merge(try CacheDocument(parsing: exported))
            let again = try second.exportedCache()
            #expect(again == exported, "\(String(decoding: input, as: UTF8.self))")
        }
        expectEnough(readable)
    }

    @Test func `damaged JSON is rejected, or serialized and parsed to the same value`() {
        var fuzz = Fuzz(corpus: bytes(#"{"a":[1,-2.5e3,true,null,"é\u00e9\ud83d\ude00"],"b":{"c":{}}}"#, "[[],{}]"))
        var readable = 0
        fuzz.run { input in
            let read = Result { () throws(JSONReader.Fault) in try JSONReader.value(of: input) }
            let checked = Result { () throws(JSONReader.Fault) in try JSONPart(checking: Data(input)) }
            #expect(checked.map(\.value) == read)
            guard case .success(let value) = read, case .success(let part) = checked else { return }  // Rejected.
            readable += 1
            let members = part.members.map { members in
                Dictionary(uniqueKeysWithValues: members.map { ($0.name, $0.part.value) })
            }
            #expect(members == value.object)
            let written = JSONWriter.bytes(of: value)
            let again = try? JSONReader.value(of: written)
            #expect(again.map { JSONWriter.bytes(of: $0) } == written)
        }
        expectEnough(readable)
    }

    @Test func `a damaged ID token yields claims or none, and only signed text has a valid signature`() throws {
        let signed = [#"{"alg":"ES256","kid":"k1"}"#, #"{"iss":"https://i","exp":1800000000,"aud":["a"],"oid":"o"}"#]
            .map { Base64URL.encode($0.utf8) }.joined(separator: ".")
        // A new key for each run, because the signature is damaged like the rest.
        let signer = P256.Signing.PrivateKey()
        let signature = try signer.signature(for: Data(signed.utf8)).rawRepresentation
        let point = signer.publicKey.rawRepresentation.map { $0 }
        let key = try #require(
            JSONWebKey(
                .object([
                    "kty": .string("EC"), "crv": .string("P-256"), "kid": .string("k1"),
                    "x": .string(Base64URL.encode(point.prefix(32))), "y": .string(Base64URL.encode(point.suffix(32))),
                ])
            )
        )
        var fuzz = Fuzz(
            corpus: bytes("\(signed).\(Base64URL.encode(signature))", "a.b.c", "..", "eyJ9.e30."),
            words: ["eyJhbGciOiJub25lIn0", "e30", "..", "="]
        )
        var (valid, wrong) = (0, 0)
        fuzz.run { input in
            let text = String(decoding: input, as: UTF8.self)
            let claims = IDTokenClaims(compact: text)
            _ = (claims?.expiresOn, claims?.audience, claims?.localAccountID, claims?.username(isB2C: false))
            _ = JSONWebSignature.keyID(ofCompact: text)
            switch JSONWebSignature.verify(compact: text, with: [key]) {
            case .valid:
                valid += 1
                #expect(text.hasPrefix(signed + "."))
            case .invalidSignature: wrong += 1
            case .noKey, .unsupportedAlgorithm, .malformed: break
            }
        }
        #expect(valid >= 1)
        expectEnough(wrong)
    }

    @Test func `a damaged client_info has both parts of an account, or none`() {
        // Long values, so that most damage leaves valid JSON.
        let json = #"{"uid":"\#(String(repeating: "1", count: 99))","utid":"\#(String(repeating: "Aé", count: 99))"}"#
        var fuzz = Fuzz(
            corpus: bytes(Base64URL.encode(json.utf8), json, ""),
            words: ["eyJ", "fQ", "==", "-_", "\"uid\":", "null"]
        )
        var readable = 0
        fuzz.run { input in
            // Damaged before and after it is encoded.
            for raw in [String(decoding: input, as: UTF8.self), Base64URL.encode(input)] {
                guard let info = ClientInfo(raw: raw) else { continue }  // Rejected.
                readable += 1
                #expect(!info.uid.isEmpty && !info.utid.isEmpty)
                #expect(info.homeAccountID == info.homeAccountID.lowercased())
            }
        }
        expectEnough(readable)
    }

    @Test func `a damaged challenge header yields the parameters that are still valid`() {
        let header = #"Bearer realm="a", error="insufficient_claims", claims="eyJ9", PoP nonce=abc, Basic dGVzdA=="#
        var fuzz = Fuzz(corpus: bytes(header, #"PKeyAuth a="\"",b=c"#, ""), words: ["Bearer ", "=\"", "\\\"", ", "])
        fuzz.run { input in
            let text = String(decoding: input, as: UTF8.self)
            let challenges = AuthenticateChallenge.parse([text, text])
            #expect(challenges.count <= 2 * (text.count { $0 == "," } + 1))
            _ = AuthenticationInfo.nextNonce([text])
        }
    }

    @Test func `damaged redirect parameters yield a code only with the state that was sent`() {
        let query = "code=0.A%2B&state=s-1&session_state=x&client_info=eyJ9&error_description=a+b%0D%0A"
        var fuzz = Fuzz(
            corpus: bytes(query, "error=access_denied&state=s-1", "#"),
            words: ["&state=", "code=", "%", "%u"]
        )
        var readable = 0
        fuzz.run { input in
            let parameters = RedirectParameters.parse(String(decoding: input, as: UTF8.self))
            let response = try? RedirectResponse({ parameters[$0] }, expecting: "s-1") { _ in true }
            guard let response else { return }
            readable += 1
            #expect(parameters["state"] == "s-1" && !response.code.exposed.isEmpty)
        }
        expectEnough(readable)
    }

    @Test func `damaged responses of the token endpoint yield values in range`() {
        let answer =
            #"{"access_token":"a","expires_in":"3599","refresh_in":1800,"scope":"s","error_codes":[50076],"foci":"1"}"#
        var fuzz = Fuzz(
            corpus: bytes(answer, #"{"error":"e","error_codes":["x",1e300]}"#),
            words: ["1e308", "\"-1\"", "null"]
        )
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        var readable = 0
        fuzz.run { input in
            guard let members = JSONValue(parsing: Data(input))?.object else { return }  // Rejected.
            readable += 1
            _ = OAuthError(members: members)
            guard let response = try? TokenResponse(members: members, receivedAt: now) else { return }  // Rejected.
            #expect(response.expiresOn.timeIntervalSince1970.isFinite)
            #expect(response.accessToken?.exposed.isBearerToken != false)
        }
        expectEnough(readable)
    }

    /// Input that is rejected at once does not test later steps.
    private func expectEnough(_ readable: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(readable > Fuzz.rounds / 50, "Too little input was readable.", sourceLocation: sourceLocation)
    }
}

/// The caches in the repository that are damaged, and what is inserted into them.
enum CacheCorpus {
    static let words = [
        "\"credential_type\"", "\"secret\"", "\"AccessToken\"", "\"RefreshToken\"", "\"expires_on\"", "null", "{}",
        "[]",
        "\"\"", "\"family_id\": \"1\",", "\"token_type\": \"pop\",", "\"ext_cache_key\": \"x\",", "\\ud800", "\\u001f",
    ]

    static func files() throws -> [[UInt8]] {
        var folder = URL(filePath: #filePath)
        for _ in 0..<3 { folder.deleteLastPathComponent() }
        folder.append(path: "Fixtures/CacheCorpus")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { !$0.hasSuffix(".md") }
            .map { Array(try Data(contentsOf: folder.appending(path: $0))) }
    }
}
