// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird

/// Every address of the platform.
struct Addresses: Sendable {
    let platform: Platform

    private static let read: [HTTPRequest.Method] = [.get, .head]
    private static let post: [HTTPRequest.Method] = [.post]
    private static let readOrPost = read + post

    /// The endpoint behind the path of a request; `nil` where there is none.
    func endpoint(for exchange: Exchange) -> Endpoint? {
        let segments = exchange.path.split(separator: "/").map { String($0).removingPercentEncoding ?? "" }
        if let endpoint = endpoint(at: segments) { return endpoint }
        let policy = exchange.query["p"] ?? exchange.form["p"]
        guard let tenant = TenantSegment(path: segments, queryPolicy: policy) else { return nil }
        if exchange.method == .post, let queued = platform.native.queue.take(exchange) {
            return program(Self.post) { exchange, _ in try await queued.response(exchange, platform) }
        }
        return endpoint(at: TenantSegment.endpoint(of: segments), below: tenant, exchange)
    }

    /// What belongs to no tenant.
    private func endpoint(at segments: [String]) -> Endpoint? {
        switch segments {
        case []: person(Self.read) { _ in platform.pages.home(platform.identity.authorityFile.path) }
        case ["error"]: person(Self.read) { exchange in platform.pages.errorNumber(exchange.query["code"]) }
        case ["assets", "style.css"]: program(Self.read) { _, _ in Pages.stylesheet() }
        case ["devicelogin"]:
            person(Self.readOrPost) { exchange in try await DeviceEndpoints(platform: platform).enter(exchange) }
        case ["v1.0", "me"]:
            program(Self.read, isCrossOrigin: true) { exchange, _ in try await graph.me(exchange) }
        case ["oidc", "userinfo"]:
            program(Self.readOrPost, isCrossOrigin: true) { exchange, _ in try await graph.userInfo(exchange) }
        case ["api", "todos"]: toDos(of: Seed().apiIdentifier)
        case ["api2", "todos"]: toDos(of: Seed().secondAPIIdentifier)
        default: nil
        }
    }

    /// What every tenant has.
    private func endpoint(at segments: [String], below tenant: TenantSegment, _ exchange: Exchange) -> Endpoint? {
        if let native = NativeEndpoint(rawValue: segments.joined(separator: "/")) {
            return program(Self.post) { exchange, _ in try await native.respond(exchange, tenant: tenant, platform) }
        }
        switch segments {
        case ["discovery", "instance"]:
            return program(Self.read, isCrossOrigin: true) { exchange, _ in try discovery.instance(exchange) }
        case ["v2.0", ".well-known", "openid-configuration"]:
            return program(Self.read, isCrossOrigin: true) { exchange, _ in
                try discovery.metadata(exchange, tenant: tenant)
            }
        case ["discovery", "v2.0", "keys"]:
            return program(Self.read, isCrossOrigin: true) { exchange, _ in
                try discovery.keys(exchange, tenant: tenant)
            }
        case ["oauth2", "v2.0", "devicecode"]:
            return program(Self.post) { exchange, _ in
                try DeviceEndpoints(platform: platform).begin(exchange, tenant: tenant)
            }
        case ["oauth2", "v2.0", "authorize"]:
            return person(Self.readOrPost) { exchange in
                let request = try AuthorizationRequest(exchange, tenantSegment: tenant, platform: platform)
                return try await SignIn(platform: platform).begin(request, exchange)
            }
        case ["signin"]:
            return person(Self.post) { exchange in try await SignIn(platform: platform).submit(exchange) }
        case ["oauth2", "v2.0", "token"]:
            // Native authentication is not for browsers.
            let isCrossOrigin = NativeGrant.GrantType(exchange) == nil
            return program(Self.post, isCrossOrigin: isCrossOrigin) { exchange, _ in
                try await TokenEndpoint(platform: platform).respond(exchange, tenant: tenant)
            }
        case ["oauth2", "v2.0", "logout"]:
            return person(Self.readOrPost) { exchange in
                try await LogoutEndpoint(platform: platform).respond(exchange, tenant: tenant)
            }
        default:
            guard segments.count == 2, segments[0] == "userrealm" else { return nil }
            return program(Self.read) { _, _ in try discovery.userRealm(of: segments[1]) }
        }
    }

    private func toDos(of audience: String) -> Endpoint {
        let toDos = ToDoEndpoints(platform: platform, audience: audience)
        return program(Self.readOrPost) { exchange, body in
            try await exchange.method == .post ? toDos.add(exchange, body: body) : toDos.list(exchange)
        }
    }

    private func program(
        _ methods: [HTTPRequest.Method],
        isCrossOrigin: Bool = false,
        _ run: @escaping (Exchange, Data) async throws -> Response
    ) -> Endpoint {
        Endpoint(methods: methods, audience: .program, isCrossOrigin: isCrossOrigin, run: run)
    }

    private func person(
        _ methods: [HTTPRequest.Method],
        _ run: @escaping (Exchange) async throws -> Response
    ) -> Endpoint {
        Endpoint(methods: methods, audience: .person) { exchange, _ in try await run(exchange) }
    }

    private var graph: GraphEndpoints { GraphEndpoints(platform: platform) }
    private var discovery: DiscoveryEndpoints { DiscoveryEndpoints(platform: platform) }
}
