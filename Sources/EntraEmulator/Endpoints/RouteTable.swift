// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird

/// Maps all paths of the platform to their handlers.
struct RouteTable: Sendable {
    let directory: ServedDirectory
    let authorityFile: URL
    let pages: Pages
    let discovery: DiscoveryEndpoints
    let signIn: SignIn
    let device: DeviceEndpoints
    let token: TokenEndpoints
    let logout: LogoutEndpoint
    let native: NativeEndpoints
    /// Native authentication V2.
    let nativeFlow: FlowEndpoints
    let queue: NamedResponseQueue
    let named: NamedResponseEndpoint
    /// `nil` if the external issuers are switched off.
    let issuers: IssuerEndpoints?
    let graph: GraphEndpoints
    let resourceManager: ResourceManagerEndpoints
    let toDoLists: ToDoLists

    private static let read: [HTTPRequest.Method] = [.get, .head]
    private static let post: [HTTPRequest.Method] = [.post]
    private static let readOrPost = read + post

    /// The endpoint for the path of a request; `nil` if there is none.
    func endpoint(for exchange: Exchange) -> Endpoint? {
        let segments = exchange.path.split(separator: "/").map { segment in
            segment.utf8.contains(UInt8(ascii: "%")) ? String(segment).removingPercentEncoding ?? "" : String(segment)
        }
        // The service matches paths regardless of case, and its clients rely on that.
        if let endpoint = endpoint(at: segments.map { $0.lowercased() }) { return endpoint }
        let policy = exchange.query["p"] ?? exchange.form["p"]
        guard let tenant = TenantSegment(path: segments, queryPolicy: policy) else { return nil }
        if [.post, .put].contains(exchange.method), let queued = queue.take(for: exchange) {
            return program([exchange.method]) { exchange, _ in
                try await named.respond(to: exchange, with: queued, tenant: tenant)
            }
        }
        return endpoint(at: TenantSegment.endpoint(of: segments), below: tenant, exchange: exchange)
    }

    /// Whether the path of a request contains a name of this tenant, or `common`.
    func isNamed(_ tenant: String, in exchange: Exchange) -> Bool {
        let segment = exchange.path.split(separator: "/").first.map { String($0).lowercased() } ?? ""
        return segment == tenant.lowercased() || directory.tenant(named: tenant)?.isNamed(segment) == true
    }

    /// The endpoints that do not depend on a tenant.
    private func endpoint(at segments: [String]) -> Endpoint? {
        switch segments {
        case []: person(Self.read) { _ in pages.home(directory, authorityFile: authorityFile.path) }
        case ["error"]: person(Self.read) { exchange in pages.errorNumber(exchange.query["code"]) }
        case ["assets", "style.css"]: program(Self.read) { _, _ in Pages.stylesheet() }
        case ["register"]: registration
        case ["health"]: program(Health.methods) { _, _ in try Health.response() }
        case ["ca.pem"]: program(TrustAnchor.methods) { _, _ in try TrustAnchor(file: authorityFile).response() }
        case ["devicelogin"]:
            person(Self.readOrPost) { exchange in try await device.enter(exchange) }
        case let path where ["v1.0", "beta"].contains(path.first ?? ""): graphEndpoint(at: Array(path.dropFirst()))
        case ["oidc", "userinfo"]:
            program(Self.readOrPost, isCrossOrigin: true) { exchange, _ in try await graph.userInfo(exchange) }
        case ["metadata", "endpoints"]:
            program(Self.read) { exchange, _ in try resourceManager.metadata(exchange) }
        case ["tenants"]:
            program(Self.read) { exchange, _ in try await resourceManager.tenants(exchange) }
        case ["subscriptions"]:
            program(Self.read) { exchange, _ in try await resourceManager.subscriptions(exchange) }
        default: issuer(at: segments) ?? toDoList(at: segments)
        }
    }

