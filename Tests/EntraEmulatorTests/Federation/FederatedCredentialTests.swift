// Licensed under the MIT License. See LICENSE.

import Crypto
import CryptoExtras
import EntraEmulator
import Foundation
import NIOHTTP1
import TestSupport
import Testing

/// Tokens of foreign issuers at the token endpoint: which are taken, and why others are not.
struct FederatedCredentialTests {
    // MARK: Fit

    @Test(arguments: [
        (FederatedToken(issuer: .github, subject: "repo:contoso/app:pull_request"), 700_213),
        (
            FederatedToken(issuer: .github, subject: Workload.repository, audience: "https://github.com/contoso"),
            700_212
        ),
        (FederatedToken(issuer: .kubernetes, subject: Workload.repository), 700_213),
        (FederatedToken(issuer: .github, subject: Workload.repository, lifetime: .seconds(-600)), 700_024),
    ])
    func `a token that matches no credential is rejected with its issuer, subject and audience`(
        token: FederatedToken,
        number: Int
    ) async throws {
        try await Workload.run { workload in
            let text = try await workload.bench.emulator.federatedToken(token)
            let error = try workload.error(try await workload.exchange(text))

            #expect(error.number == number)
            if number != 700_024 {
                #expect(
                    error.text.contains("Assertion Issuer: '\(workload.bench.base)/issuers/\(token.issuer.rawValue)'")
                )
                #expect(error.text.contains("Assertion Subject: '\(token.subject)'"))
                #expect(error.text.contains("Assertion Audience: '\(token.audience)'"))
            }
            #expect(!error.text.contains(text))
        }
    }

    @Test func `an issuer without a credential is rejected, and never called`() async throws {
        let other = try ForeignIssuer(name: "https://unregistered.invalid")
        try await Workload.run { workload in
            let error = try workload.error(try await workload.exchange(try other.token(subject: "s")))

            #expect(error.number == 700_211)
            #expect(error.text.contains("Assertion Issuer: 'https://unregistered.invalid'"))
        }
    }

    fileprivate enum NoToken: String, CaseIterable {
        case empty = ""
        case letters = "a.b.c"
        case unsigned = "eyJhbGciOiJub25lIn0.e30."
        case json = "{}"
    }

    @Test(arguments: NoToken.allCases)
    fileprivate func `a text that is not a token is rejected as malformed`(text: NoToken) async throws {
        try await Workload.run { workload in
            let response = try await workload.exchange(text.rawValue)

            #expect((400...401).contains(response.status))
        }
    }

    // MARK: Keys in the directory

    @Test func `keys in the directory need no network`() async throws {
        let issuer = try ForeignIssuer(name: "https://oidc.contoso.example")
        try await Workload.run([issuer.credential(subject: "job-1")]) { workload in
            let good = try await workload.exchange(try issuer.token(subject: "job-1"))
            let unnamed = try await workload.exchange(try issuer.token(subject: "job-1", keyID: nil))
            let otherName = try workload.error(
                try await workload.exchange(try issuer.token(subject: "job-1", keyID: "key-2"))
            )
            let impostor = try ForeignIssuer(name: "https://oidc.contoso.example", key: "stranger")
            let forged = try workload.error(try await workload.exchange(try impostor.token(subject: "job-1")))

            #expect(good.status == 200)
            #expect(unnamed.status == 200)
            #expect(otherName.number == 700_027)
            #expect(forged.number == 700_027)
        }
    }

    @Test(arguments: [#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, #"{"kty":"RSA","n":"!","e":"AQAB"}"#])
    func `an unusable key prevents the start`(key: String) async throws {
        let keys = [try JSONDecoder().decode(EmulatorDirectory.JSONWebKey.self, from: Data(key.utf8))]
        var credential = EmulatorDirectory.FederatedCredential(issuer: "https://oidc.contoso.example", subject: "s")
        credential.keys = keys
        let invalid = await #expect(throws: EmulatorDirectory.InvalidEntry.self) {
            try await Workload.run([credential]) { _ in }
        }
        #expect(invalid?.description.contains("use RSA keys of 2048 bits or more") == true)
    }

    @Test(arguments: [
        "https://127.0.0.1:65536", "https://[::1]:70000/x", "https://oidc.contoso.example:99999999999999999999",
        "https://user@oidc.contoso.example", "http://oidc.contoso.example",
    ])
    func `an impossible issuer address prevents the start`(issuer: String) async throws {
        let credential = EmulatorDirectory.FederatedCredential(issuer: issuer, subject: "s")
        let invalid = await #expect(throws: EmulatorDirectory.InvalidEntry.self) {
            try await Workload.run([credential]) { _ in }
        }
        #expect(invalid?.description.contains("use an https URL as the issuer of a federated credential") == true)
    }

    @Test func `a credential with keys is read as an issuer shows them`() throws {
        let issuer = try ForeignIssuer(name: "https://oidc.contoso.example")
        let credential = issuer.credential(subject: "s")
        let data = try JSONEncoder().encode(credential)

        #expect(try JSONDecoder().decode(EmulatorDirectory.FederatedCredential.self, from: data) == credential)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(
                EmulatorDirectory.JSONWebKey.self,
                from: Data(#"{"kty":"EC","n":"","e":""}"#.utf8)
            )
        }
    }

    // MARK: Keys of the issuer

    /// Another emulator's issuer, which the one of the body has to ask over the network.
    private static func withForeign(
        trust: Bool = true,
        _ body: (Workload, Emulator) async throws -> Void
    ) async throws {
        try await Bench.run({ $0.federatedIssuers = FederatedIssuerSettings() }) { foreign in
            let issuer = "https://localhost:\(foreign.emulator.port)/issuers/kubernetes"
            try await Workload.run(
                [.init(issuer: issuer, subject: Workload.account)],
                change: { $0.additionalTrustRoots = trust ? foreign.emulator.certificateAuthorityFile : nil }
            ) { workload in
                try await body(workload, foreign.emulator)
            }
        }
    }

    private static let account = FederatedToken(issuer: .kubernetes, subject: Workload.account)

    private static func readings(of foreign: Emulator) -> Int {
        foreign.journal.count { $0.path.hasSuffix("/.well-known/openid-configuration") }
    }

    @Test func `keys are read from the issuer once, over TLS that is trusted`() async throws {
        try await Self.withForeign { workload, foreign in
            for _ in 1...3 {
                let response = try await workload.exchange(try await foreign.federatedToken(Self.account))
                #expect(response.status == 200)
            }
            #expect(Self.readings(of: foreign) == 1)
        }
    }

    @Test func `keys are read again after a day of the emulated time`() async throws {
        try await Self.withForeign { workload, foreign in
            _ = try await workload.exchange(try await foreign.federatedToken(Self.account))
            for emulator in [workload.bench.emulator, foreign] { await emulator.advanceClock(by: .seconds(86_401)) }
            let response = try await workload.exchange(try await foreign.federatedToken(Self.account))

            #expect(response.status == 200)
            #expect(Self.readings(of: foreign) == 2)
        }
    }

    @Test func `the keys are refetched for an unknown key every five minutes at most`() async throws {
        try await Self.withForeign { workload, foreign in
            _ = try await workload.exchange(try await foreign.federatedToken(Self.account))
            try await foreign.rollOverSigningKey()
            let early = try workload.error(
                try await workload.exchange(try await foreign.federatedToken(Self.account))
            )
            let readEarly = Self.readings(of: foreign)
            for emulator in [workload.bench.emulator, foreign] { await emulator.advanceClock(by: .seconds(301)) }
            let late = try await workload.exchange(try await foreign.federatedToken(Self.account))

            #expect(early.number == 700_027)
            #expect(readEarly == 1)
            #expect(late.status == 200)
            #expect(Self.readings(of: foreign) == 2)
        }
    }

    @Test func `an issuer whose certificate is not trusted is named with the reason`() async throws {
        try await Self.withForeign(trust: false) { workload, foreign in
            let error = try workload.error(
                try await workload.exchange(try await foreign.federatedToken(Self.account))
            )

            #expect(error.number == 50_166)
            #expect(error.text.contains("https://localhost:\(foreign.port)/issuers/kubernetes"))
            #expect(foreign.journal.isEmpty)
        }
    }

    @Test func `an authority file without certificates prevents the start`() async throws {
        let failure = await #expect(throws: Emulator.StartFailure.self) {
            try await Workload.run(change: { $0.additionalTrustRoots = URL(fileURLWithPath: "/dev/null") }) { _ in }
        }
        #expect(failure?.description.contains("/dev/null contains no valid PEM certificate") == true)
    }

    @Test func `a pipe instead of an authority file does not block the start`() async throws {
        let pipe = try DirectoryFileTests.folder().appending(path: "pipe")
        try #require(mkfifo(pipe.path, 0o600) == 0)

        let failure = await #expect(throws: Emulator.StartFailure.self) {
            try await Workload.run(change: { $0.additionalTrustRoots = pipe }) { _ in }
        }

        #expect(failure?.description.contains("contains no valid PEM certificate") == true)
    }

    /// What an issuer responds in the place of a document or a key set, and words of the reason.
    static let responses: [(String, Fault, String)] = [
        ("/openid-configuration", Fault(pathSuffix: "", status: 500), "status 500"),
        ("/openid-configuration", Fault(pathSuffix: "", status: 302, headers: ["location": "/"]), "status 302"),
        ("/openid-configuration", Fault(pathSuffix: "", status: 200, body: "<html>"), "is not JSON; a proxy"),
        (
            "/openid-configuration", Fault(pathSuffix: "", status: 200, body: #"{"issuer":"https://other.example"}"#),
            "names a different issuer"
        ),
        ("/jwks", Fault(pathSuffix: "", status: 200, body: #"{"keys":[]}"#), "no RSA key"),
        (
            "/jwks", Fault(pathSuffix: "", status: 200, body: String(repeating: " ", count: 600_000)),
            "larger than 524288 bytes"
        ),
    ]

    @Test(arguments: responses.indices)
    func `an issuer with an invalid response is named with the reason, and called again`(index: Int) async throws {
        try await Self.withForeign { workload, foreign in
            var (path, fault, words) = Self.responses[index]
            fault.pathSuffix = path
            foreign.enqueueFault(fault)
            let token = try await foreign.federatedToken(Self.account)
            let error = try workload.error(try await workload.exchange(token))
            let again = try await workload.exchange(token)

            #expect(error.number == 50_166)
            #expect(error.text.contains(words), "\(error.text)")
            #expect(again.status == 200)
        }
    }

    @Test(arguments: [
        "https://127.0.0.1:65536/keys", "https://[::1]:70000/keys", "https://127.0.0.1:99999999999999999999/keys",
        "https://127.0.0.1:0/keys", "https://user@127.0.0.1/keys", "http://127.0.0.1/keys",
    ])
    func `keys at an impossible address are not requested`(address: String) async throws {
        try await Self.withForeign { workload, foreign in
            let issuer = "https://localhost:\(foreign.port)/issuers/kubernetes"
            let document = #"{"issuer":"\#(issuer)","jwks_uri":"\#(address)"}"#
            foreign.enqueueFault(Fault(pathSuffix: "/openid-configuration", status: 200, body: document))
            let token = try await foreign.federatedToken(Self.account)
            let error = try workload.error(try await workload.exchange(token))
            let again = try await workload.exchange(token)

            #expect(error.number == 50_166)
            #expect(error.text.contains("\(address) is not a valid https address of a server"), "\(error.text)")
            #expect(again.status == 200)
        }
    }
}

/// An issuer that no network has. Issuers with the same `key` share it.
private struct ForeignIssuer {
    let name: String
    private let key: _RSA.Signing.PrivateKey

    init(name: String, key: String = "foreign issuer") throws {
        self.name = name
        self.key = try SharedKeys.rsa(key)
    }

    func credential(subject: String) -> EmulatorDirectory.FederatedCredential {
        var credential = EmulatorDirectory.FederatedCredential(issuer: name, subject: subject)
        credential.keys = (try? key.publicKey.getKeyPrimitives()).map { primitives in
            [
                .init(
                    keyID: "key-1",
                    modulus: Bench.base64URL(primitives.modulus.base64EncodedString()),
                    exponent: Bench.base64URL(primitives.publicExponent.base64EncodedString())
                )
            ]
        }
        return credential
    }

    func token(subject: String, keyID: String? = "key-1") throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        var header: [String: Any] = ["alg": "RS256", "typ": "JWT"]
        header["kid"] = keyID
        let claims: [String: Any] = [
            "iss": name, "sub": subject, "aud": "api://AzureADTokenExchange", "iat": now, "exp": now + 300,
        ]
        let signed = try [header, claims]
            .map { Bench.base64URL(try JSONSerialization.data(withJSONObject: $0).base64EncodedString()) }
            .joined(separator: ".")
        let signature = try key.signature(for: SHA256.hash(data: Data(signed.utf8)), padding: .insecurePKCS1v1_5)
        return "\(signed).\(Bench.base64URL(signature.rawRepresentation.base64EncodedString()))"
    }
}
