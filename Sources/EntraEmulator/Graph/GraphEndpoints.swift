// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import NIOCore

/// The emulated part of Microsoft Graph, and `userinfo`.
struct GraphEndpoints: Sendable {
    let directory: ServedDirectory
    let store: EmulatorStore
    let resourceGuard: ResourceGuard
    let signIns: SignInLog
    let editor: ServedDirectoryEditor
    let deltas: GraphDeltas

    /// The methods accepted at every address. An address that does not support one of them rejects it with Graph's own
    /// error.
    static let methods: [HTTPRequest.Method] = [.get, .head, .post, .patch, .put, .delete]

    /// Responds to a path after the version, in lower case.
    ///
    /// Microsoft's page "Microsoft Graph error responses and resource types" documents both IDs. Every response
    /// contains them as header fields, even if the client does not request `client-request-id`.
    func respond(to exchange: Exchange, at segments: [String], body: Data) async throws -> Response {
        var response = try await answer(to: exchange, at: segments, body: body)
        response.headers[.graphRequestID] = exchange.traceID
        response.headers[.clientRequestID] = exchange.correlationID
        return response
    }

    private func answer(to exchange: Exchange, at segments: [String], body: Data) async throws -> Response {
        do {
            if segments == ["$batch"] {
                guard exchange.method == .post else { throw GraphFault.wrongMethod }
                return try await GraphBatch(endpoints: self).respond(to: exchange, body: body).response()
            }
            return try await reply(to: exchange, at: segments, body: body).response()
        } catch let rejection as ResourceGuard.Rejection {
            return try refuse(rejection, exchange: exchange)
        } catch let fault as GraphFault {
            return try Self.failure(fault, exchange: exchange).response()
        }
    }

    /// The reply to one request, standalone or part of a batch.
    func reply(to exchange: Exchange, at segments: [String], body: Data) async throws -> GraphReply {
        let address = try GraphResourcePath(segments)
        let caller = try await caller(of: exchange)
        if address.isMe, caller.user == nil {
            throw GraphFault.badRequest("/me request is only valid with delegated authentication flow.")
        }
        let call = EmulatedGraphRequest(
            exchange: exchange,
            address: address,
            caller: caller,
            graph: GraphDirectory(tenant: caller.tenant, directory: directory, store: store, signIns: signIns),
            query: try GraphQueryOptions(exchange),
            body: body
        )
        try await call.checkPermission()
        switch exchange.method {
        case .get, .head: return try await call.read(deltas)
        default: return try await call.change(with: editor, now: exchange.now)
        }
    }

    /// The caller that the token identifies, with its permissions.
    private func caller(of exchange: Exchange) async throws -> GraphCaller {
        let (claims, scheme) = try await resourceGuard.claims(of: exchange, audience: directory.graph?.audience ?? "")
        guard let tenant = directory.tenant(id: claims["tid"]?.string ?? "") else {
            throw ResourceGuard.Rejection(reason: .invalid("The tenant of the token no longer exists."))
        }
        if claims["idtyp"] == "app" {
            let roles = claims["roles"]?.array?.compactMap(\.string) ?? []
            return GraphCaller(tenant: tenant, user: nil, permissions: Set(roles))
        }
        let user = try await resourceGuard.user(of: claims, sentAs: scheme, anyOf: [], at: exchange.now)
        let scopes = (claims["scp"]?.string ?? "").split(separator: " ").map(String.init)
        return GraphCaller(tenant: tenant, user: user, permissions: Set(scopes))
    }

