// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// The to-do lists of the sample API; they live in memory.
final class ToDoLists: Sendable {
    private let lists = Mutex<[String: [String]]>([:])
    private static let limit = 1_000

    /// What the person wrote down.
    func items(of userID: String) -> [String] {
        lists.withLock { $0[userID] ?? [] }
    }

    /// Writes something down; the oldest line goes when the list is full.
    func add(_ item: String, for userID: String) {
        lists.withLock { $0[userID] = ($0[userID] ?? []).suffix(Self.limit - 1) + [item] }
    }

    /// Forgets all lists.
    func clear() {
        lists.withLock { $0.removeAll() }
    }
}

/// `/api/todos` and `/api2/todos`: protected APIs of one's own, reading with one permission, writing with another.
struct ToDoEndpoints: Sendable {
    let platform: Platform
    /// Which of the two APIs this is; each has a list of its own and refuses the other's tokens.
    let audience: String

    /// `GET` needs `ToDoList.Read` or `ToDoList.ReadWrite`.
    func list(_ exchange: Exchange) async throws -> Response {
        try await guarded(exchange, anyOf: ["ToDoList.Read", "ToDoList.ReadWrite"]) { user in
            try .json(["value": .array(items(of: user))])
        }
    }

    /// `POST` with `{"text": …}` needs `ToDoList.ReadWrite`.
    func add(_ exchange: Exchange, body: Data) async throws -> Response {
        try await guarded(exchange, anyOf: ["ToDoList.ReadWrite"]) { user in
            // Whatever is wrong with the body, the answer is the same.
            guard let text = (try? JSONDecoder().decode(JSONValue.self, from: body))?["text"]?.string,
                !text.isEmpty, text.utf8.count <= 1_024
            else { return try .json(["error": "invalid_request"], status: .badRequest) }
            platform.toDos.add(text, for: key(user))
            return try .json(["text": .string(text)], status: .created)
        }
    }

    private func items(of user: User) -> [JSONValue] {
        platform.toDos.items(of: key(user)).map { ["text": .string($0)] }
    }

    private func key(_ user: User) -> String { "\(audience) \(user.id)" }

    private func guarded(
        _ exchange: Exchange,
        anyOf permissions: [String],
        _ body: (User) throws -> Response
    ) async throws -> Response {
        do {
            let (_, user) = try await ResourceGuard(platform: platform)
                .authorize(exchange, audience: audience, anyOf: permissions)
            return try body(user)
        } catch let rejection as ResourceGuard.Rejection {
            return try refuse(rejection, exchange)
        }
    }

    // RFC 6750 §3: a request without a token gets the bare challenge.
    private func refuse(_ rejection: ResourceGuard.Rejection, _ exchange: Exchange) throws -> Response {
        let address = "\(exchange.base)/common/oauth2/v2.0/authorize"
        let base = "\(rejection.scheme.rawValue) realm=\"todos\", authorization_uri=\"\(address)\""
        let (status, error, challenge): (HTTPResponse.Status, String, String) =
            switch rejection.reason {
            case .missing: (.unauthorized, "invalid_request", base)
            case .invalid(let reason):
                (
                    .unauthorized, "invalid_token",
                    "\(base), error=\"invalid_token\", error_description=\"\(reason)\""
                )
            case .insufficientScope(let scope):
                (.forbidden, "insufficient_scope", "\(base), error=\"insufficient_scope\", scope=\"\(scope)\"")
            }
        var response = try Response.json(["error": .string(error)], status: status)
        response.headers[.wwwAuthenticate] = challenge
        return response
    }
}
