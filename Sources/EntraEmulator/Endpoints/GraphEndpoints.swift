// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase

/// The part of Microsoft Graph that the emulator has: the signed-in user, the users of a tenant, new applications, and
/// `userinfo`.
struct GraphEndpoints: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let resourceGuard: ResourceGuard
    /// Adds an application to the directory.
    let register: @Sendable (EmulatorDirectory.Application) throws -> Void

    private static let read: [HTTPRequest.Method] = [.get, .head]
    private static let all: [HTTPRequest.Method] = [.get, .head, .post, .patch, .put, .delete]

    /// The methods at a path behind the version. Every one is refused in Graph's own words where there is nothing.
    static func methods(at segments: [String]) -> [HTTPRequest.Method] {
        if segments == ["applications"] { return [.post] }
        return isBuilt(segments) ? read : all
    }

    private static func isBuilt(_ segments: [String]) -> Bool {
        switch segments {
        case ["me"], ["me", "memberof"], ["users"]: true
        default: segments.count == 2 && segments[0] == "users"
        }
    }

    /// Responds at a path behind the version, in lower case.
    func respond(to exchange: Exchange, at segments: [String], body: Data) async throws -> Response {
        switch segments {
        case ["applications"]: try await createApplication(exchange, body: body)
        case ["me"]: try await me(exchange)
        case ["me", "memberof"]: try await memberOf(exchange)
        case ["users"]: try await users(exchange)
        case let path where Self.isBuilt(path): try await user(exchange, named: path[1])
        default: try nothing(at: segments, exchange: exchange)
        }
    }

    /// The response where Graph knows no such path, or where it has one that the emulator has not.
    private func nothing(at segments: [String], exchange: Exchange) throws -> Response {
        let first = segments.first ?? ""
        guard Self.known.contains(first) else {
            return try Self.failure(
                .badRequest,
                code: "BadRequest",
                message: "Resource not found for the segment '\(first)'.",
                exchange: exchange
            )
        }
        return try Self.failure(
            .notImplemented,
            code: "notImplemented",
            message: "The emulator has no '\(segments.joined(separator: "/"))' of Microsoft Graph.",
            exchange: exchange
        )
    }

    /// Segments with which paths of Microsoft Graph begin, whether they are built or not.
    private static let known: Set<String> = [
        "$batch", "admin", "applications", "approleassignments", "auditlogs", "chats", "communications", "contacts",
        "contracts", "devicemanagement", "devices", "directory", "directoryobjects", "directoryroles", "domains",
        "drive", "drives", "education", "groups", "identity", "identitygovernance", "invitations", "me",
        "oauth2permissiongrants", "organization", "places", "planner", "policies", "reports", "rolemanagement",
        "search",
        "security", "serviceprincipals", "shares", "sites", "solutions", "subscribedskus", "subscriptions", "teams",
        "teamwork", "users",
    ]

    /// `GET /v1.0/me`.
    func me(_ exchange: Exchange) async throws -> Response {
        do {
            let permissions = ["User.Read", "User.ReadWrite", "User.ReadBasic.All", "User.Read.All"]
            let (claims, user) = try await authorize(exchange, anyOf: permissions)
            guard let tenant = directory.tenant(id: claims["tid"]?.string ?? "") else {
                throw ResourceGuard.Rejection(reason: .invalid("The tenant of the token no longer exists."))
            }
            let selected = Self.selected(exchange)
            return try .json(Self.entity(profile(of: user, in: tenant).filter { selected($0.key) }))
        } catch let rejection as ResourceGuard.Rejection {
            return try refuse(rejection, exchange: exchange)
        }
    }

    /// `GET /oidc/userinfo`, OpenID Connect Core §5.3.
    func userInfo(_ exchange: Exchange) async throws -> Response {
        do {
            let (claims, user) = try await authorize(exchange, anyOf: ["openid"])
            var members: [String: JSONValue] = ["sub": claims["sub"] ?? .null]
            // OpenID Connect Core §5.4: each scope stands for some of the claims.
            let scopes = (claims["scp"]?.string ?? "").split(separator: " ")
            if scopes.contains("profile") {
                members["name"] = .string(user.displayName)
                members["given_name"] = .string(user.givenName)
                members["family_name"] = .string(user.surname)
            }
            if scopes.contains("email") { members["email"] = .string(user.userPrincipalName) }
            return try .json(.object(members))
        } catch let rejection as ResourceGuard.Rejection {
            return try refuse(rejection, exchange: exchange)
        }
    }

    func authorize(
        _ exchange: Exchange,
        anyOf permissions: [String]
    ) async throws -> (claims: [String: JSONValue], user: User) {
        try await resourceGuard.authorize(
            exchange,
            audience: directory.graph?.audience ?? "",
            anyOf: permissions
        )
    }

    /// A user that stands alone in a response.
    static func entity(_ profile: [String: JSONValue]) -> JSONValue {
        var members = profile
        members["@odata.context"] = "https://graph.microsoft.com/v1.0/$metadata#users/$entity"
        return .object(members)
    }

    /// What Graph tells of a user without being asked for more.
    func profile(of user: User, in tenant: Tenant) -> [String: JSONValue] {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return [
            "businessPhones": .strings(user.businessPhones),
            "displayName": .string(user.displayName),
            "givenName": .string(user.givenName),
            "jobTitle": text(user.jobTitle),
            "mail": .string(user.userPrincipalName),
            "mobilePhone": text(user.mobilePhone),
            "officeLocation": text(user.officeLocation),
            "preferredLanguage": text(user.preferredLanguage),
            "surname": .string(user.surname),
            "userPrincipalName": .string(user.principalName(in: tenant)),
            "id": .string(user.objectID(in: tenant.id) ?? user.id),
        ]
    }

    /// The response to a request whose token does not allow it.
    func refuse(_ rejection: ResourceGuard.Rejection, exchange: Exchange) throws -> Response {
        let (status, code, message): (HTTPResponse.Status, String, String) =
            switch rejection.reason {
            case .missing: (.unauthorized, "InvalidAuthenticationToken", "Access token is empty.")
            case .invalid(let reason): (.unauthorized, "InvalidAuthenticationToken", reason)
            case .claimsNeeded:
                (
                    .unauthorized, "InvalidAuthenticationToken",
                    "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: "
                        + "TokenIssuedBeforeRevocationTimestamp"
                )
            case .insufficientScope:
                (.forbidden, "Authorization_RequestDenied", "Insufficient privileges to complete the operation.")
            }
        var response = try Self.failure(status, code: code, message: message, exchange: exchange)
        if status == .unauthorized {
            let authorize = "\(exchange.base)/common/oauth2/v2.0/authorize"
            var challenge =
                "\(rejection.scheme.rawValue) realm=\"\", authorization_uri=\"\(authorize)\", "
                + "client_id=\"\(directory.graph?.audience ?? "")\""
            if rejection.scheme != .bearer {
                challenge += ", error=\"invalid_token\", error_description=\"\(message)\""
            }
            response.headers[.wwwAuthenticate] = challenge + rejection.claimsParameters
        }
        return response
    }

    /// An error in the form of Graph.
    static func failure(
        _ status: HTTPResponse.Status,
        code: String,
        message: String,
        exchange: Exchange
    ) throws -> Response {
        RefusalRecord.note(error: code, message: message)
        return try .json(
            [
                "error": [
                    "code": .string(code),
                    "message": .string(message),
                    "innerError": [
                        "date": .string(String(exchange.timestamp.dropLast()).replacingOccurrences(of: " ", with: "T")),
                        "request-id": .string(exchange.traceID),
                        "client-request-id": .string(exchange.correlationID),
                    ],
                ]
            ],
            status: status
        )
    }
}
