// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Crypto
import CryptoExtras
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore
@testable import SealedStore

/// Tokens that are bound to a key, through the public API (docs/reference/Protocol.md#proof-of-possession).
struct ProofOfPossessionTests {
    /// One key for the suite, because creating one takes a tenth of a second.
    private static let keys = ProofKeyMemory()

    private struct Bench {
        let service = StandInService()
        let time = ManualTime(skipsSleeps: true)
        let store = MemoryStore()
        var keys: any ProofKeys = ProofOfPossessionTests.keys

        func application() throws -> MSALPublicClientApplication {
            var platform = Platform(
                transport: RetryingTransport(base: service, time: time),
                agent: StubAgent.givingCode,
                time: time
            )
            platform.proofKeys = keys
            return try MSALPublicClientApplication(
                configuration: MSALPublicClientApplicationConfig(clientId: Contoso.clientID),
                platform: platform,
                store: store,
                session: CurrentSession(),
                registeredSchemes: []
            )
        }

        /// Amy is signed in and has a bearer token in the store.
        func seed() throws {
            try store.write(.normal) { [time] transaction throws(StoreError) in
                try transaction.save(Contoso.refreshToken())
                try transaction.save(Contoso.accountRecord)
                try transaction.save(Contoso.accessToken(expiresIn: 3600, at: time.now))
            }
        }

        func setResponse(type: String?) {
            let members: [String: JSONValue] = ["token_type": type.map(JSONValue.string) ?? .null]
            service.append([.reply(.json(.object(Contoso.tokens(idToken: nil, members))))])
        }

        func token(
            _ address: String,
            nonce: String? = nil,
            keyPair: MSALExternalKeyPair? = nil
        ) async throws -> MSALResult {
            let application = try application()
            let account = try application.account(forIdentifier: Contoso.homeAccountID)
            let parameters = MSALSilentTokenParameters(scopes: ["user.read"], account: account)
            parameters.authenticationScheme = MSALAuthenticationSchemePop(
                httpMethod: .POST,
                request: try #require(URL(string: address)),
                nonce: nonce,
                additionalParameters: nil,
                externalKeyPair: keyPair
            )
            return try await application.acquireTokenSilent(with: parameters)
        }
    }

    private func part(_ index: Int, of envelope: String) throws -> [String: JSONValue] {
        let parts = envelope.split(separator: ".")
        try #require(parts.count == 3)
        let bytes = try #require(Base64URL.decode(String(parts[index])))
        return try #require(JSONValue(parsing: bytes)?.object)
    }

    @Test func `the token is signed for its request, with the key that was sent to the service`() async throws {
        let bench = Bench()
        try bench.seed()
        bench.setResponse(type: "pop")

        let result = try await bench.token("https://api.contoso.example:8443/v1/me?x=1", nonce: "n-1")

        let envelope: String = result.accessToken
        let (header, payload) = (try part(0, of: envelope), try part(1, of: envelope))
        let key = try Self.keys.key()
        let keyID = key.keyID
        #expect(header == ["alg": .string("RS256"), "kid": .string(keyID), "typ": .string("JWT")])
        #expect(payload["at"] == .string("secret-new-access-token"))
        #expect(payload["m"] == .string("POST"))
        #expect(payload["u"] == .string("api.contoso.example:8443"))
        #expect(payload["p"] == .string("/v1/me"))
        #expect(payload["nonce"] == .string("n-1"))
        #expect(payload["ts"] == .integer(1_767_225_600))
        #expect(payload["cnf"]?.object?["jwk"]?.object?["n"] == .string(key.modulus))
        #expect(Set(payload.keys) == ["at", "ts", "m", "u", "p", "cnf", "nonce"])
        #expect(result.authorizationHeader == "Pop \(envelope)")

        let form = try #require(bench.service.tokenRequests.last).form
        #expect(form["token_type"] == "Pop")
        #expect(form["req_cnf"] == ProofOfPossession.requestConfirmation(keyID: keyID))

        let modulus = try #require(Base64URL.decode(key.modulus))
        let exponent = try #require(Base64URL.decode(key.exponent))
        #expect(try isSigned(envelope, by: _RSA.Signing.PublicKey(n: modulus, e: exponent)))
    }

