// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// The console's forms: entries are changed, added, and removed with the validation of a directory file.
struct ConsoleEditingTests {
    private static let client = Seed().clientID

    private static func run(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (ConsolePageTests.Console) async throws -> Void
    ) async throws {
        try await Bench.run {
            $0.controlPort = 0
            change(&$0)
        } _: { bench in
            try await body(ConsolePageTests.Console(bench))
        }
    }

    /// The values of a form, as a browser sends them.
    private static func fields(of page: String) -> [String: String] {
        var fields: [String: String] = [:]
        for match in page.matches(of: /<input[^>]* name="(m\.[^"]+)" type="(?:text|number)" value="([^"]*)"/) {
            fields[String(match.1)] = String(match.2)
        }
        for match in page.matches(of: /name="(m\.[^"]+)" type="checkbox" value="true" checked/) {
            fields[String(match.1)] = "true"
        }
        for match in page.matches(of: /<select[^>]* name="(m\.[^"]+)"[\s\S]*?<\/select>/) {
            fields[String(match.1)] = match.0.firstMatch(of: /value="([^"]*)" selected/).map { String($0.1) } ?? ""
        }
        for match in page.matches(of: /<textarea[^>]* name="(m\.[^"]+|others)"[^>]*>([^<]*)<\/textarea>/) {
            fields[String(match.1)] = String(match.2).replacing("&quot;", with: "\"").replacing("&lt;", with: "<")
                .replacing("&gt;", with: ">").replacing("&#39;", with: "'").replacing("&amp;", with: "&")
        }
        return fields
    }

    @Test(arguments: ["applications", "apis", "groups", "policies"])
    func `saving a form unchanged changes nothing but stated defaults`(list: String) async throws {
        try await Self.run { console in
            let before = try await console.bench.emulator.directory()
            let id =
                [
                    "applications": Self.client, "apis": "00000000-0000-4000-8000-0000000000a1",
                    "groups": before.groups[0].id,
                    "policies": before.policies[0].id,
                ][list] ?? ""
            let page = try await console.page("/edit/\(list)/\(id)")
            var form = Self.fields(of: page)
            form["list"] = list
            form["id"] = id
            let saved = try await console.post("/console/edit", form)
            let after = try await console.bench.emulator.directory()

            #expect(saved.status == 303, "\(saved.text)")
            #expect(after.groups == before.groups && after.policies == before.policies && after.apis == before.apis)
            #expect(after.applications[0].nativeAuthentication == before.applications[0].nativeAuthentication)
            #expect(after.applications[0].redirectURIs == before.applications[0].redirectURIs)
            #expect(after.applications.last == before.applications.last)
        }
    }

    @Test func `an application is edited, and Microsoft Graph shows the same`() async throws {
        try await Self.run { console in
            var form = Self.fields(of: try await console.page("/edit/applications/\(Self.client)"))
            form["list"] = "applications"
            form["id"] = Self.client
            form["m.signInAudience"] = "AzureADMyOrg"
            form["m.enableIdTokenIssuance"] = nil
            form["m.optionalClaims"] = "upn\n{\"name\": \"groups\", \"additionalProperties\": [\"emit_as_roles\"]}"
            form["m.grantedScopes"] = "https://graph.microsoft.com: User.Read, Mail.Read"
            form["m.redirectUris"] = "http://localhost\nmsauth.com.contoso.app://auth"
            let saved = try await console.post("/console/edit", form)
            let app = try await console.bench.emulator.directory().applications[0]

            #expect(saved.status == 303, "\(saved.text)")
            #expect(app.signInAudience == .ownOrganization && app.issuesIDTokens != true)
            #expect(app.optionalClaims.map(\.name) == ["upn", "groups"])
            #expect(app.optionalClaims[1].additionalProperties == ["emit_as_roles"])
            #expect(app.grantedScopes == ["https://graph.microsoft.com": ["User.Read", "Mail.Read"]])
            #expect(app.redirectURIs.count == 2)
        }
    }

    @Test func `an invalid value is explained, and what was typed stays`() async throws {
        try await Self.run { console in
            var form = Self.fields(of: try await console.page("/edit/applications/\(Self.client)"))
            form["list"] = "applications"
            form["id"] = Self.client
            form["m.redirectUris"] = "http://elsewhere.example/"
            form["m.displayName"] = "<b>"
            let rejected = try await console.post("/console/edit", form)
            form["m.redirectUris"] = "http://localhost"
            form["others"] = "{"
            let broken = try await console.post("/console/edit", form)
            form["others"] = #"{"clientId": "x"}"#
            let foreign = try await console.post("/console/edit", form)

            #expect(rejected.status == 200 && rejected.text.contains("role=\"alert\""))
            #expect(rejected.text.contains("use https for the redirect URI"))
            #expect(rejected.text.contains("http://elsewhere.example/</textarea>"))
            #expect(rejected.text.contains("value=\"&lt;b&gt;\""))
            #expect(broken.text.contains("is not a JSON object") && foreign.text.contains("has a control of its own"))
            let app = try await console.bench.emulator.directory().applications[0]
            #expect(app == EmulatorDirectory.seed.applications[0])
        }
    }

    @Test func `entries of each kind are added, found, and removed`() async throws {
        try await Self.run { console in
            let entries: [(list: String, form: [String: String], name: String)] = [
                (
                    "users", ["m.userPrincipalName": "kim@contoso.example", "m.password": "Another-pass1"],
                    "kim@contoso.example"
                ),
                ("groups", ["m.tenant": "contoso.example", "m.displayName": "Planners <1>"], "Planners &lt;1&gt;"),
                ("policies", ["m.name": "Always", "m.grant": "mfa"], "Always"),
                ("applications", ["m.clientId": "new-app", "m.type": "web"], "new-app"),
                ("tokenClaims", ["m.claims": #"{"tier": "gold"}"#], "tier"),
                (
                    "applications",
                    [
                        "m.clientId": AgentDirectory.blueprint, "m.type": "web",
                        "others": #"{"isAgentBlueprint": true}"#,
                    ],
                    AgentDirectory.blueprint
                ),
                (
                    "agents",
                    [
                        "m.displayName": "Invoices", "m.blueprint": AgentDirectory.blueprint,
                        "m.tenant": "contoso.example", "m.isEnabled": "true",
                    ],
                    "Invoices"
                ),
            ]
            for entry in entries {
                let added = try await console.post(
                    "/console/edit",
                    entry.form.merging(["list": entry.list]) { own, _ in own }
                )
                let place = try #require(added.location, "\(added.text)").prefix { $0 != "?" }
                let page = try await console.page("\(place)?q=\(entry.form.values.contains("mfa") ? "Always" : "")")

                #expect(added.status == 303 && page.contains(entry.name), "\(entry.list)")
            }
            let id = try #require(
                try await console.bench.emulator.directory().users.first { $0.userPrincipalName.hasPrefix("kim") }?.id
            )
            let removed = try await console.post("/console/edit", ["list": "users", "id": id, "remove": "true"])

            #expect(removed.location == "/people?done=entry")
            #expect(try await console.bench.emulator.directory().users.allSatisfy { $0.id != id })
        }
    }

    @Test func `secrets are added, kept, and removed without being shown`() async throws {
        try await Self.run { console in
            let client = Seed().serviceClientID
            var form = Self.fields(of: try await console.page("/edit/applications/\(client)"))
            form["list"] = "applications"
            form["id"] = client
            form["m.secrets", default: ""] += "\nSecond-secret"
            let added = try await console.post("/console/edit", form)
            let both = try await console.bench.emulator.directory().applications.first { $0.clientID == client }?
                .secrets
            let page = try await console.page("/edit/applications/\(client)")
            form["m.secrets"] = "Third-secret"
            _ = try await console.post("/console/edit", form)
            let only = try await console.bench.emulator.directory().applications.first { $0.clientID == client }?
                .secrets

            #expect(added.status == 303, "\(added.text)")
            #expect(both?.map(\.value) == [Seed().serviceSecret, "Second-secret"] && both?.first?.name == "the seed's")
            #expect(!page.contains("Second-secret") && !page.contains(Seed().serviceSecret))
            #expect(only?.map(\.value) == ["Third-secret"])
        }
    }

    @Test(arguments: [false, true])
    func `the export is the directory, with secrets only on request`(withSecrets: Bool) async throws {
        try await Self.run { console in
            let file = try await console.post("/console/export", withSecrets ? ["secrets": "true"] : [:])
            let foreign = try await console.post("/console/export", ["secrets": "true"], csrf: "wrong")

            #expect(file.headers.first(name: "content-disposition") == "attachment; filename=\"directory.yaml\"")
            #expect(
                file.text.contains("Pa55-word!") == withSecrets
                    && file.text.contains("Emulator-secret-1") == withSecrets
            )
            #expect(foreign.status == 400 && !foreign.text.contains("Pa55-word!"))
            guard withSecrets else { return }
            let again = try EmulatorDirectory(text: file.text)
            #expect(again.applications == EmulatorDirectory.seed.applications)
            #expect(
                again.policies == EmulatorDirectory.seed.policies
                    && again.users.count == EmulatorDirectory.seed.users.count
            )
        }
    }

    @Test(arguments: ["/edit/applications/\(Seed().clientID)", "/list/groups", "/add/users", "/export"])
    func `a form needs the control token, and a request of another site is refused`(path: String) async throws {
        try await Self.run { console in
            let blind = try await console.bench.send(.GET, to: console.address + path)
            let page = try await console.page(path)
            let foreign = try await console.post(
                "/console/edit",
                ["list": "groups", "id": "x", "remove": "1"],
                csrf: "x"
            )

            #expect(blind.text.contains("Control token") && !blind.text.contains("<table"))
            #expect(!page.contains("Emulator-secret-1") && !page.contains("Pa55-word!"))
            #expect(foreign.status == 400)
        }
    }

    @Test(arguments: ["/edit/applications/none", "/list/nothing", "/edit/nothing/x", "/list"])
    func `an unknown entry is not found`(path: String) async throws {
        try await Self.run { console in
            let response = try await console.bench.send(
                .GET,
                to: console.address + path,
                headers: ["cookie": console.cookie]
            )

            #expect(response.status == 404)
            #expect(response.text.contains("This emulator has no page at <code>\(path)</code>"))
        }
    }

    @Test func `the browser asks for the members without which an entry is invalid`() async throws {
        try await Self.run { console in
            let page = try await console.page("/add/users")

            #expect(page.contains(/name="m.userPrincipalName"[^>]* required>/))
            #expect(!page.contains(/name="m.displayName"[^>]* required>/))
        }
    }

    @Test func `thousands of entries are searched, not listed`() async throws {
        try await Self.run {
            $0.directory.groups = (0..<3_000).map { number in
                let id = "dddddddd-0000-4000-8000-\(String(format: "%012d", number))"
                return .init(id: id, tenant: Bench.tenant, displayName: "Group \(number)")
            }
        } _: { console in
            let all = try await console.page("/list/groups")
            let found = try await console.page("/list/groups?q=group%202999")

            #expect(all.contains("2800 more entries match") && !all.contains("Group 2999<"))
            #expect(found.contains("Group 2999<") && !found.contains("Group 1<"))
        }
    }
}
