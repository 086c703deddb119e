// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Crypto
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Responses that do not identify the user of their tokens.
struct MissingClientInfoTests {
    private static let noInfo: [String: JSONValue] = ["client_info": .null]

    /// A client with an account, whose refresh response has no `client_info`.
    private func renewal(claims changes: [String: JSONValue]?) throws -> ClientBench {
        let bench = ClientBench()
        let claims = changes.map { Contoso.claims(at: bench.time.now).merging($0) { $1 }.filter { $0.value != .null } }
        let tokens = Contoso.tokens(idToken: claims.map(Contoso.idToken), Self.noInfo)
        bench.service.setLast(.reply(.json(.object(tokens))))
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord, Contoso.idTokenRecord(at: bench.time.now))
        return bench
    }

    @Test(arguments: [nil, [:], ["oid": .null], ["tid": .null], ["oid": .string("USER-1")]] as [[String: JSONValue]?])
    func `a refresh renews the tokens of the known account`(_ claims: [String: JSONValue]?) async throws {
        let bench = try renewal(claims: claims)
        // The issuer does not depend on the token's tenant here.
        let issuer = JSONValue.string("https://login.microsoftonline.com/\(Contoso.tenant)/v2.0")
        bench.service.setDiscovery(.overridden(["issuer": issuer]))

        let result = try await bench.client.silent.acquire(Contoso.silent())
        let held = try await bench.client.silent.acquire(Contoso.silent())

        #expect(result.account.homeAccountID == Contoso.homeAccountID)
        #expect(result.account.username == Contoso.username)
        #expect(result.isPersisted)
        #expect(held.source == .cache)
        #expect(try bench.client.accounts.all().map(\.homeAccountID) == [Contoso.homeAccountID])
        let secrets = try bench.records().compactMap { record in
            if case .refreshToken(let token) = record { token.secret.exposed } else { nil }
        }
        #expect(secrets == ["secret-new-refresh-token"])
    }

    @Test(
        arguments: [
            ("oid", ["oid": .string("user-2")]), ("tid", ["tid": .string("another")]),
            ("tid", ["tid": .string("another"), "oid": .null]),
        ] as [(String, [String: JSONValue])]
    )
    func `an ID token of another user or tenant is rejected and changes nothing`(
        _ check: String,
        _ claims: [String: JSONValue]
    ) async throws {
        let issuer = (claims["tid"]?.string).map { tid in
            ["iss": JSONValue.string("https://login.microsoftonline.com/\(tid)/v2.0")]
        }
        let bench = try renewal(claims: claims.merging(issuer ?? [:]) { $1 })
        let before = try Set(bench.records())

        let error = await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(Contoso.silent()) }

        #expect(error?.message.contains("check of \(check)") == true)
        #expect(try Set(bench.records()) == before)
    }

    @Test func `the first token of a tenant adds a profile to the account`() async throws {
        let guest = "bbbbbbbb-0000-0000-0000-000000000002"
        let bench = try renewal(claims: [
            "tid": .string(guest), "oid": .string("guest-1"), "sub": .string("guest"),
            "iss": .string("https://login.microsoftonline.com/\(guest)/v2.0"),
        ])
        let request = try Contoso.silent {
            $0.authority = try Authority.aad(Authority.url("https://login.microsoftonline.com/\(guest)"))
        }

        let result = try await bench.client.silent.acquire(request)

        #expect(result.account.homeAccountID == Contoso.homeAccountID)
        #expect(result.tenantProfile.identifier == "guest-1")
        #expect(!result.tenantProfile.isHome)
    }

    /// A client whose sign-in response has no `client_info`; its ID token is signed by a published key.
    private func signIn(
        _ changes: [String: JSONValue] = [:],
        servesKeys: Bool = true
    ) throws -> ClientBench {
        let bench = ClientBench()
        let signer = try Signer("ES256")
        if servesKeys { bench.service.setKeys(.json(.object(["keys": .array([try signer.members()])]))) }
        let (agent, now) = (bench.agent, bench.time.now)
        bench.service.setLast(
            .made { _ throws(TransportError) in
                let good = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                let claims = JSONValue.object(good.merging(changes) { $1 }.filter { $0.value != .null })
                // A failure shows as a missing token.
                return .json(.object(Contoso.tokens(idToken: try? signer.token(claims.text), Self.noInfo)))
            }
        )
        return bench
    }

    @Test func `a sign-in uses the identifiers of a verified ID token`() async throws {
        let bench = try signIn()

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(result.account.homeAccountID == Contoso.homeAccountID)
        #expect(result.tenantProfile.isHome)
        #expect(try await bench.client.silent.acquire(Contoso.silent()).source == .cache)
    }

    @Test func `a guest who signs in without client_info is an account of the requested tenant`() async throws {
        let guest = "bbbbbbbb-0000-0000-0000-000000000002"
        let bench = try signIn([
            "tid": .string(guest), "oid": .string("Guest-1"),
            "iss": .string("https://login.microsoftonline.com/\(guest)/v2.0"),
        ])
        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)

        let result = try await bench.client.interactive.acquire(Contoso.interactive())

        #expect(result.account.homeAccountID == "guest-1.\(guest)")
        #expect(try bench.client.accounts.all().count == 2)
    }

    @Test(arguments: ["oid", "tid", "signature"])
    func `a sign-in whose token does not prove its user is rejected`(_ missing: String) async throws {
        let isUnverified = missing == "signature"
        let bench = try signIn(isUnverified ? [:] : [missing: .null], servesKeys: !isUnverified)
        if missing == "tid" {
            // The issuer is then the one in the metadata.
            let issuer = JSONValue.string("https://login.microsoftonline.com/\(Contoso.tenant)/v2.0")
            bench.service.setDiscovery(.overridden(["issuer": issuer]))
        }

        let error = await #expect(throws: AuthError.self) {
            try await bench.client.interactive.acquire(Contoso.interactive())
        }

        #expect(error?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42008)
        #expect(error?.message.contains("client_info") == true)
        #expect(try bench.records().isEmpty)
    }
}
