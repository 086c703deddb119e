// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase
import MSALCore
import MSALServer
import Testing

/// A blueprint and its agents with the emulator, over TLS.
struct AgentEndToEndTests {
    private static let blueprint = "00000000-0000-4000-8000-0000000000b1"
    private static let agent = "00000000-0000-4000-8000-0000000000c1"
    private static let user = "assistant@contoso.example"
    private static let graph = "https://graph.microsoft.com"

    private func run(_ body: (Emulator, MSALConfidentialClientApplication) async throws -> Void) async throws {
        try await ServerEmulator.run(
            { configuration in
                var blueprint = EmulatorDirectory.Application(
                    clientID: Self.blueprint,
                    displayName: "Blueprint",
                    kind: .web,
                    redirectURIs: []
                )
                blueprint.isAgentBlueprint = true
                blueprint.secrets = [EmulatorDirectory.ClientSecret("secret")]
                configuration.directory.applications.append(blueprint)
                configuration.directory.apis.append(
                    EmulatorDirectory.API(
                        audience: Self.blueprint,
                        displayName: "Blueprint",
                        scopes: [.init(name: "access_agent", summary: "Talk to the agent")]
                    )
                )
                var agent = EmulatorDirectory.Agent(
                    id: Self.agent,
                    displayName: "Helper",
                    blueprint: Self.blueprint,
                    tenant: "contoso.example"
                )
                agent.grantedScopes = [Self.graph: ["User.Read"]]
                agent.grantedRoles = [Self.graph: ["User.Read.All"]]
                configuration.directory.agents.append(agent)
                var user = EmulatorDirectory.User(
                    id: "aaaaaaaa-0000-4000-8000-0000000000d1",
                    tenant: "contoso.example",
                    userPrincipalName: Self.user,
                    displayName: "Helper",
                    password: nil
                )
                user.agent = Self.agent
                configuration.directory.users.append(user)
            }
        ) { emulator in
            let authority = try #require(URL(string: "https://localhost:\(emulator.port)/contoso.example"))
            try await body(
                emulator,
                try MSALConfidentialClientApplication(
                    configuration: MSALConfidentialClientConfiguration(
                        clientId: Self.blueprint,
                        authority: .url(authority),
                        credential: .secret("secret")
                    ),
                    environment: .sockets(caFile: emulator.certificateAuthorityFile)
                )
            )
        }
    }

    private func claims(_ token: MSALTokenResult) throws -> [String: MSALBase.JSONValue] {
        let parts = token.accessToken.split(separator: ".")
        let payload = try #require(parts.count == 3 ? Base64URL.decode(parts[1]) : nil)
        return try #require(MSALBase.JSONValue(parsing: payload)?.object)
    }

    @Test func `an agent acts for itself, for its user account, and for a person`() async throws {
        try await run { emulator, application in
            let agent = try application.agent(id: Self.agent)
            let person = try await emulator.accessToken(TestToken(user: "megan@contoso.example", api: Self.blueprint))

            let own = try await agent.acquireTokenForClient(scopes: ["\(Self.graph)/.default"])
            let user = try await agent.acquireTokenForAgentUser(.name(Self.user), scopes: ["\(Self.graph)/User.Read"])
            let other = try await agent.token(
                onBehalfOf: IncomingToken(Secret(person)),
                scopes: ["\(Self.graph)/User.Read"]
            )

            #expect(try claims(own)["oid"]?.string == Self.agent)
            #expect(try claims(user)["upn"]?.string == Self.user)
            #expect(try claims(other)["upn"]?.string == "megan@contoso.example")
            #expect(try [own, user, other].allSatisfy { try claims($0)["appid"]?.string == Self.agent })
            #expect(user.homeAccountIdentifier?.hasPrefix("aaaaaaaa-0000-4000-8000-0000000000d1.") == true)
        }
    }

    @Test func `an API recognizes the agent's tokens`() async throws {
        try await run { emulator, application in
            // The blueprint is an API as well.
            let agent = try application.agent(id: Self.agent)
            try await emulator.changeDirectory { directory in
                directory.agents[0].grantedScopes[Self.blueprint] = ["access_agent"]
            }
            let user = try await agent.acquireTokenForAgentUser(
                .name(Self.user),
                scopes: ["\(Self.blueprint)/access_agent"]
            )
            let authority = try #require(URL(string: "https://localhost:\(emulator.port)/\(Seed().tenantID)"))
            let configuration = MSALTokenValidatorConfiguration(clientId: Self.blueprint, authority: .url(authority))
            let validator = try MSALTokenValidator([configuration]) { _ in
                .sockets(caFile: emulator.certificateAuthorityFile)
            }
            let caller = try await validator.validate(
                authorization: ["Bearer \(user.accessToken)"],
                request: MSALRequestFacts(),
                requiring: .all(.agent(Self.agent), .scope("access_agent"))
            )

            #expect(caller.agent?.subject == .userAccount && caller.kind == .user)
            #expect(caller.agent?.blueprint == Self.blueprint)
        }
    }

    @Test func `an error has the service's number, and names the leg`() async throws {
        try await run { emulator, application in
            let agent = try application.agent(id: Self.agent)
            try await emulator.changeDirectory { $0.agents[0].isEnabled = false }

            do throws(MSALTokenError) {
                _ = try await agent.acquireTokenForAgentUser(.name(Self.user), scopes: ["\(Self.graph)/User.Read"])
                Issue.record("A disabled agent got a token.")
            } catch {
                #expect(error.serviceCodes == [7_000_112] && error.message.contains("T1"))
            }
        }
    }
}
