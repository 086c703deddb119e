// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import Synchronization

/// The to-do lists of the sample API, kept in memory.
final class ToDoLists: Sendable {
    private let lists = Mutex<[String: [String]]>([:])
    private static let limit = 1_000

    /// The items of a user's list.
    func items(of userID: String) -> [String] {
        lists.withLock { $0[userID] ?? [] }
    }

    /// Adds an item; if the list is full, the oldest one is removed.
    func add(_ item: String, for userID: String) {
        lists.withLock { $0[userID] = ($0[userID] ?? []).suffix(Self.limit - 1) + [item] }
    }

    /// Removes all lists.
    func clear() {
        lists.withLock { $0.removeAll() }
    }
}

/// The to-do list of an API, at the path that the directory assigns to it. Reading and writing require different
/// permissions.
struct ToDoEndpoints: Sendable {
    let resourceGuard: ResourceGuard
    let lists: ToDoLists
    /// The API; each has its own lists and rejects tokens of the others.
    let audience: String

    /// `GET` requires `ToDoList.Read` or `ToDoList.ReadWrite`.
    func list(_ exchange: Exchange) async throws -> Response {
        try await guarded(exchange, anyOf: ["ToDoList.Read", "ToDoList.ReadWrite"]) { user in
            .json(["value": .array(items(of: user))])
        }
    }

    /// `POST` with `{"text": …}` requires `ToDoList.ReadWrite`.
    func add(_ exchange: Exchange, body: Data) async throws -> Response {
        try await guarded(exchange, anyOf: ["ToDoList.ReadWrite"]) { user in
            // All invalid bodies get the same response.
            guard let text = (JSONValue(parsing: body))?["text"]?.string,
                !text.isEmpty, text.utf8.count <= 1_024
            else { return .json(["error": "invalid_request"], status: .badRequest) }
            lists.add(text, for: key(user))
            return .json(["text": .string(text)], status: .created)
        }
    }

    private func items(of user: User) -> [JSONValue] {
        lists.items(of: key(user)).map { ["text": .string($0)] }
    }

    private func key(_ user: User) -> String { "\(audience) \(user.id)" }

    private func guarded(
        _ exchange: Exchange,
        anyOf permissions: [String],
        respond: (User) throws -> Response
    ) async throws -> Response {
        do {
            let (_, user) = try await resourceGuard.authorize(
                exchange,
                audience: audience,
                anyOf: permissions
            )
            return try respond(user)
        } catch let rejection as ResourceGuard.Rejection {
            return try refuse(rejection, exchange: exchange)
        }
    }

    // RFC 6750 §3: a request without a token gets a challenge without an error.
    private func refuse(_ rejection: ResourceGuard.Rejection, exchange: Exchange) throws -> Response {
        let address = "\(exchange.publicBase)/common/oauth2/v2.0/authorize"
        let base = "\(rejection.scheme.rawValue) realm=\"todos\", authorization_uri=\"\(address)\""
        let (status, error, challenge): (HTTPResponse.Status, String, String) =
            switch rejection.reason {
            case .missing: (.unauthorized, "invalid_request", base)
            case .invalid(let reason):
                (
                    .unauthorized, "invalid_token",
                    "\(base), error=\"invalid_token\", error_description=\"\(reason)\""
                )
            case .claimsNeeded: (.unauthorized, "insufficient_claims", base + rejection.claimsParameters)
            case .insufficientScope(let scope):
                (.forbidden, "insufficient_scope", "\(base), error=\"insufficient_scope\", scope=\"\(scope)\"")
            }
        RequestNotes.note(error: error, message: rejection.explanation)
        var response = Response.json(["error": .string(error)], status: status)
        response.headers[.wwwAuthenticate] = challenge
        return response
    }
}
