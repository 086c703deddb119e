// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import GRDB
import NIOHTTP1
import Testing

/// The file of a data folder: older schemas, damage, and what stands in it.
struct DataFolderTests {
    private let folder = Bench.stateDirectory.appendingPathComponent("data-\(UUID().uuidString)")
    private var file: URL { folder.appendingPathComponent("directory.sqlite") }

    @Test(arguments: ["megan@contoso.example", "guest@fabrikam.example"])
    func `the folder of an older emulator keeps its tokens, and finds users and guests by object ID`(
        name: String
    ) async throws {
        var token = ""
        try await start { bench in
            let response = try await Browser(bench).signIn(bench.authorizeURL(), as: name)
            let code = try #require(response.parameters["code"])
            token = try #require(try await bench.redeem(code).json()["refresh_token"] as? String)
        }
        try await change { db in
            try db.execute(
                sql: """
                    DROP TABLE object_id;
                    DROP INDEX refresh_token_age;
                    ALTER TABLE refresh_token DROP COLUMN family;
                    ALTER TABLE refresh_token DROP COLUMN age;
                    DELETE FROM grdb_migrations WHERE identifier IN ('2', '3');
                    """
            )
        }

        try await start { bench in
            let access = try await bench.refresh(token).json()["access_token"]
            let me = try await bench.get("/v1.0/me", token: access as? String)

            #expect(me.status == 200)
            #expect(try me.json()["id"] as? String == Bench.claims(access)["oid"] as? String)
        }
    }

    @Test func `the token of a user who was removed is refused`() async throws {
        try await Bench.run { bench in
            let token = try await bench.tokens()["access_token"] as? String
            try await bench.emulator.removeUser("megan@contoso.example")
            let me = try await bench.get("/v1.0/me", token: token)

            #expect(me.status == 401)
            #expect(me.text.contains("no longer exists"))
        }
    }

    @Test(
        arguments: [
            "UPDATE user SET json = substr(json, 2) WHERE name = 'alex@contoso.example'",
            "UPDATE user SET json = replace(CAST(json AS TEXT), id, 'somebody') WHERE name = 'alex@contoso.example'",
            "UPDATE user SET json = json_remove(CAST(json AS TEXT), '$.salt')",
        ]
    )
    func `a user that cannot be read is noticed at the start, and the file stays`(damage: String) async throws {
        try await start { _ in }
        try await change { db in try db.execute(sql: damage) }

        try await isRefusedAsDamaged()
    }

    @Test func `a page that cannot be read is noticed at the start, and the file stays`() async throws {
        try await start { _ in }
        let root = try await change { db in
            try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = 'consent'")
        }
        var bytes = try Data(contentsOf: file)
        let page = 4_096 * (try #require(root) - 1)
        bytes.replaceSubrange(page..<page + 16, with: Data(repeating: 0xEE, count: 16))
        try bytes.write(to: file)

        try await isRefusedAsDamaged()
    }

    @Test func `the folder of a newer emulator is refused and stays`() async throws {
        try await start { _ in }
        try await change { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('of tomorrow'); UPDATE user SET json = '{}'")
        }

        let failure = try await refusal()

        #expect(failure?.description.hasPrefix("\(file.path) was written by a newer emulator") == true)
    }

    @Test func `a stored directory in another format is rejected with an explanation`() async throws {
        try await start { _ in }
        try await change { db in
            try db.execute(sql: "INSERT INTO directory (id, json) VALUES (1, CAST('[]' AS BLOB))")
        }

        let failure = try await refusal()

        #expect(
            failure?.description == "the directory in \(folder.path) is invalid: it has an unknown format; "
                + "use the version of the emulator that wrote it, or another folder"
        )
    }

    @Test func `a change that the file does not take is told with SQLite's reason alone`() async throws {
        try await Bench.run({
            $0.dataDirectory = folder
            $0.controlPort = 0
        }) { bench in
            let control = try ControlPort(bench)
            let other = try DatabaseQueue(path: file.path)
            try await other.writeWithoutTransaction { db in
                try db.execute(
                    sql: "CREATE TRIGGER full BEFORE INSERT ON user BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
                )
            }
            try other.close()

            let user = #"{"userPrincipalName":"kim@contoso.example","password":"Another-pass1"}"#
            let response = try await control.send(.POST, "/users", user)

            #expect(response.status == 500)
            #expect(try response.json()["error_description"] as? String == "the disk is full")
        }
    }

    private func isRefusedAsDamaged() async throws {
        let before = try Data(contentsOf: file)

        let failure = try await refusal()

        #expect(
            failure?.description == "\(file.path) is damaged; remove it, and the next start creates a new one"
        )
        #expect(try Data(contentsOf: file) == before)
    }

    private func refusal() async throws -> Emulator.StartFailure? {
        await #expect(throws: Emulator.StartFailure.self) { try await start { _ in } }
    }

    private func start(_ body: (Bench) async throws -> Void) async throws {
        try await Bench.run({ $0.dataDirectory = folder }, body)
    }

    /// Changes the file while no emulator runs.
    @discardableResult
    private func change<Value: Sendable>(_ body: @Sendable (Database) throws -> Value) async throws -> Value {
        let database = try DatabaseQueue(path: file.path)
        let value = try await database.writeWithoutTransaction { db in
            let value = try body(db)
            // All of it in the one file, which the tests compare and damage.
            try db.execute(sql: "PRAGMA journal_mode = DELETE")
            return value
        }
        try database.close()
        return value
    }
}
