// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Apps whose tokens are signed with separate keys, which only metadata with `?appid=` name.
struct AppSigningKeyTests {
    private let provider: Signer
    private let app: Signer
    private let bench: ClientBench

    init() throws {
        provider = try Signer("ES256")
        app = try Signer("ES256")
        bench = ClientBench()
        bench.service.setKeys(Self.set(try provider.members(["kid": .string("common")])))
        bench.service.setAppKeys(
            Self.set(try provider.members(["kid": .string("common")]), try app.members(["kid": .string("own")]))
        )
        setResponse(by: app)
    }

    private static func set(_ keys: JSONValue...) -> HTTPResponse { .json(.object(["keys": .array(keys)])) }

    /// The response to every token request contains an ID token of `signer` that names the key `kid`.
    private func setResponse(by signer: Signer, kid: String = "own") {
        let (agent, time) = (bench.agent, bench.time)
        bench.service.setLast(
            .made { _ throws(TransportError) in
                let claims = Contoso.claims(at: time.now, nonce: agent.openedURLs.last?.parameter("nonce"))
                let header = #"{"alg":"ES256","kid":"\#(kid)"}"#
                // A failure shows as a missing token.
                let idToken = try? signer.token(JSONValue.object(claims).text, header: header)
                return .json(.object(Contoso.tokens(idToken: idToken)))
            }
        )
    }

    private func signIn() async throws -> TokenResult {
        try await bench.client.interactive.acquire(Contoso.interactive())
    }

    /// The requests for the app's own metadata and keys, in their order.
    private var appRequests: [URL] {
        bench.service.messages.map(\.url).filter { $0.parameter("appid") == Contoso.clientID }
    }

    @Test func `a key that only the app's set contains verifies a sign-in`() async throws {
        let result = try await signIn()

        #expect(result.isIDTokenSignatureVerified)
        #expect(
            appRequests.map { $0.path() } == [
                "/common/v2.0/.well-known/openid-configuration", "/common/discovery/v2.0/keys",
            ]
        )
    }

    @Test func `the app's set is cached, and is not fetched while it contains the key`() async throws {
        _ = try await signIn()
        let count = bench.service.messages.count
        bench.time.advance(by: .seconds(3600))

        let again = try await signIn()

        #expect(again.isIDTokenSignatureVerified)
        #expect(bench.service.messages.count == count + 1)
        bench.time.advance(by: .seconds(24 * 60 * 60))
        #expect(try await signIn().isIDTokenSignatureVerified)
        #expect(appRequests.count == 4)
    }

    @Test func `a key that neither set contains is fetched once in five minutes, and rejected`() async throws {
        setResponse(by: app, kid: "unknown")
        for (seconds, requests) in [(0, 2), (299, 2), (2, 4)] {
            bench.time.advance(by: .seconds(seconds))

            let error = await #expect(throws: AuthError.self) { try await signIn() }

            #expect(error?.message.contains("check of signature") == true)
            #expect(appRequests.count == requests)
        }
        #expect(try bench.records().isEmpty)
    }

    @Test func `a forged token that names the app's key is rejected`() async throws {
        setResponse(by: try Signer("ES256"))

        let error = await #expect(throws: AuthError.self) { try await signIn() }

        #expect(error?.message.contains("check of signature") == true)
        #expect(try bench.records().isEmpty)
    }

    @Test(
        arguments: [
            .overridden(["issuer": .string("https://login.microsoftonline.com/another/v2.0")]),
            .overridden(["issuer": .string("https://login.evil.example/{tenantid}/v2.0")]),
            .overridden(["jwks_uri": .string("https://login.evil.example/keys?appid=\(Contoso.clientID)")]),
            .overridden(["jwks_uri": .null]), .overridden(["jwks_uri": .string("http://login.microsoftonline.com/k")]),
            .response(.reply(HTTPResponse(status: 404))), .response(.reply(HTTPResponse(status: 400))),
            .response(.reply(HTTPResponse(status: 302))),
            .response(.reply(HTTPResponse(status: 200, body: Data("[".utf8)))),
        ] as [StandInService.Discovery]
    )
    func `metadata that cannot vouch for the issuer have no keys`(_ discovery: StandInService.Discovery) async throws {
        bench.service.setAppDiscovery(discovery)

        let error = await #expect(throws: AuthError.self) { try await signIn() }

        #expect(error?.message.contains("check of signature") == true)
        #expect(!bench.service.messages.contains { $0.url.host() == "login.evil.example" })
        #expect(try bench.records().isEmpty)
    }

    @Test(arguments: [.failure(.timedOut), .reply(HTTPResponse(status: 503))] as [StandInService.Response])
    func `a result stays unverified if the app's keys cannot be fetched`(
        _ response: StandInService.Response
    ) async throws {
        bench.service.setAppDiscovery(.response(response))

        for _ in 0..<2 {
            let result = try await signIn()
            #expect(!result.isIDTokenSignatureVerified)
            #expect(result.isPersisted)
        }

        let attempts = Set(bench.service.messages.filter { $0.url.parameter("appid") != nil }.map { $0.url })
        #expect(attempts.count == 1)
    }

    @Test func `a refresh fetches no keys and uses the cached ones`() async throws {
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        let unverified = try await bench.client.silent.acquire(Contoso.silent(forceRefresh: true))
        #expect(!unverified.isIDTokenSignatureVerified)
        #expect(appRequests.isEmpty && !bench.service.messages.contains { $0.url.path().hasSuffix("/keys") })

        _ = try await signIn()
        let verified = try await bench.client.silent.acquire(Contoso.silent(forceRefresh: true))
        #expect(verified.isIDTokenSignatureVerified)

        setResponse(by: try Signer("ES256"))
        await #expect(throws: AuthError.self) {
            try await bench.client.silent.acquire(Contoso.silent(forceRefresh: true))
        }
        #expect(appRequests.count == 2)
    }
}
