// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import NIOHTTP1
import Testing

/// Agent identities at the token endpoint: each leg of the protocol, and its refusals.
struct AgentTests {
    private static let exchange = "api://AzureADTokenExchange/.default"
    private static let graph = "https://graph.microsoft.com/.default"

    private func run(
        _ change: (inout EmulatorConfiguration) -> Void = { _ in },
        _ body: (Bench) async throws -> Void
    ) async throws {
        try await Bench.run(
            {
                AgentDirectory.add(to: &$0.directory)
                change(&$0)
            },
            body
        )
    }

    private func token(
        _ bench: Bench,
        _ form: [String: String],
        tenant: String = Bench.tenant
    ) async throws -> Bench.Response {
        try await bench.send(.POST, to: "/\(tenant)/oauth2/v2.0/token", form: form)
    }

    /// T1.
    private func blueprintToken(
        _ bench: Bench,
        for path: String = AgentDirectory.agent,
        blueprint: String = AgentDirectory.blueprint,
        scope: String = exchange,
        tenant: String = Bench.tenant
    ) async throws -> Bench.Response {
        let form = [
            "grant_type": "client_credentials", "client_id": blueprint, "client_secret": AgentDirectory.secret,
            "scope": scope, "fmi_path": path,
        ]
        return try await token(bench, form, tenant: tenant)
    }

    /// The form of an agent that authenticates with T1.
    private func asAgent(_ bench: Bench, _ id: String = AgentDirectory.agent) async throws -> [String: String] {
        let body = try await blueprintToken(bench, for: id).json()
        return [
            "client_id": id, "client_assertion": try #require(body["access_token"] as? String),
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        ]
    }

    /// The form that asks for the token of an agent's user account.
    private func asUser(_ bench: Bench, _ id: String = AgentDirectory.agent) async throws -> [String: String] {
        let agent = try await asAgent(bench, id)
        let form = agent.merging(["grant_type": "client_credentials", "scope": Self.exchange]) { $1 }
        let proof = try #require(try await token(bench, form).json()["access_token"] as? String)
        return agent.merging([
            "grant_type": "user_fic", "user_federated_identity_credential": proof, "client_info": "1",
            "scope": "\(Self.graph) openid profile offline_access",
        ]) { $1 }
    }

    // MARK: Legs

    @Test(arguments: [exchange, "api://AzureAdTokenExchange/.default", "API://azureadtokenexchange/.DEFAULT"])
    func `a blueprint gets an exchange token for its agent`(scope: String) async throws {
        try await run { bench in
            let claims = try Bench.claims(try await blueprintToken(bench, scope: scope).json()["access_token"])

            #expect(claims["azp"] as? String == AgentDirectory.blueprint)
            #expect((claims["sub"] as? String)?.hasSuffix("/\(AgentDirectory.agent)") == true)
            #expect(claims["tid"] as? String == Bench.tenant && claims["idtyp"] as? String == "app")
        }
    }

    @Test func `an agent gets a token for itself, with its own roles and those that it inherits`() async throws {
        try await run { bench in
            let form = try await asAgent(bench).merging([
                "grant_type": "client_credentials", "scope": Self.graph,
            ]) { $1 }
            let claims = try Bench.claims(try await token(bench, form).json()["access_token"])

            #expect(claims["appid"] as? String == AgentDirectory.agent)
            #expect(claims["oid"] as? String == AgentDirectory.agent)
            #expect(claims["xms_par_app_azp"] as? String == AgentDirectory.blueprint)
            #expect((claims["xms_sub_fct"] as? String)?.split(separator: " ").contains("11") == true)
            #expect(claims["roles"] as? [String] == ["User.Read.All"])
            #expect(claims["idtyp"] as? String == "app" && claims["appidacr"] as? String == "2")
        }
    }

    @Test(arguments: [("user_id", AgentDirectory.userID), ("username", "Assistant@contoso.example")])
    func `an agent gets the tokens of its user account`(parameter: String, value: String) async throws {
        try await run { bench in
            let form = try await asUser(bench).merging([parameter: value]) { $1 }
            let body = try await token(bench, form).json()
            let claims = try Bench.claims(body["access_token"])

            #expect(claims["oid"] as? String == AgentDirectory.userID && claims["idtyp"] as? String == "user")
            #expect((claims["xms_sub_fct"] as? String)?.split(separator: " ").contains("13") == true)
            #expect((claims["xms_act_fct"] as? String)?.split(separator: " ").contains("11") == true)
            #expect(claims["appid"] as? String == AgentDirectory.agent)
            let scopes = Set((claims["scp"] as? String ?? "").split(separator: " "))
            #expect(scopes.isSuperset(of: ["Mail.Send", "User.Read"]))
            #expect(try Bench.claims(body["id_token"])["preferred_username"] as? String == AgentDirectory.user)
            #expect(body["refresh_token"] != nil && body["client_info"] != nil)
        }
    }