    /// `GET /oidc/userinfo`, OpenID Connect Core §5.3.
    func userInfo(_ exchange: Exchange) async throws -> Response {
        do {
            let (claims, user) = try await resourceGuard.authorize(
                exchange,
                audience: directory.graph?.audience ?? "",
                anyOf: ["openid"]
            )
            // OpenID Connect Core §5.3.2: the subject is that of the client's ID token.
            let subject = PairwiseSubject(
                userID: user.id,
                tenantID: claims["tid"]?.string ?? "",
                clientID: claims["appid"]?.string ?? claims["azp"]?.string ?? ""
            )
            var members: [String: JSONValue] = ["sub": .string(subject.text)]
            // OpenID Connect Core §5.4: each scope requests some of the claims.
            let scopes = (claims["scp"]?.string ?? "").split(separator: " ")
            if scopes.contains("profile") {
                members["name"] = .string(user.displayName)
                members["given_name"] = .string(user.givenName)
                members["family_name"] = .string(user.surname)
            }
            if scopes.contains("email") { members["email"] = .string(user.userPrincipalName) }
            return .json(.object(members))
        } catch let rejection as ResourceGuard.Rejection {
            return try refuse(rejection, exchange: exchange)
        }
    }

    // MARK: Errors

    /// The response to a request that its token does not permit.
    private func refuse(_ rejection: ResourceGuard.Rejection, exchange: Exchange) throws -> Response {
        let fault = Self.fault(rejection)
        var response = try Self.failure(fault, exchange: exchange).response()
        if fault.status == .unauthorized {
            let authorize = "\(exchange.publicBase)/common/oauth2/v2.0/authorize"
            var challenge =
                "\(rejection.scheme.rawValue) realm=\"\", authorization_uri=\"\(authorize)\", "
                + "client_id=\"\(directory.graph?.audience ?? "")\""
            if rejection.scheme != .bearer {
                challenge += ", error=\"invalid_token\", error_description=\"\(fault.message)\""
            }
            response.headers[.wwwAuthenticate] = challenge + rejection.claimsParameters
        }
        return response
    }

    /// The error for a token that does not permit a request.
    static func fault(_ rejection: ResourceGuard.Rejection) -> GraphFault {
        func unauthorized(_ message: String) -> GraphFault {
            GraphFault(status: .unauthorized, code: "InvalidAuthenticationToken", message: message)
        }
        return switch rejection.reason {
        case .missing: unauthorized("Access token is empty.")
        case .invalid(let reason): unauthorized(reason)
        case .claimsNeeded:
            unauthorized(
                "Continuous access evaluation resulted in challenge with result: InteractionRequired and code: "
                    + "TokenIssuedBeforeRevocationTimestamp"
            )
        case .insufficientScope: .denied()
        }
    }

    /// An error in Graph's format.
    static func failure(_ fault: GraphFault, exchange: Exchange) -> GraphReply {
        RequestNotes.note(error: fault.code, message: fault.message)
        return GraphReply(
            status: fault.status,
            challenge: fault.permission.map { "Bearer error=\"insufficient_scope\", scope=\"\($0)\"" },
            json: [
                "error": [
                    "code": .string(fault.code),
                    "message": .string(fault.message),
                    "innerError": [
                        "date": .string(String(exchange.timestamp.dropLast()).replacingOccurrences(of: " ", with: "T")),
                        "request-id": .string(exchange.traceID),
                        "client-request-id": .string(exchange.correlationID),
                    ],
                ]
            ]
        )
    }
}

/// The caller of Microsoft Graph: a user, or an application.
struct GraphCaller: Sendable {
    let tenant: Tenant
    /// The signed-in user; `nil` for an application.
    let user: User?
    /// The scopes of a user token, or the roles of an app-only token.
    let permissions: Set<String>
}

/// A response, standalone or part of a batch.
struct GraphReply: Sendable {
    var status = HTTPResponse.Status.ok
    /// The challenge about the token (RFC 6750 §3.1). Microsoft Graph's own responses do not contain it.
    var challenge: String?
    var json: JSONValue?
    /// A body that is not JSON, with its content type.
    var file: (type: String, bytes: Data)?

    func response() throws -> Response {
        if let file {
            return Response(
                status: status,
                headers: [.contentType: file.type],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes))
            )
        }
        guard let json else { return Response(status: status) }
        var response = Response.json(json, status: status)
        if let challenge { response.headers[.wwwAuthenticate] = challenge }
        return response
    }
}
