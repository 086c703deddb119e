// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

struct NamedResponseTests {
    // Those of V2 have tests of their own.
    @Test(arguments: NamedResponse.allCases.filter { !$0.rawValue.hasPrefix("flow") })
    func `every name has a response`(name: NamedResponse) async throws {
        try await NativeApp.run { app in
            app.emulator.enqueueResponses([name], pathSuffix: "/oauth2/v2.0/token")
            let response = try await app.redeem("oob", token: "any")

            if response.status == 200 {
                let isRedirect = name == .challengeTypeRedirect
                #expect(try isRedirect || response.json()["error"] == nil)
            } else {
                // The name says what the response is; its number is the service's.
                let refusal = try response.refusal()
                #expect(refusal.number > 0)
                #expect(!refusal.error.isEmpty)
            }
        }
    }

    @Test func `responses come in order, for their endpoint and correlation ID only`() async throws {
        try await NativeApp.run { app in
            let id = UUID()
            let path = "/oauth2/v2.0/initiate"
            app.emulator.enqueueResponses([.userNotFound, .challengeTypeRedirect], pathSuffix: path, correlationID: id)
            func ask(_ id: UUID) async throws -> Bench.Response {
                try await app.bench.send(
                    .POST,
                    to: "/fabrikam\(path)",
                    form: [
                        "client_id": app.clientID, "username": "password@fabrikam.example",
                        "challenge_type": "oob password redirect",
                    ],
                    headers: ["client-request-id": id.uuidString]
                )
            }
            let other = try await ask(UUID())
            let first = try await ask(id)
            let second = try await ask(id)
            let third = try await ask(id)

            #expect(try !other.token().isEmpty)
            #expect(try first.refusal() == Refusal("user_not_found", number: 50_034))
            #expect(try second.json()["challenge_type"] as? String == "redirect")
            #expect(try !third.token().isEmpty)
        }
    }

    @Test func `tokens by name are tokens`() async throws {
        try await NativeApp.run { app in
            app.emulator.enqueueResponses([.tokenSuccess], pathSuffix: "/token")
            let body = try await app.redeem("oob", token: "any").json()

            #expect(try Bench.claims(body["id_token"])["preferred_username"] as? String == "guest@fabrikam.example")
            #expect(body["client_info"] is String)
        }
    }
}
