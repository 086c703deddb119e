// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The console's pages about sign-ins, people, apps and tokens.
struct ConsolePageTests {
    /// A browser that has opened the console.
    struct Console {
        let bench: Bench
        let address: String
        let cookie: String
        let csrf: String

        init(_ bench: Bench) async throws {
            self.bench = bench
            address = "https://localhost:\(try #require(bench.emulator.controlPort))"
            let form = ["token": try #require(bench.emulator.controlToken)]
            let opened = try await bench.send(.POST, to: address + "/session", form: form)
            cookie = String(try #require(opened.headers.first(name: "set-cookie")).prefix { $0 != ";" })
            let page = try await bench.send(.GET, to: address + "/people", headers: ["cookie": cookie])
            csrf = try #require(page.part(from: "name=\"csrf\" value=\"", to: "\""))
        }

        func page(_ path: String) async throws -> String {
            let response = try await bench.send(.GET, to: address + path, headers: ["cookie": cookie])
            #expect(response.status == 200)
            return response.text
        }

        func post(_ path: String, _ form: [String: String], csrf: String? = nil) async throws -> Bench.Response {
            let form = form.merging(["csrf": csrf ?? self.csrf]) { own, _ in own }
            return try await bench.send(.POST, to: address + path, form: form, headers: ["cookie": cookie])
        }
    }

    @Test(arguments: ["/sign-ins", "/people", "/list/applications", "/token"])
    func `each page requires the control token, and shows no secret`(path: String) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let console = try await Console(bench)
            let blind = try await bench.send(.GET, to: console.address + path)
            let page = try await console.page(path)

            #expect(blind.text.contains("Control token"))
            #expect(page.contains("aria-label=\"Console\""))
            #expect(!page.contains("Emulator-secret-1") && !page.contains("Pa55-word!"))
            #expect(!page.contains(try #require(bench.emulator.controlToken)))
        }
    }

    @Test(arguments: [("disable", 50_057), ("lock", 50_053)])
    func `one click changes a user, which the sign-in shows`(change: String, number: Int) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let console = try await Console(bench)
            let form = ["user": bench.emulator.seed.megan.objectID, "change": change]
            let foreign = try await console.post("/console/people", form, csrf: "wrong")
            let done = try await console.post("/console/people", form)
            let page = try await Browser(bench).signIn(bench.authorizeURL())

            #expect(foreign.status == 400)
            #expect(done.status == 303 && done.location == "/people?done=person")
            #expect(page.parameters["code"] == nil && page.text.contains(String(number)))
        }
    }

    @Test func `a rejected sign-in is listed with its reason and its policy`() async throws {
        try await Bench.run({ configuration in
            configuration.controlPort = 0
            var policy = EmulatorDirectory.AccessPolicy(name: "Nobody <here>", grant: [.block])
            policy.users = ["megan@contoso.example"]
            configuration.directory.policies.append(policy)
        }) { bench in
            let console = try await Console(bench)
            _ = try await Browser(bench).signIn(bench.authorizeURL())
            let page = try await console.page("/sign-ins")

            #expect(page.contains("AADSTS53003"))
            #expect(page.contains("Nobody &lt;here&gt;: not satisfied"))
        }
    }

    @Test(
        arguments: [
            (nil, "The API accepts it"), (TestToken.Flaw.expired, "It has expired"),
            (.wrongKey, "The signature is invalid"),
            (.unsigned, "It is not signed"), (.wrongAudience, "is not an API"), (.noScopes, "has no permissions"),
            (.wrongTenant, "is not a tenant"),
        ] as [(TestToken.Flaw?, String)]
    )
    func `a token is decoded with the reason why an API rejects it`(flaw: TestToken.Flaw?, words: String) async throws {
        try await Bench.run({ $0.controlPort = 0 }) { bench in
            let console = try await Console(bench)
            var order = TestToken(user: "megan@contoso.example", api: bench.emulator.seed.apiIdentifier)
            order.flaw = flaw
            let token = try await bench.emulator.accessToken(order)
            let api = String(bench.emulator.seed.apiIdentifier.dropFirst("api://".count))
            let response = try await console.post("/console/token", ["token": token, "api": api])

            #expect(response.status == 200)
            #expect(response.text.contains(words), "\(response.text)")
            #expect(!response.text.contains(token))
        }
    }
}
