// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// States of the emulator to which a test returns.
struct SnapshotTests {
    @Test func `users, consents, tokens and the directory are restored`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = try ControlPort(bench)
            let tokens = try await bench.tokens()
            let token = try #require(tokens["refresh_token"] as? String)
            let taken = try await control.call(.POST, "/snapshots/signed-in")
            try await bench.emulator.revokeSignIns(of: "megan@contoso.example")
            try await bench.emulator.changeDirectory { $0.policies = [] }
            try await bench.emulator.removeUser("alex@contoso.example")
            let refused = try await bench.refresh(token)
            let back = try await control.call(.PUT, "/snapshots/signed-in")
            let refreshed = try await bench.refresh(token)
            let directory = try await bench.emulator.directory()
            let list = try await control.call(.GET, "/snapshots").json()

            #expect(taken.status == 201)
            #expect(refused.status == 400)
            #expect(back.status == 200)
            #expect(refreshed.status == 200)
            #expect(directory.policies.count == 1)
            #expect(directory.users.contains { $0.userPrincipalName == "alex@contoso.example" })
            #expect(list["snapshots"] as? [String] == ["signed-in"])
        }
    }

    @Test func `the lists of Microsoft Graph are restored, too`() async throws {
        try await GraphBench.run { graph in
            _ = try await graph.values("id", at: "/users")
            #expect(try graph.bench.emulator.takeSnapshot("before"))
            let name = "nobody@contoso.example"
            _ = try await graph.create(
                "/users",
                """
                {"accountEnabled": true, "displayName": "Nobody", "mailNickname": "nobody", "userPrincipalName": "\(name)",
                "passwordProfile": {"password": "Another-pass1"}}
                """
            )
            let between = try await graph.values("userPrincipalName", at: "/users")
            #expect(try graph.bench.emulator.restoreSnapshot("before"))
            let after = try await graph.values("userPrincipalName", at: "/users")

            #expect(between.contains(name))
            #expect(!after.contains(name) && after.count == between.count - 1)
        }
    }

    @Test func `a snapshot in a data folder survives a restart`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "snapshots-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try await Bench.run({ $0.dataDirectory = folder }) { bench in
            #expect(try bench.emulator.takeSnapshot("before"))
            try await bench.emulator.changeDirectory { $0.policies = [] }
            try await bench.emulator.removeUser("alex@contoso.example")
            #expect(try bench.emulator.restoreSnapshot("before"))
        }
        try await Bench.run({ $0.dataDirectory = folder }) { bench in
            let directory = try await bench.emulator.directory()

            #expect(directory.policies.count == 1)
            #expect(directory.users.contains { $0.userPrincipalName == "alex@contoso.example" })
        }
    }

    @Test func `an invalid or unknown snapshot name is rejected`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = try ControlPort(bench)
            let long = String(repeating: "a", count: 65)

            #expect(try await control.call(.POST, "/snapshots/\(long)").status == 400)
            #expect(try await control.call(.POST, "/snapshots/a%2Fb").status == 400)
            #expect(try await control.call(.PUT, "/snapshots/nothing").status == 404)
            #expect(try await control.call(.DELETE, "/snapshots/nothing").status == 405)
        }
    }
}