    @Test func `a user's token needs no OpenID Connect scopes`() async throws {
        try await run { bench in
            let form = try await asUser(bench).merging([
                "user_id": AgentDirectory.userID, "scope": Self.graph,
            ]) { $1 }
            let body = try await token(bench, form).json()

            #expect(body["access_token"] != nil && body["id_token"] == nil && body["refresh_token"] == nil)
        }
    }

    @Test func `an agent exchanges the token of a person that its blueprint received`() async throws {
        try await run { bench in
            let incoming = try await bench.emulator.accessToken(
                TestToken(user: "megan@contoso.example", api: AgentDirectory.blueprint)
            )
            let form = [
                "grant_type": "urn:ietf:params:oauth:grant-type:jwt-bearer", "requested_token_use": "on_behalf_of",
                "assertion": incoming, "scope": "https://graph.microsoft.com/User.Read",
            ]
            let claims = try Bench.claims(
                try await token(bench, asAgent(bench).merging(form) { $1 }).json()["access_token"]
            )

            #expect(claims["oid"] as? String == Seed().megan.objectID)
            #expect((claims["xms_sub_fct"] as? String)?.split(separator: " ").contains("13") == false)
            #expect((claims["xms_act_fct"] as? String)?.split(separator: " ").contains("11") == true)
            // Another agent of the blueprint may do so, too, but not one of another blueprint.
            let second = try await asAgent(bench, AgentDirectory.secondAgent).merging(form) { $1 }
            #expect(try await token(bench, second).status == 200)
            let foreign = try await blueprintToken(
                bench,
                for: AgentDirectory.foreignAgent,
                blueprint: AgentDirectory.otherBlueprint
            ).json()["access_token"]
            var other = try await asAgent(bench).merging(form) { $1 }
            other["client_id"] = AgentDirectory.foreignAgent
            other["client_assertion"] = foreign as? String
            #expect(try await token(bench, other).errorCode() == 50_013)
        }
    }

    // MARK: Refusals

    @Test(arguments: [
        ("not-a-guid", 90_013), (AgentDirectory.foreignAgent, 700_213), (AgentDirectory.disabledAgent, 7_000_112),
        (AgentDirectory.elsewhereAgent, 700_016), ("00000000-0000-4000-8000-00000000dead", 700_016),
        (AgentDirectory.blueprint, 700_016),
    ])
    func `a blueprint gets no token for another identity`(path: String, number: Int) async throws {
        try await run { bench in
            let response = try await blueprintToken(bench, for: path)

            #expect(try response.errorCode() == number)
            #expect(try response.json()["access_token"] == nil)
        }
    }

    @Test func `an assertion for one agent is not accepted from another`() async throws {
        try await run { bench in
            var form = try await asAgent(bench).merging([
                "grant_type": "client_credentials", "scope": Self.graph,
            ]) { $1 }
            form["client_id"] = AgentDirectory.secondAgent

            #expect(try await token(bench, form).errorCode() == 700_213)
        }
    }

