// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import TestSupport
import Testing

/// Agents in the tokens that an API receives.
struct AgentClaimsTests {
    /// The client of `APIServer.token`.
    private static let client = "app"
    private static let blueprint = "00000000-0000-4000-8000-0000000000b1"

    /// The shapes of tokens.
    enum Shape: String, CaseIterable, Sendable {
        case agent, userAccount, personWithAgent, person, application

        var claims: [String: JSONValue?] {
            switch self {
            case .agent: AgentClaimsTests.claims(type: "app", subject: "3 11 9", actor: "11")
            case .userAccount: AgentClaimsTests.claims(type: "user", subject: "13 99", actor: "9 3 11")
            case .personWithAgent: AgentClaimsTests.claims(type: "user", subject: "3", actor: "11 3")
            case .person: AgentClaimsTests.claims(type: "user", subject: "3 110 131", actor: "3 111")
            case .application: AgentClaimsTests.claims(type: "app")
            }
        }
    }

    private static func claims(type: String, subject: String? = nil, actor: String? = nil) -> [String: JSONValue?] {
        var claims: [String: JSONValue?] = ["idtyp": .string(type), "xms_par_app_azp": .string(blueprint)]
        if type == "app" {
            claims.updateValue(nil, forKey: "scp")
            claims["roles"] = JSONValue.array([.string("Orders.Read.All")])
        }
        if let subject { claims["xms_sub_fct"] = JSONValue.string(subject) }
        if let actor { claims["xms_act_fct"] = JSONValue.string(actor) }
        return claims
    }

    private func principal(
        _ claims: [String: JSONValue?],
        requiring requirement: MSALRequirement = .anyPermission
    ) async throws(MSALTokenRejection) -> MSALPrincipal {
        let api: APIServer
        let token: String
        do {
            api = try APIServer()
            token = try api.token(claims)
        } catch {
            Issue.record(error)
            throw MSALTokenRejection(.malformedToken)
        }
        return try await api.validator.validate(
            authorization: ["Bearer \(token)"],
            request: MSALRequestFacts(),
            requiring: requirement
        )
    }

    private func code(_ shape: Shape, _ requirement: MSALRequirement) async -> MSALTokenRejection.Code? {
        do throws(MSALTokenRejection) {
            _ = try await principal(shape.claims, requiring: requirement)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `a token tells for whom an agent calls`() async throws {
        let expected: [Shape: MSALAgentIdentity.Subject] = [
            .agent: .agent, .userAccount: .userAccount, .personWithAgent: .person,
        ]
        for shape in Shape.allCases {
            let principal = try await principal(shape.claims)
            #expect(principal.agent?.subject == expected[shape], "\(shape)")
            #expect(principal.agent?.clientId == (expected[shape] == nil ? nil : Self.client))
            #expect(principal.agent?.blueprint == (expected[shape] == nil ? nil : Self.blueprint))
            #expect(principal.kind == ([.agent, .application].contains(shape) ? .application : .user))
        }
    }

    @Test func `rules accept or refuse agents`() async throws {
        for shape in Shape.allCases {
            let isAgent = [Shape.agent, .userAccount, .personWithAgent].contains(shape)
            let isHuman = [Shape.person, .personWithAgent].contains(shape)
            #expect(await code(shape, .agent(Self.client.uppercased())) == (isAgent ? nil : .wrongTokenKind))
            #expect(await code(shape, .agent(Self.blueprint)) == (isAgent ? .clientNotAllowed : .wrongTokenKind))
            #expect(await code(shape, .noAgents) == (isAgent ? .wrongTokenKind : nil))
            #expect(await code(shape, .humansOnly) == (isHuman ? nil : .wrongTokenKind))
        }
    }

    @Test(arguments: [("app", "13", "11"), ("user", "13", "3"), ("user", "13", nil)])
    func `contradictory claims are refused`(type: String, subject: String, actor: String?) async throws {
        let claims = Self.claims(type: type, subject: subject, actor: actor)
        do throws(MSALTokenRejection) {
            _ = try await principal(claims)
            Issue.record("The token was accepted.")
        } catch {
            #expect(error.code == .wrongTokenKind)
        }
    }
}
