// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Entries of the directory that the control API creates, shows, changes and removes.
struct DirectoryControlTests {
    @Test func `a directory may be as large as a directory file`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = try ControlPort(bench)
            let limit = 32 << 20
            let text = String(repeating: "x", count: limit - 2)
            let most = try await control.send(.POST, "/directory", "\"\(text)\"")
            let more = try await control.send(.POST, "/directory", "\"\(text)x\"")

            #expect(most.status == 400 && most.text.contains("the body must be a JSON object"))
            #expect(more.status == 400 && more.text.contains("the body must not be larger than 33554432 bytes"))
        }
    }

    @Test func `many entries are added at once, or none of them`() async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let control = try ControlPort(bench)
            let many: [String: Any] = [
                "tenants": [["id": "77777777-7777-4777-8777-777777777777", "domain": "adatum.example"]],
                "users": (1...300).map { number in
                    [
                        "tenant": "adatum.example", "userPrincipalName": "user\(number)@adatum.example",
                        "displayName": "User \(number)", "password": "Pa55-word!",
                    ]
                },
                "groups": [
                    ["tenant": "adatum.example", "displayName": "All", "members": ["user1@adatum.example"]]
                ],
                "tokenClaims": [["user": "user1@adatum.example", "claims": ["tier": "gold"]]],
            ]
            let added = try await control.call(.POST, "/directory", many)
            let user = try await control.call(.GET, "/users/user300@adatum.example")
            let again = try await control.call(.POST, "/directory", many)
            let halfWrong = try await control.call(
                .POST,
                "/directory",
                [
                    "groups": [["tenant": "contoso.example", "displayName": "Half"]],
                    "users": [
                        [
                            "tenant": "contoso.example", "userPrincipalName": "megan@contoso.example",
                            "password": "Pa55-word!",
                        ]
                    ],
                ]
            )
            let misspelt = try await control.send(.POST, "/directory", #"{"groups": [{"tenant": 5}]}"#)
            let unknown = try await control.send(.POST, "/directory", #"{"devices": []}"#)
            let groups = try await control.call(.GET, "/groups")
            let setting = try await control.call(.GET, "/tokenClaims")

            #expect(added.status == 201, "\(added.text)")
            let counts = ["tenants": 1, "users": 300, "groups": 1, "tokenClaims": 1]
            #expect(try added.json()["added"] as? [String: Int] == counts)
            #expect(setting.text.contains("gold"))
            #expect(user.status == 200)
            #expect(again.status == 409)
            #expect(halfWrong.status == 409)
            #expect(misspelt.status == 400)
            #expect(misspelt.text.contains("groups[0]: "))
            #expect(unknown.status == 400)
            #expect(groups.text.contains("All"))
            #expect(!groups.text.contains("Half"))
        }
    }

    /// The control API of a running emulator.
    struct Control {
        let bench: Bench

        func call(_ method: HTTPMethod, _ path: String, body: String? = nil) async throws -> Bench.Response {
            let port = try #require(bench.emulator.controlPort)
            let token = try #require(bench.emulator.controlToken)
            return try await bench.send(
                method,
                to: "https://localhost:\(port)\(path)",
                headers: ["authorization": "Bearer \(token)"],
                body: body
            )
        }
    }

    private static func run(
        data: URL? = nil,
        _ body: (Bench, Control) async throws -> Void
    ) async throws {
        try await Bench.run({
            $0.controlPort = 0
            $0.dataDirectory = data
        }) { bench in try await body(bench, Control(bench: bench)) }
    }

    private static func token(_ bench: Bench, client: String, secret: String) async throws -> Bench.Response {
        try await bench.send(
            .POST,
            to: "/\(Bench.tenant)/oauth2/v2.0/token",
            form: [
                "grant_type": "client_credentials", "client_id": client, "client_secret": secret,
                "scope": "https://graph.microsoft.com/.default",
            ]
        )
    }

    @Test func `an application is created, gets tokens, is changed and removed, with immediate effect`() async throws {
        try await Self.run { bench, control in
            let made = try await control.call(
                .POST,
                "/applications",
                body: #"{"clientId":"nightly","type":"api","secrets":[{"name":"first"}]}"#
            )
            let secrets = try #require(try made.json()["secrets"] as? [[String: Any]])
            let secret = try #require(secrets[0]["value"] as? String)
            let token = try await Self.token(bench, client: "nightly", secret: secret)
            let shown = try await control.call(.GET, "/applications/NIGHTLY")
            let listed = try await control.call(.GET, "/applications")
            let changed = try await control.call(
                .PATCH,
                "/applications/nightly",
                body: #"{"displayName":"Nightly job","secrets":[{"name":"first","value":"<hidden>"},"second-1"]}"#
            )
            let first = try await Self.token(bench, client: "nightly", secret: secret)
            let second = try await Self.token(bench, client: "nightly", secret: "second-1")
            let removed = try await control.call(.DELETE, "/applications/nightly")
            let gone = try await Self.token(bench, client: "nightly", secret: secret)
            let missing = try await control.call(.GET, "/applications/nightly")

            #expect(made.status == 201)
            #expect(secret.count >= 32)
            #expect(token.status == 200)
            #expect(shown.status == 200)
            #expect(!shown.text.contains(secret) && shown.text.contains(#""value":"<hidden>""#))
            #expect(!listed.text.contains(secret) && !listed.text.contains(bench.emulator.seed.serviceSecret))
            #expect(changed.status == 200)
            #expect(changed.text.contains("second-1") && !changed.text.contains(secret))
            #expect(try changed.json()["displayName"] as? String == "Nightly job")
            #expect(first.status == 200)
            #expect(second.status == 200)
            #expect(removed.status == 200)
            #expect(try gone.errorCode() == 700_016)
            #expect(missing.status == 404)
        }
    }

    /// A list, a body that makes an entry, its name in the path, and a change.
    private static let entries = [
        ("tenants", #"{"domain":"tailspin.example"}"#, "tailspin.example", #"{"displayName":"Changed"}"#),
        (
            "groups", #"{"tenant":"contoso.example","displayName":"Planners"}"#, "Planners",
            #"{"displayName":"Changed"}"#
        ),
        ("applications", #"{"clientId":"new"}"#, "new", #"{"displayName":"Changed"}"#),
        ("apis", #"{"clientId":"api://new"}"#, "api%3A%2F%2Fnew", #"{"displayName":"Changed"}"#),
        (
            "managedIdentities", #"{"tenant":"contoso","name":"new","resourceId":"/subscriptions/1"}"#, "new",
            #"{"name":"Changed"}"#
        ),
        (
            "users", #"{"userPrincipalName":"new@contoso.example","password":"x"}"#, "new%40contoso.example",
            #"{"displayName":"Changed"}"#
        ),
    ]

    @Test func `each kind of entry is created once, shown, changed and removed`() async throws {
        try await Self.run { _, control in
            for (list, body, name, change) in Self.entries {
                let made = try await control.call(.POST, "/\(list)", body: body)
                let again = try await control.call(.POST, "/\(list)", body: body)
                let shown = try await control.call(.GET, "/\(list)/\(name)")
                let id = try #require((try shown.json()["id"] ?? shown.json()["clientId"]) as? String)
                let path = try #require(id.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let changed = try await control.call(.PATCH, "/\(list)/\(path)", body: change)
                let refused = try await control.call(.PATCH, "/\(list)/\(path)", body: #"{"colour":"red"}"#)
                let listed = try await control.call(.GET, "/\(list)")
                let method = try await control.call(.PUT, "/\(list)/\(path)", body: "{}")
                let removed = try await control.call(.DELETE, "/\(list)/\(path)")
                let gone = try await control.call(.GET, "/\(list)/\(path)")

                #expect(made.status == 201, "\(list): \(made.text)")
                #expect(again.status == 409, "\(list): \(again.text)")
                #expect(changed.status == 200, "\(list): \(changed.text)")
                #expect(changed.text.contains("Changed"), "\(list)")
                #expect(refused.status == 400, "\(list): \(refused.text)")
                #expect(listed.text.contains("Changed"), "\(list)")
                #expect(method.status == 405, "\(list)")
                #expect(method.headers.first(name: "allow") == "GET, PATCH, DELETE", "\(list)")
                #expect(removed.status == 200, "\(list): \(removed.text)")
                #expect(gone.status == 404, "\(list)")
            }
        }
    }

    @Test func `entries that others need are not removed, and IDs do not change`() async throws {
        try await Self.run { bench, control in
            let before = try await bench.emulator.directory()
            let refusals = [
                (try await control.call(.DELETE, "/tenants/contoso"), "has 3 users; remove them before"),
                (
                    try await control.call(.DELETE, "/apis/\(bench.emulator.seed.apiIdentifier.dropFirst(6))"),
                    "cannot be removed: app"
                ),
                (try await control.call(.DELETE, "/apis/00000003-0000-0000-c000-000000000000"), "Microsoft Graph"),
                (
                    try await control.call(.PATCH, "/tenants/contoso", body: #"{"kind":"external"}"#),
                    "has 3 users; remove them"
                ),
                (
                    try await control.call(
                        .PATCH,
                        "/applications/\(bench.emulator.seed.clientID)",
                        body: #"{"clientId":"x"}"#
                    ),
                    "'clientId' cannot be changed"
                ),
                (
                    try await control.call(.PATCH, "/users/megan@contoso.example", body: #"{"tenant":"fabrikam"}"#),
                    "'tenant' cannot be changed"
                ),
            ]

            for (response, words) in refusals {
                #expect(response.status == 400)
                #expect(response.text.contains(words), "\(response.text)")
            }
            let after = try await bench.emulator.directory()
            #expect(after == before)
        }
    }

    @Test func `users are listed in pages and found by name or id`() async throws {
        try await Self.run { bench, control in
            var names: [String] = []
            var after = ""
            for _ in 0..<100 {
                let page = try await control.call(.GET, "/users?limit=3&after=\(after)").json()
                names += try #require(page["users"] as? [[String: Any]]).compactMap {
                    $0["userPrincipalName"] as? String
                }
                after = try #require(page["next"] as? String)
                guard page["more"] as? Bool == true else { break }
            }
            let megan = bench.emulator.seed.megan
            let byID = try await control.call(.GET, "/users/\(megan.objectID)").json()
            let wrong = try await control.call(.GET, "/users?limit=many")

            #expect(names.sorted() == EmulatorDirectory.seed.users.map(\.userPrincipalName).sorted())
            #expect(byID["userPrincipalName"] as? String == megan.userPrincipalName)
            #expect(byID["tenantId"] as? String == megan.homeTenantID)
            #expect(byID["password"] as? String == "<hidden>")
            #expect(wrong.status == 400)
        }
    }

    @Test func `a user keeps the password until it is changed`() async throws {
        try await Self.run { bench, control in
            let megan = "/users/megan@contoso.example"
            let renamed = try await control.call(.PATCH, megan, body: #"{"displayName":"Meg","password":"<hidden>"}"#)
            let signedIn = try await Browser(bench).signIn(bench.authorizeURL())
            let changed = try await control.call(.PATCH, megan, body: #"{"password":"Another-pass1"}"#)
            let old = try await Browser(bench).signIn(bench.authorizeURL())
            let new = try await Browser(bench).signIn(bench.authorizeURL(), password: "Another-pass1")

            #expect(renamed.status == 200)
            #expect(try renamed.json()["displayName"] as? String == "Meg")
            #expect(signedIn.parameters["code"] != nil)
            #expect(changed.status == 200)
            #expect(!changed.text.contains("Another-pass1"))
            #expect(old.parameters["code"] == nil)
            #expect(new.parameters["code"] != nil)
        }
    }

    @Test func `changes in a data folder survive a restart, until a reset`() async throws {
        let data = Bench.stateDirectory.appendingPathComponent("data-\(UUID().uuidString)")
        let secret = "Kept-secret-1"
        try await Self.run(data: data) { bench, control in
            let made = try await control.call(
                .POST,
                "/applications",
                body: #"{"clientId":"kept","type":"web","secrets":["\#(secret)"]}"#
            )
            #expect(made.status == 201)
            #expect(!bench.emulator.keepsOwnDirectory)
        }
        try await Self.run(data: data) { bench, control in
            let token = try await Self.token(bench, client: "kept", secret: secret)
            #expect(bench.emulator.keepsOwnDirectory)
            #expect(token.status == 200)
            _ = try await control.call(.POST, "/reset")
            let gone = try await Self.token(bench, client: "kept", secret: secret)
            #expect(try gone.errorCode() == 700_016)
        }
        try await Self.run(data: data) { bench, _ in
            #expect(!bench.emulator.keepsOwnDirectory)
            let directory = try await bench.emulator.directory()
            let seed = try await Self.normalSeed()
            #expect(directory == seed)
        }
    }

    @Test func `a test changes the directory as a value`() async throws {
        try await Bench.run { bench in
            let emulator = bench.emulator
            try await emulator.changeDirectory { directory in
                directory.applications[0].redirectURIs.append("http://localhost/back")
                directory.users.removeAll { $0.userPrincipalName == "alex@contoso.example" }
                directory.users.append(
                    .init(
                        id: "aaaaaaaa-0000-4000-8000-000000000077",
                        tenant: "contoso.example",
                        userPrincipalName: "kim@contoso.example",
                        displayName: "Kim Abel",
                        password: "Another-pass1"
                    )
                )
            }
            try await emulator.changeUser("kim@contoso.example") { $0.jobTitle = "Planner" }
            let signedIn = try await Browser(bench).signIn(
                bench.authorizeURL(changing: ["redirect_uri": "http://localhost:9/back"]),
                as: "kim@contoso.example",
                password: "Another-pass1"
            )
            let refusal = await #expect(throws: EmulatorDirectory.InvalidEntry.self) {
                try await emulator.changeDirectory { $0.users[0].tenant = "nowhere" }
            }
            let directory = try await emulator.directory()

            #expect(signedIn.parameters["code"] != nil)
            #expect(refusal?.problem == .unknown("nowhere"))
            #expect(directory.users.contains { $0.jobTitle == "Planner" && $0.password == "Another-pass1" })
            #expect(!directory.users.contains { $0.userPrincipalName == "alex@contoso.example" })
        }
    }

    /// The default directory as an emulator without changes tells it.
    private static func normalSeed() async throws -> EmulatorDirectory {
        var seed: EmulatorDirectory?
        try await Bench.run { seed = try await $0.emulator.directory() }
        return try #require(seed)
    }
}