    @Test func `an agent has no credentials of its own, and no interactive requests`() async throws {
        try await run { bench in
            let form = ["grant_type": "client_credentials", "client_id": AgentDirectory.agent, "scope": Self.graph]
            let page = try await bench.send(
                .GET,
                to: bench.authorizeURL(changing: ["client_id": AgentDirectory.agent])
            )

            #expect(try await token(bench, form).errorCode() == 7_000_215)
            #expect(
                try await token(bench, form.merging(["client_secret": AgentDirectory.secret]) { $1 }).errorCode()
                    == 7_000_215
            )
            #expect(page.text.contains("AADSTS82014"))
        }
    }

    @Test func `a disabled, removed, or moved agent gets nothing with a token that it already has`() async throws {
        try await run { bench in
            let form = try await asUser(bench).merging(["user_id": AgentDirectory.userID]) { $1 }
            try await bench.emulator.changeDirectory { directory in
                directory.agents[0].isEnabled = false
            }
            #expect(try await token(bench, form).errorCode() == 7_000_112)
            try await bench.emulator.changeDirectory { directory in
                directory.agents[0].isEnabled = true
                directory.agents[0].tenant = "fabrikam.example"
            }
            #expect(try await token(bench, form).errorCode() == 700_016)
            try await bench.emulator.changeDirectory { $0.agents.remove(at: 0) }
            #expect(try await token(bench, form).errorCode() == 700_016)
            // The user account outlives its agent.
            #expect(try await bench.emulator.directory().users.contains { $0.id == AgentDirectory.userID })
        }
    }

    @Test(arguments: [
        (["user_id": AgentDirectory.secondUserID], 50_105), (["username": AgentDirectory.secondUser], 50_105),
        (["username": "megan@contoso.example"], 50_105), (["username": "nobody@contoso.example"], 50_034),
        ([:], 900_144), (["username": AgentDirectory.user, "user_id": AgentDirectory.userID], 90_013),
        (["user_id": AgentDirectory.userID, "user_federated_identity_credential": "nonsense"], 50_013),
        (["user_id": AgentDirectory.userID, "scope": "https://graph.microsoft.com/Files.Read"], 65_001),
        (["user_id": AgentDirectory.userID, "scope": "\(graph) api://\(AgentDirectory.blueprint)/.default"], 28_000),
    ])
    func `an agent gets no token of another user`(changes: [String: String], number: Int) async throws {
        try await run { bench in
            let response = try await token(bench, try await asUser(bench).merging(changes) { $1 })

            #expect(try response.errorCode() == number)
        }
    }

    @Test func `the proof is the agent's own: neither the blueprint's token nor another agent's`() async throws {
        try await run { bench in
            let form = try await asUser(bench).merging(["user_id": AgentDirectory.userID]) { $1 }
            let other = try await asUser(bench, AgentDirectory.secondAgent)
            for proof in [form["client_assertion"], other["user_federated_identity_credential"]] {
                var changed = form
                changed["user_federated_identity_credential"] = proof
                #expect(try await token(bench, changed).errorCode() == 50_013)
            }
        }
    }

    @Test func `exchange tokens expire, and clocks may differ by five minutes only`() async throws {
        try await run { bench in
            let form = try await asUser(bench).merging(["user_id": AgentDirectory.userID]) { $1 }
            bench.emulator.skewClock(of: AgentDirectory.agent, by: .seconds(-600))
            #expect(try await token(bench, form).errorCode() == 700_024)
            bench.emulator.skewClock(of: AgentDirectory.agent, by: .zero)
            await bench.emulator.advanceClock(by: .seconds(7_200))
            #expect(try await token(bench, form).errorCode() == 700_024)
        }
    }

    // MARK: Policies

    @Test(arguments: ["all", AgentDirectory.agent, AgentDirectory.blueprint])
    func `a policy blocks agents, and the list of sign-ins shows them`(name: String) async throws {
        var policy = EmulatorDirectory.AccessPolicy(name: "No agents", grant: [.block])
        policy.agents = [name]
        try await run({ $0.directory.policies.append(policy) }) { bench in
            let form = try await asAgent(bench).merging([
                "grant_type": "client_credentials", "scope": Self.graph,
            ]) { $1 }
            let refused = try await token(bench, form)
            let ofUser = try await asUser(bench).merging(["user_id": AgentDirectory.userID]) { $1 }
            let user = try await token(bench, ofUser)
            let person = try await bench.tokens()
            let decisions = bench.emulator.signIns

            #expect(try refused.errorCode() == 53_003 && user.errorCode() == 53_003)
            #expect(person["access_token"] != nil)
            #expect(decisions.contains { $0.user.isEmpty && $0.number == 53_003 })
            #expect(decisions.contains { $0.user == AgentDirectory.user && $0.number == 53_003 })
            #expect(decisions.count { $0.agentBlueprint == AgentDirectory.blueprint } == 2)
        }
    }

    // MARK: Directory

    @Test func `a directory file has agents and their user accounts`() throws {
        let text = """
            tenants: [{domain: contoso.example}]
            applications:
              - {clientId: \(AgentDirectory.blueprint), isAgentBlueprint: true, secrets: [{value: s}]}
            agents:
              - {displayName: Helper, blueprint: \(AgentDirectory.blueprint), tenant: contoso.example}
            users:
              - {userPrincipalName: helper@contoso.example, agent: \(AgentDirectory.agent)}
            """
        let directory = try EmulatorDirectory(text: text)
        let again = try EmulatorDirectory(text: directory.text(withSecrets: true))

        #expect(directory.agents.map(\.displayName) == ["Helper"] && directory.users[0].agent == AgentDirectory.agent)
        #expect(again == directory)
    }

    @Test(arguments: [
        ("blueprint: nobody, tenant: contoso.example", "names 'nobody', which does not exist"),
        ("blueprint: web, tenant: contoso.example", "which is not a blueprint"),
        ("blueprint: \(AgentDirectory.blueprint), tenant: other.example", "names 'other.example'"),
        ("blueprint: \(AgentDirectory.blueprint), tenant: contoso.example, id: nonsense", "nonsense"),
    ])
    func `an agent of a directory file needs a blueprint and a tenant`(members: String, message: String) throws {
        let text = """
            tenants: [{domain: contoso.example}]
            applications:
              - {clientId: \(AgentDirectory.blueprint), isAgentBlueprint: true}
              - {clientId: web}
            agents:
              - {displayName: Helper, \(members)}
            """
        do {
            _ = try EmulatorDirectory(text: text)
            Issue.record("The file was accepted.")
        } catch {
            #expect("\(error)".contains(message))
        }
    }
}