    /// The endpoints of each tenant.
    private func endpoint(at segments: [String], below tenant: TenantSegment, exchange: Exchange) -> Endpoint? {
        let lowered = segments.map { $0.lowercased() }
        if let native = NativeEndpoint(rawValue: lowered.joined(separator: "/")) {
            return program(Self.post) { exchange, _ in
                try await self.native.respond(to: exchange, at: native, tenant: tenant)
            }
        }
        if let flow = FlowAddress(segments) {
            return program([flow.method]) { exchange, body in
                try await nativeFlow.respond(to: exchange, body: body, at: flow, tenant: tenant)
            }
        }
        switch lowered {
        case ["discovery", "instance"]:
            return program(Self.read, isCrossOrigin: true) { exchange, _ in try discovery.instance(exchange) }
        case ["v2.0", ".well-known", "openid-configuration"], [".well-known", "openid-configuration"]:
            return program(Self.read, isCrossOrigin: true) { exchange, _ in
                try discovery.metadata(exchange, tenant: tenant)
            }
        case ["discovery", "v2.0", "keys"], ["discovery", "keys"]:
            return program(Self.read, isCrossOrigin: true) { exchange, _ in
                try discovery.keys(exchange, tenant: tenant)
            }
        case ["oauth2", "v2.0", "devicecode"], ["oauth2", "devicecode"]:
            return program(Self.post) { exchange, _ in
                try device.begin(exchange, tenant: tenant)
            }
        case ["oauth2", "v2.0", "authorize"], ["oauth2", "authorize"]:
            return person(Self.readOrPost) { exchange in
                let request = try AuthorizeRequest(exchange, tenantSegment: tenant, directory: directory)
                return try await signIn.begin(request, exchange: exchange)
            }
        case ["adminconsent"], ["v2.0", "adminconsent"]:
            return person(Self.read) { exchange in
                let request = try AuthorizeRequest(
                    administratorConsent: exchange,
                    tenantSegment: tenant,
                    directory: directory
                )
                return try await signIn.begin(request, exchange: exchange)
            }
        case ["register"], ["v2.0", "register"], ["oauth2", "v2.0", "register"]: return registration
        case ["oauth2", "nativeclient"]: return person(Self.read) { _ in pages.nativeClient() }
        case ["signin"]:
            return person(Self.readOrPost) { exchange in
                try await exchange.method == .post ? signIn.submit(exchange) : signIn.search(exchange)
            }
        case ["oauth2", "v2.0", "token"], ["oauth2", "token"]:
            // Native authentication is not available to browsers.
            let isCrossOrigin = NativeGrant.GrantType(exchange) == nil
            return program(Self.post, isCrossOrigin: isCrossOrigin) { exchange, _ in
                try await token.respond(to: exchange, tenant: tenant)
            }
        case ["oauth2", "v2.0", "logout"], ["oauth2", "logout"]:
            return person(Self.readOrPost) { exchange in
                try await logout.respond(to: exchange, tenant: tenant)
            }
        default:
            guard lowered.count == 2, lowered[0] == "userrealm" else { return nil }
            return program(Self.read) { _, _ in try discovery.userRealm(of: segments[1]) }
        }
    }

    /// The address at which a client would register itself (RFC 7591). All requests are rejected.
    private var registration: Endpoint {
        program(Self.post, isCrossOrigin: true) { _, _ in throw EntraError.noClientRegistration }
    }

    /// The addresses of Microsoft Graph, after its version.
    private func graphEndpoint(at segments: [String]) -> Endpoint {
        program(GraphEndpoints.methods, isCrossOrigin: true) { exchange, body in
            try await graph.respond(to: exchange, at: segments, body: body)
        }
    }

    private func issuer(at segments: [String]) -> Endpoint? {
        guard let issuers, let (issuer, resource) = IssuerEndpoints.resource(at: segments) else { return nil }
        return program(IssuerEndpoints.methods(of: resource, at: issuer)) { exchange, _ in
            try await issuers.respond(to: exchange, of: issuer, at: resource)
        }
    }

    private func toDoList(at segments: [String]) -> Endpoint? {
        let path = "/" + segments.joined(separator: "/")
        guard let audience = directory.apis.first(where: { $0.toDoListPath?.lowercased() == path })?.audience else {
            return nil
        }
        let toDos = ToDoEndpoints(resourceGuard: graph.resourceGuard, lists: toDoLists, audience: audience)
        return program(Self.readOrPost) { exchange, body in
            try await exchange.method == .post ? toDos.add(exchange, body: body) : toDos.list(exchange)
        }
    }

    private func program(
        _ methods: [HTTPRequest.Method],
        isCrossOrigin: Bool = false,
        run: @escaping (Exchange, Data) async throws -> Response
    ) -> Endpoint {
        Endpoint(methods: methods, audience: .program, isCrossOrigin: isCrossOrigin, run: run)
    }

    private func person(
        _ methods: [HTTPRequest.Method],
        run: @escaping (Exchange) async throws -> Response
    ) -> Endpoint {
        Endpoint(methods: methods, audience: .person) { exchange, _ in try await run(exchange) }
    }
}
