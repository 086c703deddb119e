// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// What Hummingbird hands every request; it keeps the channel for the port that was called.
struct EmulatorContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }
}

/// Every address of the platform, with the endpoint behind it.
struct Routes: HTTPResponder {
    let platform: Platform

    /// An endpoint and who reads its errors.
    private struct Endpoint {
        let audience: ErrorRendering.Audience
        let run: (Exchange, Data) async throws -> Response
    }

    private static let bodyLimit = 64 * 1024

    /// Answers one request: fault, endpoint, error rendering, headers, journal.
    func respond(to request: Request, context: EmulatorContext) async throws -> Response {
        let (exchange, body, failure) = await read(request, context)
        guard let fault = platform.faults.take(method: exchange.method.rawValue, path: exchange.path) else {
            return try await answer(exchange, body, failure, context)
        }
        if fault.delay > .zero { try await Task.sleep(for: fault.delay) }
        if fault.isMute {
            platform.journal.append(JournalEntry(exchange, status: 0))
            try await fault.disconnect()
        }
        var response: Response
        if let status = fault.status {
            platform.journal.append(JournalEntry(exchange, status: status))
            response = Self.answer(of: fault, status: status)
        } else {
            response = try await answer(exchange, body, failure, context)
        }
        response.body = fault.cut(response.body)
        return response
    }

    private func answer(
        _ exchange: Exchange,
        _ body: Data,
        _ failure: EntraError?,
        _ context: EmulatorContext
    ) async throws -> Response {
        let endpoint = endpoint(for: exchange)
        let audience = endpoint?.audience ?? .program
        var response: Response
        do {
            if let failure { throw failure }
            guard let endpoint else { throw EntraError.notFound }
            response = try await endpoint.run(exchange, body)
        } catch {
            context.logger.debug("Request failed", metadata: ["path": "\(exchange.path)", "error": "\(error)"])
            response = ErrorRendering(platform: platform).response(for: error, exchange, audience: audience)
        }
        SecurityHeaders.add(to: &response, exchange)
        if exchange.method == .head { response = response.createHeadResponse() }
        platform.journal.append(JournalEntry(exchange, status: response.status.code))
        return response
    }

    private func endpoint(for exchange: Exchange) -> Endpoint? {
        let segments = exchange.path.split(separator: "/").map { String($0).removingPercentEncoding ?? "" }
        let isRead = exchange.method == .get || exchange.method == .head
        let isPost = exchange.method == .post
        func program(_ run: @escaping (Exchange, Data) async throws -> Response) -> Endpoint {
            Endpoint(audience: .program, run: run)
        }
        func person(_ run: @escaping (Exchange, Data) async throws -> Response) -> Endpoint {
            Endpoint(audience: .person, run: run)
        }
        switch segments {
        case [] where isRead:
            return person { _, _ in platform.pages.home(platform.identity.authorityFile.path) }
        case ["assets", "style.css"] where isRead: return program { _, _ in Pages.stylesheet() }
        case ["devicelogin"] where isRead || isPost:
            return person { exchange, _ in try await DeviceEndpoints(platform: platform).enter(exchange) }
        case ["v1.0", "me"] where isRead: return program { exchange, _ in try await graph.me(exchange) }
        case ["oidc", "userinfo"] where isRead || isPost:
            return program { exchange, _ in try await graph.userInfo(exchange) }
        case ["api", "todos"] where isRead: return program { exchange, _ in try await toDo.list(exchange) }
        case ["api", "todos"] where isPost:
            return program { exchange, body in try await toDo.add(exchange, body: body) }
        case ["api2", "todos"] where isRead: return program { exchange, _ in try await secondToDo.list(exchange) }
        case ["api2", "todos"] where isPost:
            return program { exchange, body in try await secondToDo.add(exchange, body: body) }
        default: break
        }
        let queryPolicy = exchange.query["p"] ?? exchange.form["p"]
        guard let tenant = TenantSegment(path: segments, queryPolicy: queryPolicy) else { return nil }
        let rest = TenantSegment.endpoint(of: segments)
        if isPost, let queued = platform.native.queue.take(exchange) {
            return program { exchange, _ in try await queued.response(exchange, platform) }
        }
        if let native = NativeEndpoint(rawValue: rest.joined(separator: "/")) {
            return program { exchange, _ in try await native.respond(exchange, tenant: tenant, platform) }
        }
        switch rest {
        case ["discovery", "instance"] where isRead:
            return program { exchange, _ in try discovery.instance(exchange) }
        case ["v2.0", ".well-known", "openid-configuration"] where isRead:
            return program { exchange, _ in try discovery.metadata(exchange, tenant: tenant) }
        case ["discovery", "v2.0", "keys"] where isRead:
            return program { exchange, _ in try discovery.keys(exchange, tenant: tenant) }
        case ["oauth2", "v2.0", "devicecode"] where isPost:
            return program { exchange, _ in try DeviceEndpoints(platform: platform).begin(exchange, tenant: tenant) }
        case ["oauth2", "v2.0", "authorize"] where isRead || isPost:
            return person { exchange, _ in
                let request = try AuthorizationRequest(exchange, tenantSegment: tenant, platform: platform)
                return try await SignIn(platform: platform).begin(request, exchange)
            }
        case ["signin"] where isPost:
            return person { exchange, _ in try await SignIn(platform: platform).submit(exchange) }
        case ["oauth2", "v2.0", "token"] where isPost:
            return program { exchange, _ in
                try await TokenEndpoint(platform: platform).respond(exchange, tenant: tenant)
            }
        case ["oauth2", "v2.0", "logout"] where isRead:
            return person { exchange, _ in
                try await LogoutEndpoint(platform: platform).respond(exchange, tenant: tenant)
            }
        default: return nil
        }
    }

