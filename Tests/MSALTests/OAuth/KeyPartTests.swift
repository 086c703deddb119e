// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase
@testable import MSALCore

/// Values of a response that become keys in the store. A value with a control character would never be found again, or
/// would make two records look the same.
struct KeyPartTests {
    private static let controls = ["\u{1}", "\n", "\u{1F}", "\u{7F}", "\u{85}"]

    private static func info(_ uid: String, _ utid: String) -> JSONValue {
        .string(Base64URL.encode(Array(JSONValue.object(["uid": .string(uid), "utid": .string(utid)]).text.utf8)))
    }

    private static let corrupted: [[String: JSONValue]] =
        controls.flatMap { control in
            [
                ["client_info": info("user-1\(control)", Contoso.tenant)],
                ["client_info": info("user-1", "\(Contoso.tenant)\(control)")],
            ]
        } + [
            ["client_info": info(" ", Contoso.tenant)], ["foci": .string("1\u{1F}")],
            ["scope": .string("user.read\u{1F} mail.read")], ["scope": .string("user.read\u{0}")],
        ]

    @Test(arguments: corrupted)
    func `a response with such a value is rejected, and the store stays readable`(
        _ changes: [String: JSONValue]
    ) async throws {
        let bench = ClientBench()
        let (agent, now) = (bench.agent, bench.time.now)
        bench.service.setLast(
            .made { _ throws(TransportError) in
                let claims = Contoso.claims(at: now, nonce: agent.openedURLs.last?.parameter("nonce"))
                return .json(.object(Contoso.tokens(idToken: Contoso.idToken(claims), changes)))
            }
        )

        await #expect(throws: AuthError.self) { try await bench.client.interactive.acquire(Contoso.interactive()) }
        #expect(try bench.records().isEmpty)

        try bench.seed(Contoso.refreshToken(), Contoso.accountRecord)
        let before = try Set(bench.records())
        await #expect(throws: AuthError.self) { try await bench.client.silent.acquire(Contoso.silent()) }
        #expect(try Set(bench.records()) == before)
        #expect(try bench.client.accounts.all().count == 1)
    }
}