    private func isSigned(_ envelope: String, by key: _RSA.Signing.PublicKey) throws -> Bool {
        let parts = envelope.split(separator: ".")
        let signature = _RSA.Signing.RSASignature(rawRepresentation: try #require(Base64URL.decode(String(parts[2]))))
        let digest = SHA256.hash(data: Data("\(parts[0]).\(parts[1])".utf8))
        return key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
    }

    // MARK: The app's own key

    /// The machine has no key, because it must not be used if the app supplies one.
    private struct NoKeys: ProofKeys {
        func key() throws(ProofKey.Failure) -> ProofKey { throw ProofKey.Failure(message: "There is no key.") }
    }

    @Test func `the app's own key is sent to the service and signs`() async throws {
        let bench = Bench(keys: NoKeys())
        try bench.seed()
        bench.setResponse(type: "pop")
        let key = try SharedKeys.rsa("app")
        let pair = try MSALExternalKeyPair(privateKeyPEM: key.pemRepresentation)

        let envelope: String = try await bench.token("https://api.contoso.example/", keyPair: pair).accessToken

        let form = try #require(bench.service.tokenRequests.last).form
        #expect(form["req_cnf"] == Base64URL.encode(Data(#"{"kid":"\#(pair.keyId)"}"#.utf8)))
        #expect(try part(0, of: envelope)["kid"] == .string(pair.keyId))
        #expect(try isSigned(envelope, by: key.publicKey))
    }

    @Test func `two key pairs in one store do not share tokens, and each finds its own again`()
        async throws
    {
        let bench = Bench()
        try bench.seed()
        let keys = try ["app", "stranger"].map { try SharedKeys.rsa($0).derRepresentation }

        for key in [keys[0], keys[1], nil] {
            bench.setResponse(type: "pop")
            for _ in 0..<2 {
                let pair = try key.map { try MSALExternalKeyPair(privateKeyDER: $0) }
                _ = try await bench.token("https://api.contoso.example/", keyPair: pair)
            }
        }

        #expect(bench.service.tokenRequests.count == 3)
        #expect(Set(bench.service.tokenRequests.map { $0.form["req_cnf"] }).count == 3)
    }

    /// A key on a card that can be removed.
    private final class Card: MSALExternalKeySigner {
        let key: _RSA.Signing.PrivateKey
        let publicKeyDER: Data
        let isGone = AtomicFlag()

        struct Gone: Error {}

        init() throws {
            key = try SharedKeys.rsa("app")
            publicKeyDER = key.publicKey.derRepresentation
        }

        func signature(for data: Data) throws -> Data {
            guard !isGone.isSet, !Thread.isMainThread else { throw Gone() }
            return try key.signature(for: SHA256.hash(data: data), padding: .insecurePKCS1v1_5).rawRepresentation
        }
    }

    @MainActor @Test func `a signer runs off the main thread, and its failure has a message`() async throws {
        let bench = Bench()
        try bench.seed()
        bench.setResponse(type: "pop")
        let card = try Card()
        let pair = try await Task.detached { try MSALExternalKeyPair(signer: card) }.value

        let envelope: String = try await bench.token("https://api.contoso.example/", keyPair: pair).accessToken
        card.isGone.set()
        let error = await #expect(throws: NSError.self) {
            try await bench.token("https://api.contoso.example/", keyPair: pair)
        }

        #expect(try isSigned(envelope, by: card.key.publicKey))
        #expect(error?.detail == -42008)
        #expect(error?.words.contains("cannot be signed") == true)
    }

    @Test func `the same token is signed again for each request, with a new nonce unless one is passed`() async throws {
        let bench = Bench()
        try bench.seed()
        bench.setResponse(type: "Pop")

        var payloads: [[String: JSONValue]] = []
        for path in ["a", "b"] {
            let envelope: String = try await bench.token("https://api.contoso.example/\(path)").accessToken
            payloads.append(try part(1, of: envelope))
        }

        #expect(bench.service.tokenRequests.count == 1)
        #expect(payloads.map { $0["p"] } == [.string("/a"), .string("/b")])
        #expect(payloads.map { $0["u"] } == [.string("api.contoso.example"), .string("api.contoso.example")])
        #expect(payloads[0]["nonce"] != payloads[1]["nonce"])
    }

    @Test func `bearer and bound tokens are stored side by side`() async throws {
        let bench = Bench()
        try bench.seed()
        bench.setResponse(type: "pop")
        _ = try await bench.token("https://api.contoso.example/")

        let application = try bench.application()
        let account = try application.account(forIdentifier: Contoso.homeAccountID)
        let bearer = try await application.acquireTokenSilent(with: .init(scopes: ["user.read"], account: account))

        #expect(bearer.authorizationHeader == "Bearer secret-access-token")
        #expect(bench.service.tokenRequests.count == 1)
    }

    @Test func `a token whose key is gone is fetched again`() async throws {
        var bench = Bench()
        try bench.seed()
        bench.setResponse(type: "pop")
        _ = try await bench.token("https://api.contoso.example/")
        bench.keys = ProofKeyMemory()
        bench.setResponse(type: "pop")

        _ = try await bench.token("https://api.contoso.example/")

        #expect(bench.service.tokenRequests.count == 2)
        #expect(Set(bench.service.tokenRequests.map { $0.form["req_cnf"] }).count == 2)
    }

    @Test(arguments: ["Bearer", nil])
    func `a response with another token type is rejected`(_ type: String?) async throws {
        let bench = Bench()
        try bench.seed()
        bench.setResponse(type: type)

        let error = await #expect(throws: NSError.self) { try await bench.token("https://api.contoso.example/") }

        #expect(error?.detail == -42600)
    }

    @Test func `without a key the request fails with a message`() async throws {
        let bench = Bench(keys: ProofKeyFile(directory: "/proc/msal"))
        try bench.seed()

        let error = await #expect(throws: NSError.self) { try await bench.token("https://api.contoso.example/") }

        #expect(error?.detail == -42008)
        #expect(error?.words.contains("/proc/msal/proof-key.pem") == true)
        #expect(bench.service.tokenRequests.isEmpty)
    }

    @Test func `every process of the user finds the same key in a separate file`() throws {
        try withTemporaryDirectory { directory in
            let folder = directory.appending(path: "proof").path

            let first = try ProofKeyFile(directory: folder).key()
            let second = try ProofKeyFile(directory: folder).key()

            #expect(first.modulus == second.modulus)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["proof-key.pem"])
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/proof-key.pem")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(chmod("\(folder)/proof-key.pem", 0o644) == 0)
            #expect(throws: ProofKey.Failure.self) { try ProofKeyFile(directory: folder).key() }
        }
    }
}
