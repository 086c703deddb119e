// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore
import MSALServer
import Synchronization
import TestSupport

/// A token endpoint with one blueprint, its agents, and their users. A token is a text that names the leg, the agent, the
/// user's object ID, so a test sees whose token it has.
final class AgentService: HTTPTransport {
    static let tenant = "73ab4876-7734-47c1-87fd-e805ec99108d"
    static let blueprint = "00000000-0000-4000-8000-0000000000b1"
    static let agents = ["00000000-0000-4000-8000-0000000000c1", "00000000-0000-4000-8000-0000000000c2"]
    /// The object IDs of the users by name.
    static let users = [
        "one@contoso.example": "aaaaaaaa-0000-4000-8000-0000000000d1",
        "two@contoso.example": "aaaaaaaa-0000-4000-8000-0000000000d2",
    ]

    private let state = Mutex<(messages: [HTTPMessage], refused: String?, answer: String?)>(([], nil, nil))

    var messages: [HTTPMessage] { state.withLock { $0.messages } }
    var forms: [[String: String]] { messages.map(\.form) }

    /// Refuses one leg from now on: `T1`, `T2`, `own`, `user`, or `person`.
    func refuse(_ leg: String?) { state.withLock { $0.refused = leg } }
    /// Responds with the tokens of this user, whoever is asked for.
    func answer(as name: String) { state.withLock { $0.answer = name } }

    func send(_ message: HTTPMessage) async throws(TransportError) -> HTTPResponse {
        guard message.url.path().hasSuffix("/token") else {
            return HTTPResponse(status: 200, body: Data(#"{"tenant_discovery_endpoint":"","metadata":[]}"#.utf8))
        }
        let form = message.form
        let (refused, answer) = state.withLock { state in
            state.messages.append(message)
            return (state.refused, state.answer)
        }
        let client = form["client_id"] ?? ""
        let isAgent = Self.agents.contains(client)
        guard isAgent ? form["client_assertion"] == "T1.\(client)" : form["client_secret"] == "secret" else {
            return refusal(700_213)
        }
        let isExchange = form["scope"] == "api://AzureADTokenExchange/.default"
        let leg: String
        switch form["grant_type"] {
        case "client_credentials" where isExchange: leg = isAgent ? "T2" : "T1"
        case "client_credentials": leg = "own"
        case "user_fic": leg = "user"
        default: leg = "person"
        }
        guard leg != refused else { return refusal(7_000_112) }
        switch leg {
        case "T1": return response("T1.\(form["fmi_path"] ?? "")")
        case "T2": return response("T2.\(client)")
        case "own": return response("own.\(client)")
        case "user":
            guard form["user_federated_identity_credential"] == "T2.\(client)" else { return refusal(50_013) }
            let asked = form["username"] ?? Self.users.first { $0.value == form["user_id"] }?.key ?? ""
            guard let id = Self.users[answer ?? asked] else { return refusal(50_034) }
            return response("user.\(client).\(id)", user: id, scope: form["scope"])
        default: return response("person.\(client)", user: Self.users["one@contoso.example"])
        }
    }

    private func response(_ token: String, user: String? = nil, scope: String? = nil) -> HTTPResponse {
        var members: [String: JSONValue] = [
            "token_type": .string("Bearer"), "expires_in": .integer(3600), "access_token": .string(token),
        ]
        members["scope"] = scope.map { .string($0) }
        if let user {
            members["client_info"] = .string(SignInService.clientInfo(user: user, tenant: Self.tenant))
            members["refresh_token"] = .string("rt.\(token)")
        }
        return HTTPResponse(status: 200, body: Data(JSONValue.object(members).text.utf8))
    }

    private func refusal(_ code: Int64) -> HTTPResponse {
        let members: JSONValue = .object([
            "error": .string("invalid_client"), "error_description": .string("AADSTS\(code): As the test says."),
            "error_codes": .array([.integer(code)]),
        ])
        return HTTPResponse(status: 401, body: Data(members.text.utf8))
    }

    /// The application of the blueprint.
    func application(
        cache: MSALTokenCache = MSALTokenCache(),
        time: ManualTime = ManualTime(skipsSleeps: true)
    ) throws -> MSALConfidentialClientApplication {
        var configuration = MSALConfidentialClientConfiguration(
            clientId: Self.blueprint,
            authority: .tenant(Self.tenant),
            credential: .secret("secret")
        )
        configuration.cache = cache
        return try MSALConfidentialClientApplication(
            configuration: configuration,
            environment: .double(time: time, transport: self)
        )
    }
}
