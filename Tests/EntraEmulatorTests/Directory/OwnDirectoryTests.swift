// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// An emulator that was started with a directory of one's own.
struct OwnDirectoryTests {
    private static let clientID = "99999999-0000-4000-8000-000000000001"
    private static let tenantID = "33333333-3333-3333-3333-333333333333"
    private static let toDoAPI = "api://tailspin-tasks"

    private static var directory: EmulatorDirectory {
        let tailspin = EmulatorDirectory.Tenant(
            id: tenantID,
            kind: .workforce,
            displayName: "Tailspin",
            domain: "tailspin.example",
            aliases: ["tailspin"]
        )
        let customers = EmulatorDirectory.Tenant(
            id: "44444444-4444-4444-4444-444444444444",
            kind: .external,
            displayName: "Tailspin customers",
            domain: "customers.tailspin.example",
            policies: ["B2C_1_susi"]
        )
        let ada = EmulatorDirectory.User(
            id: "cccccccc-0000-4000-8000-000000000001",
            tenant: "tailspin.example",
            userPrincipalName: "ada@tailspin.example",
            displayName: "Ada Byron King",
            password: "Correct-horse1"
        )
        let customer = EmulatorDirectory.User(
            id: "cccccccc-0000-4000-8000-000000000002",
            tenant: "customers.tailspin.example",
            userPrincipalName: "buyer@customers.tailspin.example",
            displayName: "Buyer",
            password: "Correct-horse2",
            customer: CustomerProfile(
                strongMethods: [StrongMethod(id: "phone", channel: .sms, address: "+15550123")],
                requiresSecondFactor: true
            )
        )
        var app = EmulatorDirectory.Application(
            clientID: clientID,
            displayName: "Tailspin tasks",
            redirectURIs: ["http://localhost"]
        )
        app.nativeAuthentication = NativePolicy()
        app.consentedAudiences = [EmulatorDirectory.API.microsoftGraph.audience]
        let tasks = EmulatorDirectory.API(
            audience: toDoAPI,
            displayName: "Tasks",
            scopes: [.init(name: "ToDoList.Read", summary: "Read your tasks")],
            toDoListPath: "/api/tasks"
        )
        return EmulatorDirectory(
            tenants: [tailspin, customers],
            users: [ada, customer],
            applications: [app],
            apis: [.microsoftGraph, tasks],
            blockedContacts: ["blocked.tailspin.example"]
        )
    }

    private static func run(_ body: (Bench) async throws -> Void) async throws {
        try await Bench.run({ $0.directory = directory }, body)
    }

    private static func address(_ bench: Bench, scope: String = "User.Read openid profile") -> String {
        bench.authorizeURL(tenant: "tailspin", changing: ["client_id": clientID, "scope": scope])
    }

    @Test func `its user signs in, and its API accepts the token`() async throws {
        try await Self.run { bench in
            let scope = "\(Self.toDoAPI)/ToDoList.Read openid profile"
            let response = try await Browser(bench).signIn(
                Self.address(bench, scope: scope),
                as: "ada@tailspin.example",
                password: "Correct-horse1"
            )
            let code = try #require(response.parameters["code"])
            let tokens = try await bench.redeem(code, changing: ["client_id": Self.clientID], tenant: "tailspin").json()

            let idToken = try Bench.claims(tokens["id_token"])
            #expect(idToken["tid"] as? String == Self.tenantID)
            #expect(idToken["name"] as? String == "Ada Byron King")
            let list = try await bench.get("/api/tasks", token: tokens["access_token"] as? String)
            #expect(list.status == 200)
        }
    }

    @Test func `the seed's tenant, application, users and APIs are unknown`() async throws {
        try await Self.run { bench in
            let browser = Browser(bench)
            try await browser.open(Self.address(bench))
            let refused = try await browser.submit(["login": "megan@contoso.example", "action": "next"])
            #expect(refused.text.contains("AADSTS50034"))

            let tenant = try await bench.get(
                bench.authorizeURL(tenant: "contoso", changing: ["client_id": Self.clientID])
            )
            #expect(tenant.text.contains("AADSTS90002"))
            let client = try await bench.get(bench.authorizeURL(tenant: "tailspin"))
            #expect(client.text.contains("AADSTS700016"))
            let list = try await bench.get("/api/todos")
            #expect(list.status == 404)
        }
    }

    @Test func `a customer's second factor is the one of the directory`() async throws {
        try await Self.run { bench in
            var form = [
                "client_id": Self.clientID, "username": "buyer@customers.tailspin.example",
                "challenge_type": "password oob redirect", "capabilities": "mfa_required registration_required",
            ]
            let root = "/customers.tailspin.example/oauth2/v2.0"
            for path in ["initiate", "challenge"] {
                let response = try await bench.send(.POST, to: "\(root)/\(path)", form: form).json()
                form["continuation_token"] = response["continuation_token"] as? String
            }
            form["grant_type"] = "password"
            form["password"] = "Correct-horse2"
            let refused = try await bench.send(.POST, to: "\(root)/token", form: form).json()
            #expect(refused["suberror"] as? String == "mfa_required")
            form["continuation_token"] = refused["continuation_token"] as? String
            let sent = try await bench.send(.POST, to: "\(root)/challenge", form: form).json()

            #expect(sent["challenge_channel"] as? String == "sms")
            #expect(bench.emulator.newestCode(for: "+15550123") != nil)
        }
    }

    @Test func `a tenant that lists its policies has no others`() async throws {
        try await Self.run { bench in
            let metadata = "v2.0/.well-known/openid-configuration"
            let known = try await bench.get("/customers.tailspin.example/b2c_1_SUSI/\(metadata)")
            #expect(known.status == 200)
            let unknown = try await bench.get("/customers.tailspin.example/B2C_1_edit/\(metadata)")
            #expect(try unknown.errorCode() == 90_002)
        }
    }

    @Test func `a reset returns to it`() async throws {
        try await Self.run { bench in
            try await bench.emulator.removeUser("ada@tailspin.example")
            try await bench.emulator.reset()

            let response = try await Browser(bench).signIn(
                Self.address(bench),
                as: "ada@tailspin.example",
                password: "Correct-horse1"
            )
            #expect(response.parameters["code"] != nil)
        }
    }

    @Test func `the first page shows it`() async throws {
        try await Self.run { bench in
            let page = try await bench.get("/")
            for text in [Self.clientID, Self.tenantID, "Ada Byron King", "ada@tailspin.example"] {
                #expect(page.text.contains(text))
            }
            #expect(!page.text.contains("contoso"))
        }
    }

    @Test func `it can be written and read as JSON`() throws {
        for directory in [Self.directory, .seed] {
            let json = try JSONEncoder().encode(directory)
            #expect(try JSONDecoder().decode(EmulatorDirectory.self, from: json) == directory)
        }
    }

    @Test func `a user's printed form hides the password`() {
        let user = Self.directory.users[0]
        #expect("\(user) \(String(reflecting: user))".contains("ada@tailspin.example"))
        for text in ["\(user)", String(reflecting: user), "\([user])", "\(Self.directory)"] {
            #expect(!text.contains("Correct-horse1"))
        }
    }
}
