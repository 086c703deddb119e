// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import MSALStoreConformance
import TestSupport
import Testing

/// An agent as a client: the legs, its caches, and its errors.
@Suite(.timeLimit(.minutes(2)))
struct AgentTests {
    private static let graph = "https://graph.microsoft.com/.default"
    private static let agent = AgentService.agents[0]
    private static let name = "one@contoso.example"
    private static let userID = "aaaaaaaa-0000-4000-8000-0000000000d1"
    private let service = AgentService()

    private func error(_ body: () async throws(MSALTokenError) -> MSALTokenResult) async -> MSALTokenError? {
        do throws(MSALTokenError) {
            _ = try await body()
            return nil
        } catch {
            return error
        }
    }

    // MARK: Requests

    @Test func `each leg has the parameters of the protocol, and is redeemed once`() async throws {
        let agent = try service.application().agent(id: Self.agent.uppercased())

        let own = try await agent.acquireTokenForClient(scopes: [Self.graph])
        let user = try await agent.acquireTokenForAgentUser(.name(Self.name), scopes: [Self.graph])
        let again = try await agent.acquireTokenForAgentUser(.name(Self.name.uppercased()), scopes: [Self.graph])

        #expect(own.accessToken == "own.\(Self.agent)")
        #expect(user.accessToken == "user.\(Self.agent).\(Self.userID)" && again.source == .cache)
        let forms = service.forms
        #expect(
            forms.map { $0["grant_type"] } == [
                "client_credentials", "client_credentials", "client_credentials", "user_fic",
            ]
        )
        #expect(forms[0]["fmi_path"] == Self.agent && forms[0]["client_id"] == AgentService.blueprint)
        #expect(forms[1]["client_assertion"] == "T1.\(Self.agent)" && forms[1]["client_id"] == Self.agent)
        #expect(forms[2]["scope"] == "api://AzureADTokenExchange/.default")
        #expect(forms[3]["user_federated_identity_credential"] == "T2.\(Self.agent)")
        #expect(forms[3]["client_info"] == "1" && forms[3]["username"] == Self.name)
        #expect(
            Set((forms[3]["scope"] ?? "").split(separator: " ")).isSuperset(of: ["openid", "profile", "offline_access"])
        )
        #expect(service.messages[3].headers["X-AnchorMailbox"] == "upn:\(Self.name)")
        #expect(service.messages.allSatisfy { $0.url.path().contains(AgentService.tenant) })
    }

    @Test func `a user is also named by object ID`() async throws {
        let agent = try service.application().agent(id: Self.agent)
        let id = try #require(AgentService.users[Self.name])

        let user = try await agent.acquireTokenForAgentUser(.objectId(id.uppercased()), scopes: [Self.graph])

        #expect(user.accessToken == "user.\(Self.agent).\(Self.userID)")
        #expect(service.forms.last?["user_id"] == id && service.forms.last?["username"] == nil)
        #expect(service.messages.last?.headers["X-AnchorMailbox"]?.lowercased() == "oid:\(id)@\(AgentService.tenant)")
    }

    @Test func `an agent exchanges the token of a person`() async throws {
        let agent = try service.application().agent(id: Self.agent)
        let result = try await agent.token(
            onBehalfOf: .example(),
            scopes: ["https://graph.microsoft.com/User.Read"]
        )

        #expect(result.accessToken == "person.\(Self.agent)")
        #expect(service.forms.last?["client_assertion"] == "T1.\(Self.agent)")
    }

    @Test func `the account of a response is kept, and found by its identifier`() async throws {
        let agent = try service.application().agent(id: Self.agent)
        let user = try await agent.acquireTokenForAgentUser(.name(Self.name), scopes: [Self.graph])
        let id = try #require(user.homeAccountIdentifier)

        let held = try await agent.acquireTokenSilent(homeAccountIdentifier: id, scopes: [Self.graph])

        #expect(held.source == .cache && held.accessToken == user.accessToken)
        // The blueprint and another agent do not have it.
        for other in [try service.application(), try service.application().agent(id: AgentService.agents[1])] {
            let error = await error { () throws(MSALTokenError) in
                try await other.acquireTokenSilent(homeAccountIdentifier: id, scopes: [Self.graph])
            }
            #expect(error?.kind == .accountNotFound)
        }
    }

    // MARK: Attacks

    @Test func `a request for another name never falls back to the only account`() async throws {
        let agent = try service.application().agent(id: Self.agent)
        _ = try await agent.acquireTokenForAgentUser(.name(Self.name), scopes: [Self.graph])

        let error = await error { () throws(MSALTokenError) in
            try await agent.acquireTokenForAgentUser(.name("nobody@contoso.example"), scopes: [Self.graph])
        }
        let other = try await agent.acquireTokenForAgentUser(.name("two@contoso.example"), scopes: [Self.graph])

        #expect(error?.serviceCodes == [50_034])
        #expect(other.accessToken == "user.\(Self.agent).aaaaaaaa-0000-4000-8000-0000000000d2")
        #expect(other.source == .service)
    }

    @Test func `tokens of another object ID are refused, and nothing is kept`() async throws {
        let agent = try service.application().agent(id: Self.agent)
        service.answer(as: "two@contoso.example")
        let id = try #require(AgentService.users[Self.name])

        for _ in 0..<2 {
            let error = await error { () throws(MSALTokenError) in
                try await agent.acquireTokenForAgentUser(.objectId(id), scopes: [Self.graph])
            }
            #expect(error?.kind == .invalidResponse)
        }
        #expect(service.forms.count { $0["grant_type"] == "user_fic" } == 2)
    }

    @Test func `body parameters of a call cannot choose the user`() async throws {
        let agent = try service.application().agent(id: Self.agent)
        for name in ["username", "user_id", "user_federated_identity_credential"] {
            var options = MSALTokenOptions()
            options.extraBodyParameters = [name: "two@contoso.example"]
            let error = await error { () throws(MSALTokenError) in
                try await agent.acquireTokenForClient(scopes: [Self.graph], options: options)
            }
            #expect(error?.kind == .configuration)
        }
    }

    @Test func `two agents and two users never see each other's tokens`() async throws {
        let time = ManualTime(skipsSleeps: true)
        let application = try service.application(time: time)
        let wrong = await withTaskGroup(of: Int.self) { group in
            for worker in 0..<50 {
                group.addTask {
                    var wrong = 0
                    for number in 0..<200 {
                        let step = worker &* 7 &+ number
                        let id = AgentService.agents[step % 2]
                        let (name, objectID) = AgentService.users.sorted { $0.key < $1.key }[step / 2 % 2]
                        var options = MSALTokenOptions()
                        options.forceRefresh = number % 40 == worker % 40
                        // Each request has a client of its own, as in a web service.
                        let agent = try? application.agent(id: id)
                        let token: MSALTokenResult?
                        let expected: String
                        switch step / 4 % 3 {
                        case 0:
                            token = try? await agent?.acquireTokenForClient(scopes: [Self.graph], options: options)
                            expected = "own.\(id)"
                        case 1:
                            token = try? await agent?.acquireTokenForAgentUser(
                                .name(name),
                                scopes: [Self.graph],
                                options: options
                            )
                            expected = "user.\(id).\(objectID)"
                        default:
                            token = try? await agent?.acquireTokenForAgentUser(
                                .objectId(objectID),
                                scopes: [Self.graph],
                                options: options
                            )
                            expected = "user.\(id).\(objectID)"
                        }
                        if token?.accessToken != expected { wrong += 1 }
                    }
                    return wrong
                }
            }
            return await group.reduce(0, +)
        }

        #expect(wrong == 0)
        // Concurrent callers share redemptions, and all others are served by the memory.
        #expect(service.forms.count { $0["fmi_path"] != nil } == 2)
        #expect(service.messages.count < 1_000)
    }

    @Test(arguments: 0..<4)
    func `a store that forgets entries between the legs leads to requests, never to another token`(
        kept: Int
    ) async throws {
        let store = FaultyStore(MSALMemoryStore())
        var shared = try MSALSharedCacheConfiguration(store, keys: [.example()])
        shared.writesThrough = true
        shared.shares.insert(.application)
        shared.time = ManualTime()
        for id in AgentService.agents {
            let agent = try service.application(cache: MSALTokenCache(shared: shared)).agent(id: id)
            _ = try await agent.acquireTokenForClient(scopes: [Self.graph])
            _ = try await agent.acquireTokenForAgentUser(.name(Self.name), scopes: [Self.graph])
        }
        let (reads, requests) = (store.asked(.read), service.messages.count)
        store.change { [unowned store] _, entry in store.asked(.read) - reads > kept ? nil : entry }

        let agent = try service.application(cache: MSALTokenCache(shared: shared)).agent(id: Self.agent)
        let own = try await agent.acquireTokenForClient(scopes: [Self.graph])
        let user = try await agent.acquireTokenForAgentUser(.name("two@contoso.example"), scopes: [Self.graph])

        #expect(own.accessToken == "own.\(Self.agent)")
        #expect(user.accessToken == "user.\(Self.agent).aaaaaaaa-0000-4000-8000-0000000000d2")
        // The store is read for the agent's own token, for T2, and for T1. The user's token is never in it.
        #expect(service.messages.count - requests == 4 - kept)
    }

    // MARK: Errors

    @Test(arguments: [
        ("T1", "T1"), ("T2", "T2"), ("own", "the agent's own token"), ("user", "the agent's user account"),
    ])
    func `an error names the leg that failed, and nothing is kept`(leg: String, words: String) async throws {
        let agent = try service.application().agent(id: Self.agent)
        service.refuse(leg)

        let first = await error { () throws(MSALTokenError) in
            if leg == "own" { return try await agent.acquireTokenForClient(scopes: [Self.graph]) }
            return try await agent.acquireTokenForAgentUser(.name(Self.name), scopes: [Self.graph])
        }
        service.refuse(nil)
        let user = try await agent.acquireTokenForAgentUser(.name(Self.name), scopes: [Self.graph])

        #expect(first?.message.contains(words) == true, "\(first?.message ?? "")")
        #expect(first?.message.contains(Self.agent) == true && first?.serviceCodes == [7_000_112])
        #expect(user.source == .service)
    }

    @Test func `an agent's ID is a GUID, and agents have neither agents nor bound tokens`() async throws {
        let application = try service.application()
        let agent = try application.agent(id: Self.agent)

        #expect(throws: MSALTokenError.self) { try application.agent(id: "nonsense") }
        #expect(throws: MSALTokenError.self) { try agent.agent(id: AgentService.agents[1]) }
        let error = await error { () throws(MSALTokenError) in
            try await application.acquireTokenForAgentUser(.name(Self.name), scopes: [Self.graph])
        }
        #expect(error?.kind == .configuration)
        var options = MSALTokenOptions()
        options.isBoundToCertificate = true
        let bound = await self.error { () throws(MSALTokenError) in
            try await agent.acquireTokenForClient(scopes: [Self.graph], options: options)
        }
        #expect(bound?.kind == .certificateRequired)
        #expect(service.messages.isEmpty)
    }

    @Test func `a later request renews expired middle tokens`() async throws {
        let time = ManualTime(skipsSleeps: true)
        let agent = try service.application(time: time).agent(id: Self.agent)
        _ = try await agent.acquireTokenForAgentUser(.name(Self.name), scopes: [Self.graph])
        time.advance(by: .seconds(4_000))

        let renewed = try await agent.acquireTokenForAgentUser(.name(Self.name), scopes: [Self.graph])

        #expect(renewed.source == .service && service.forms.count == 6)
    }
}