/// Agents in Microsoft Graph.
struct GraphAgentTests {
    private func send(
        _ bench: Bench,
        _ method: HTTPMethod,
        _ path: String,
        _ body: String = ""
    ) async throws -> Bench.Response {
        let form = [
            "grant_type": "client_credentials", "client_id": Seed().serviceClientID,
            "client_secret": Seed().serviceSecret, "scope": "https://graph.microsoft.com/.default",
        ]
        let token = try await bench.send(.POST, to: "/\(Bench.tenant)/oauth2/v2.0/token", form: form).json()
        let header = "Bearer \(try #require(token["access_token"] as? String))"
        return try await bench.send(method, to: path, headers: ["authorization": header], body: body)
    }

    @Test func `a blueprint, its agents, and their users are created, changed, and removed`() async throws {
        try await Bench.run({ configuration in
            for index in configuration.directory.applications.indices
            where configuration.directory.applications[index].clientID == Seed().serviceClientID {
                configuration.directory.applications[index].grantedRoles["https://graph.microsoft.com"] =
                    ["Application.ReadWrite.All", "User.ReadWrite.All", "Directory.Read.All"]
            }
        }) { bench in
            let blueprint = try await send(
                bench,
                .POST,
                "/v1.0/applications/microsoft.graph.agentIdentityBlueprint",
                #"{"displayName": "Blueprint"}"#
            ).json()
            let blueprintID = try #require(blueprint["appId"] as? String)
            let agents = "/v1.0/servicePrincipals/microsoft.graph.agentIdentity"
            let agent = try await send(
                bench,
                .POST,
                agents,
                #"{"displayName": "Helper", "agentIdentityBlueprintId": "\#(blueprintID)"}"#
            ).json()
            let id = try #require(agent["id"] as? String)
            let user = try await send(
                bench,
                .POST,
                "/beta/users/microsoft.graph.agentUser",
                """
                {"displayName": "Helper", "userPrincipalName": "helper@contoso.example", "mailNickname": "helper",
                 "accountEnabled": true, "identityParentId": "\(id)"}
                """
            )
            let listed = try await send(bench, .GET, agents).json()["value"] as? [[String: Any]]

            #expect(agent["agentIdentityBlueprintId"] as? String == blueprintID)
            #expect(agent["appId"] as? String == id && agent["servicePrincipalType"] as? String == "ServiceIdentity")
            #expect(user.status == 201)
            #expect(listed?.compactMap { $0["id"] as? String } == [id])
            let principal = "/v1.0/servicePrincipals/\(id)"
            #expect(try await send(bench, .PATCH, principal, #"{"accountEnabled": false}"#).status == 204)
            #expect(try await send(bench, .GET, principal).json()["accountEnabled"] as? Bool == false)
            #expect(try await send(bench, .DELETE, principal).status == 204)
            let left = try await bench.emulator.directory()
            #expect(left.agents.isEmpty && left.users.contains { $0.agent == id })
        }
    }

    @Test(arguments: [
        #"{"displayName": "Helper", "agentIdentityBlueprintId": "nobody"}"#, #"{"displayName": "Helper"}"#,
        #"{"displayName": "Helper", "agentIdentityBlueprintId": "00000000-0000-4000-8000-000000000010"}"#,
    ])
    func `an agent needs a blueprint`(body: String) async throws {
        try await Bench.run { bench in
            let response = try await send(
                bench,
                .POST,
                "/v1.0/servicePrincipals/microsoft.graph.agentIdentity",
                body
            )

            #expect(response.status == 400)
            #expect(try await bench.emulator.directory().agents.isEmpty)
        }
    }
}