    private var graph: GraphEndpoints { GraphEndpoints(platform: platform) }
    private var toDo: ToDoEndpoints { ToDoEndpoints(platform: platform, audience: Seed().apiIdentifier) }
    private var secondToDo: ToDoEndpoints { ToDoEndpoints(platform: platform, audience: Seed().secondAPIIdentifier) }
    private var discovery: DiscoveryEndpoints { DiscoveryEndpoints(platform: platform) }

    // MARK: Reading

    /// Decodes the request. What cannot be decoded is reported beside an exchange without it.
    private func read(_ request: Request, _ context: EmulatorContext) async -> (Exchange, Data, EntraError?) {
        var failure: EntraError?
        let query = FormValues(request.uri.query ?? "")
        if query == nil { failure = .malformed }
        var body = Data()
        var form: FormValues? = .empty
        do {
            let buffer = try await request.body.collect(upTo: Self.bodyLimit)
            body = Data(buffer.readableBytesView)
            if request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true {
                form = FormValues(String(buffer: buffer))
                if form == nil { failure = .malformed }
            }
        } catch {
            failure = .malformed
            failure?.status = HTTPResponse.Status.contentTooLarge.code
        }
        let requested = request.headers[.clientRequestID] ?? query?["client-request-id"]
        let exchange = Exchange(
            method: request.method,
            path: request.uri.path,
            query: query ?? .empty,
            form: form ?? .empty,
            headers: request.headers,
            base: base(request.head.authority, context),
            // Only a UUID is echoed: the header of a stranger must not end up in our answers.
            correlationID: (requested.flatMap(UUID.init(uuidString:)) ?? UUID()).uuidString.lowercased(),
            traceID: UUID().uuidString.lowercased(),
            now: platform.clock.now
        )
        return (exchange, body, failure)
    }

    /// The address the client used, if the certificate covers it.
    private func base(_ authority: String?, _ context: EmulatorContext) -> String {
        guard let authority, let uri = RedirectURI("https://\(authority)"), uri.rest.isEmpty,
            platform.identity.covers(uri.host)
        else { return "https://localhost:\(context.channel.localAddress?.port ?? platform.configuration.port)" }
        return "https://" + uri.host + (uri.port.map { $0 == 443 ? "" : ":\($0)" } ?? "")
    }

    private static func answer(of fault: Fault, status: Int) -> Response {
        var headers = HTTPFields()
        for (name, value) in fault.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
        return Response(
            status: .init(code: status),
            headers: headers,
            body: .init(byteBuffer: ByteBuffer(string: fault.body))
        )
    }
}
