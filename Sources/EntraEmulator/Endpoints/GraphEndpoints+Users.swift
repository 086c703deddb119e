// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// The users of a tenant, and the groups of the signed-in one.
extension GraphEndpoints {
    /// Whom a token lets its bearer read.
    private struct Reader {
        let tenant: Tenant
        /// The signed-in user; `nil` for an application.
        let user: User?
        /// Whether the permissions cover everybody.
        let readsAll: Bool
    }

    /// A request that the token allows, and that is wrong all the same.
    private struct Fault: Error {
        let status: HTTPResponse.Status
        let code: String
        let message: String
    }

    /// `GET /v1.0/users` (Microsoft Graph, "List users"): pages of `$top` users, by object id.
    func users(_ exchange: Exchange) async throws -> Response {
        try await responding(to: exchange) {
            let reader = try await reader(exchange)
            guard reader.readsAll else { throw Self.insufficient }
            let top = try Self.pageSize(exchange.query["$top"])
            let page = try await store.users(
                in: reader.tenant.id,
                after: exchange.query["$skiptoken"] ?? "",
                limit: top + 1
            )
            let selected = Self.selected(exchange)
            var members: [String: JSONValue] = [
                "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#users",
                "value": .array(
                    page.prefix(top).map { .object(profile(of: $0, in: reader.tenant).filter { selected($0.key) }) }
                ),
            ]
            if page.count > top, let last = page[top - 1].objectID(in: reader.tenant.id) {
                var parameters = [("$top", String(top)), ("$skiptoken", last)]
                if let names = exchange.query["$select"] { parameters.append(("$select", names)) }
                members["@odata.nextLink"] = .string("\(exchange.base)/v1.0/users?\(FormValues.encode(parameters))")
            }
            return .object(members)
        }
    }

    /// `GET /v1.0/users/{id or user principal name}` (Microsoft Graph, "Get a user").
    func user(_ exchange: Exchange, named name: String) async throws -> Response {
        try await responding(to: exchange) {
            let reader = try await reader(exchange)
            var found = try await store.user(objectID: name.lowercased(), in: reader.tenant.id)
            if found == nil { found = try await store.user(named: name) }
            // Without the permission nobody hears who is there.
            guard reader.readsAll || (found != nil && found?.id == reader.user?.id) else { throw Self.insufficient }
            guard let found, found.objectID(in: reader.tenant.id) != nil else {
                throw Fault(
                    status: .notFound,
                    code: "Request_ResourceNotFound",
                    message:
                        "Resource '\(name)' does not exist or one of its queried reference-property objects are not "
                        + "present."
                )
            }
            let selected = Self.selected(exchange)
            return Self.entity(profile(of: found, in: reader.tenant).filter { selected($0.key) })
        }
    }

    /// `GET /v1.0/me/memberOf` (Microsoft Graph, "List a user's direct memberships").
    func memberOf(_ exchange: Exchange) async throws -> Response {
        try await responding(to: exchange) {
            let reader = try await reader(exchange)
            guard let user = reader.user else {
                throw Fault(
                    status: .badRequest,
                    code: "BadRequest",
                    message: "/me request is only valid with delegated authentication flow."
                )
            }
            return [
                "@odata.context": "https://graph.microsoft.com/v1.0/$metadata#directoryObjects",
                "value": .array(
                    directory.groups(of: user, in: reader.tenant).map { group in
                        [
                            "@odata.type": "#microsoft.graph.group", "id": .string(group.id),
                            "displayName": .string(group.displayName), "securityEnabled": true, "mailEnabled": false,
                            "groupTypes": [],
                        ]
                    }
                ),
            ]
        }
    }

    // MARK: Access

    private static let insufficient = ResourceGuard.Rejection(reason: .insufficientScope("User.Read.All"))
    private static let everybody = [
        "User.ReadBasic.All", "User.Read.All", "User.ReadWrite.All", "Directory.Read.All", "Directory.ReadWrite.All",
    ]

    private func responding(to exchange: Exchange, _ body: () async throws -> JSONValue) async throws -> Response {
        do {
            return try .json(await body())
        } catch let rejection as ResourceGuard.Rejection {
            return try refuse(rejection, exchange: exchange)
        } catch let fault as Fault {
            return try Self.failure(fault.status, code: fault.code, message: fault.message, exchange: exchange)
        }
    }

    private func reader(_ exchange: Exchange) async throws -> Reader {
        let audience = directory.graph?.audience ?? ""
        let (claims, scheme) = try await resourceGuard.claims(of: exchange, audience: audience)
        guard let tenant = directory.tenant(id: claims["tid"]?.string ?? "") else {
            throw ResourceGuard.Rejection(reason: .invalid("The tenant of the token no longer exists."))
        }
        if claims["idtyp"] == "app" {
            let roles = claims["roles"]?.array?.compactMap(\.string) ?? []
            guard roles.contains(where: Self.everybody.contains) else { throw Self.insufficient }
            return Reader(tenant: tenant, user: nil, readsAll: true)
        }
        let user = try await resourceGuard.user(
            of: claims,
            sentAs: scheme,
            anyOf: Self.everybody + ["User.Read", "User.ReadWrite"],
            at: exchange.now
        )
        let scopes = (claims["scp"]?.string ?? "").split(separator: " ").map(String.init)
        return Reader(tenant: tenant, user: user, readsAll: scopes.contains(where: Self.everybody.contains))
    }

    // MARK: Query options

    /// Microsoft Graph, "Use query parameters to customize responses": 100 users unless asked, 999 at most.
    private static func pageSize(_ text: String?) throws(Fault) -> Int {
        guard let text else { return 100 }
        guard let number = Int(text), (1...999).contains(number) else {
            throw Fault(
                status: .badRequest,
                code: "Request_UnsupportedQuery",
                message: "Invalid page size specified: '\(text)'. Must be between 1 and 999 inclusive."
            )
        }
        return number
    }

    /// Whether `$select` wants a member; without it, all are wanted.
    static func selected(_ exchange: Exchange) -> (String) -> Bool {
        guard let text = exchange.query["$select"] else { return { _ in true } }
        let names = Set(text.lowercased().split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        return { names.contains($0.lowercased()) }
    }
}
