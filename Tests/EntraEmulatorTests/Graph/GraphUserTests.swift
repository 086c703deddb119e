// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The users and groups that Microsoft Graph shows.
struct GraphUserTests {
    private static let seed = Seed()

    /// A token of the application that may read all users.
    private static func applicationToken(_ bench: Bench) async throws -> String {
        let response = try await bench.send(
            .POST,
            to: "/\(Bench.tenant)/oauth2/v2.0/token",
            form: [
                "grant_type": "client_credentials", "client_id": seed.serviceClientID,
                "client_secret": seed.serviceSecret, "scope": "https://graph.microsoft.com/.default",
            ]
        )
        return try #require(try response.json()["access_token"] as? String)
    }

    private static func users(_ response: Bench.Response) throws -> [[String: Any]] {
        try #require(try response.json()["value"] as? [[String: Any]])
    }

    @Test func `an application reads the users of its tenant page by page, guests included`() async throws {
        try await Bench.run { bench in
            let token = try await Self.applicationToken(bench)
            let whole = try await bench.get("/v1.0/users", token: token)
            var names: [String] = []
            var next: String? = "/v1.0/USERS?$top=2"
            var pages = 0
            while let address = next, pages < 20 {
                let page = try await bench.get(address, token: token)
                let users = try Self.users(page)
                #expect(users.count <= 2)
                names += users.compactMap { $0["userPrincipalName"] as? String }
                next = try page.json()["@odata.nextLink"] as? String
                pages += 1
            }
            let expected = try Self.users(whole).compactMap { $0["userPrincipalName"] as? String }

            #expect(names == expected)
            #expect(names.contains("megan@contoso.example"))
            #expect(names.contains("guest_fabrikam.example#EXT#@contoso.example"))
            #expect(!names.contains("dana@personal.example"))
        }
    }

    @Test func `a user is found by object ID and by name, with the members that are asked for`() async throws {
        try await Bench.run { bench in
            let token = try await Self.applicationToken(bench)
            let byName = try await bench.get("/v1.0/users/Megan@contoso.example", token: token).json()
            let id = try #require(byName["id"] as? String)
            let byID = try await bench.get("/v1.0/users/\(id)?$select=id,displayName", token: token).json()
            let nobody = try await bench.get("/v1.0/users/nobody@contoso.example", token: token)
            let stranger = try await bench.get("/v1.0/users/dana@personal.example", token: token)

            #expect(byName["displayName"] as? String == "Megan Bowen")
            #expect(Set(byID.keys) == ["@odata.context", "id", "displayName"])
            for missing in [nobody, stranger] {
                #expect(missing.status == 404)
                #expect(missing.text.contains("Request_ResourceNotFound"))
            }
        }
    }

    @Test func `a user who may read only their own profile cannot see others`() async throws {
        try await Bench.run { bench in
            let token = try await bench.tokens()["access_token"] as? String
            let own = try await bench.get("/v1.0/users/megan@contoso.example", token: token)
            #expect(own.status == 200)
            for path in ["/v1.0/users", "/v1.0/users/alex@contoso.example", "/v1.0/users/nobody@contoso.example"] {
                let refused = try await bench.get(path, token: token)
                #expect(refused.status == 403)
                #expect(refused.text.contains("Authorization_RequestDenied"))
            }
        }
    }

    @Test func `the groups of the signed-in user are listed, and an application has none`() async throws {
        try await Bench.run { bench in
            let token = try await bench.tokens()["access_token"] as? String
            let groups = try Self.users(await bench.get("/v1.0/me/memberOf", token: token))
            let application = try await bench.get("/v1.0/me/memberOf", token: Self.applicationToken(bench))

            #expect(groups.compactMap { $0["displayName"] as? String } == ["Marketing", "All of Contoso"])
            #expect(application.status == 400)
        }
    }

    @Test(arguments: ["0", "1000", "-1", "many"])
    func `an invalid page size is rejected with the limits`(size: String) async throws {
        try await Bench.run { bench in
            let token = try await Self.applicationToken(bench)
            let response = try await bench.get("/v1.0/users?$top=\(size)", token: token)

            #expect(response.status == 400)
            #expect(response.text.contains("between 1 and 999"))
        }
    }

    @Test func `without a token no user is shown`() async throws {
        try await Bench.run { bench in
            for path in ["/v1.0/users", "/v1.0/users/megan@contoso.example", "/v1.0/me/memberOf"] {
                let response = try await bench.get(path)
                #expect(response.status == 401)
            }
        }
    }
}
