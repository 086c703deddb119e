// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import EntraEmulatorTesting
import Foundation
import Testing

/// Tokens in one call.
@Suite(.timeLimit(.minutes(2))) struct TokenForTestTests {
    private func claims(_ token: String) throws -> [String: Any] {
        var payload = String(token.split(separator: ".")[1]).replacing("-", with: "+").replacing("_", with: "/")
        while payload.count % 4 != 0 { payload += "=" }
        let data = try #require(Data(base64Encoded: payload))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `a user and an application get a token each, with claims of the test's choice`() async throws {
        try await withEmulator(Self.configuration) { emulator in
            let api = emulator.seed.apiIdentifier
            let user = try await emulator.accessToken(
                for: "megan@contoso.example",
                api: api,
                scopes: ["ToDoList.Read"],
                setting: ["roles": ["Planner"], "department": "Sales", "level": 3, "acct": .none],
                lifetime: .seconds(60)
            )
            let application = try await emulator.accessToken(forApplication: emulator.seed.serviceClientID, api: api)
            let claims = try claims(user)

            #expect(claims["scp"] as? String == "ToDoList.Read")
            #expect(claims["roles"] as? [String] == ["Planner"])
            #expect(claims["department"] as? String == "Sales")
            #expect(claims["level"] as? Int == 3)
            #expect(try self.claims(application)["roles"] as? [String] == ["ToDoList.Read.All"])
            #expect(emulator.journal.compactMap(\.minted).count == 2)
        }
    }

    @Test func `claims of the next sign-in are set for one user, and restricted ones by force`() async throws {
        try await withEmulator(Self.configuration) { emulator in
            let megan = "megan@contoso.example"
            try await emulator.setClaims(["department": "Sales"], ofNextSignInBy: megan)
            let refusal = await #expect(throws: EmulatorDirectory.InvalidEntry.self) {
                try await emulator.setClaims(["roles": ["Planner"]], ofNextSignInBy: megan)
            }
            try await emulator.setClaims(["roles": ["Planner"]], ofNextSignInBy: megan, isForced: true)
            let settings = try await emulator.directory().tokenClaims

            #expect(refusal?.description.contains("force: true") == true)
            #expect(settings.map(\.isOnce) == [true, true] && settings.allSatisfy { $0.user == megan })
        }
    }

    @Test func `a name that is not there is refused with those that are`() async throws {
        try await withEmulator(Self.configuration) { emulator in
            let refusal = await #expect(throws: TestToken.Refusal.self) {
                try await emulator.accessToken(for: "megan@contoso.example", api: "api://nowhere")
            }

            #expect(refusal?.description.contains(emulator.seed.apiIdentifier) == true)
        }
    }

    private static var configuration: EmulatorConfiguration {
        var configuration = EmulatorConfiguration()
        configuration.stateDirectory = FileManager.default.temporaryDirectory.appending(path: "tokens-\(UUID())")
        return configuration
    }
}
