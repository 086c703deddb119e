// Licensed under the MIT License. See LICENSE.

import Foundation
public import HTTPTypes
public import Hummingbird
public import MSALServer
import NIOCore

/// Lets requests with a valid access token pass, and rejects all others.
///
/// ```swift
/// let router = Router(context: MSALAPIContext.self)
/// let orders = router.group("orders").add(middleware: MSALAuthenticator(validator))
/// orders.requires(.scope("Orders.Read")).get { _, context in "Hello \(context.identity?.objectId ?? "")" }
/// ```
///
/// Also turns errors of a handler into responses: an `MSALClaimsChallenge`, an `MSALTokenRejection`, and the refusal of
/// a token on behalf of the user or by another API. After such a refusal, the client must sign the user in again.
public struct MSALAuthenticator<Context: MSALRequestContext>: RouterMiddleware {
    private let validator: MSALTokenValidator
    private let requirement: MSALRequirement

    /// Creates a middleware for the routes that are added after it.
    ///
    /// - Parameters:
    ///   - validator: The application's shared validator.
    ///   - requirement: The requirement for all callers, whatever the route.
    public init(_ validator: MSALTokenValidator, requiring requirement: MSALRequirement = .anyPermission) {
        self.validator = validator
        self.requirement = requirement
    }

    /// Validates the token, and calls the next handler with the caller in the context.
    public func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        // Only proofs of possession need these values. Getting the certificate of the connection switches threads
        // twice.
        let facts =
            validator.takesProofs ? await MSALRequestFacts(request, context: context) : MSALRequestFacts()
        let principal: MSALPrincipal
        do throws(MSALTokenRejection) {
            principal = try await validator.validate(
                authorization: request.headers[values: .authorization],
                request: facts,
                requiring: requirement
            )
        } catch {
            return Response(error)
        }
        var context = context
        context.identity = principal
        do {
            return try await next(request, context)
        } catch {
            guard let rejection = MSALTokenRejection(error, for: principal) else { throw error }
            return Response(rejection)
        }
    }
}

/// Lets callers pass who meet the requirement of a route.
struct RequirementMiddleware<Context: MSALRequestContext>: RouterMiddleware {
    let requirement: MSALRequirement

    func handle(
        _ request: Request,
        context: Context,
        next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        // A group without the authenticator rejects all callers.
        guard let identity = context.identity else { throw HTTPError(.unauthorized) }
        try identity.require(requirement)
        return try await next(request, context)
    }
}

extension RouterMethods where Context: MSALRequestContext {
    /// A group whose callers must meet this requirement in addition to a valid token. Create it from a group or router
    /// with an ``MSALAuthenticator``. Without one, it rejects all callers.
    public func requires(_ requirement: MSALRequirement) -> RouterGroup<Context> {
        group().add(middleware: RequirementMiddleware(requirement: requirement))
    }

    /// A group for users whose client has this scope.
    public func requires(scope: String) -> RouterGroup<Context> { requires(.scope(scope)) }

    /// A group for applications with this role.
    public func requires(applicationRole role: String) -> RouterGroup<Context> { requires(.applicationRole(role)) }
}

extension RouterMethods {
    /// Serves the API's metadata to any client, at the location that RFC 9728 §3 defines.
    @discardableResult public func serve(_ resource: MSALProtectedResource) -> Self {
        let document = resource.document
        onForBrowsers(RouterPath(resource.metadataPath), method: .get) { _ in
            Response(
                status: .ok,
                headers: [.contentType: "application/json"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: document))
            )
        }
        return self
    }
}

extension Response {
    /// The response to a rejected request.
    init(_ rejection: MSALTokenRejection) {
        var headers = HTTPFields()
        for (name, value) in rejection.headers {
            guard let name = HTTPField.Name(name) else { continue }
            headers.append(HTTPField(name: name, value: value))
        }
        self.init(status: HTTPResponse.Status(code: rejection.status), headers: headers)
    }
}

// Handles rejections that a handler or a middleware throws outside of the authenticator.
extension MSALTokenRejection: HTTPResponseError {
    /// The status of the response: 401, 403, or 503.
    @_implements(HTTPResponseError,status)
    public var httpStatus: HTTPResponse.Status { HTTPResponse.Status(code: status) }

    /// The response to the caller, without a body.
    public func response(from request: Request, context: some RequestContext) -> Response { Response(self) }
}

extension MSALRequestFacts {
    init(_ request: Request, context: some MSALRequestContext) async {
        self.init(
            method: request.method.rawValue,
            host: request.head.authority ?? "",
            path: request.uri.path,
            query: request.uri.query
        )
        headers = request.headers.map { (name: $0.name.canonicalName, value: $0.value) }
        peerAddress = context.peerAddress
        peerCertificate = await context.peerCertificate
    }
}

extension RouterMethods {
    /// A route that pages of any site may use without credentials (CORS), with its preflight.
    func onForBrowsers(
        _ path: RouterPath,
        method: HTTPRequest.Method,
        handler: @escaping @Sendable (Request) async -> Response
    ) {
        let open: HTTPFields = [.accessControlAllowOrigin: "*", .accessControlExposeHeaders: "WWW-Authenticate"]
        on(path, method: method) { request, _ in
            var response = await handler(request)
            response.headers.append(contentsOf: open)
            return response
        }
        let preflight: HTTPFields = [
            .accessControlAllowMethods: method.rawValue, .cacheControl: "no-store",
            .accessControlAllowHeaders: "authorization, content-type, mcp-protocol-version, mcp-method, mcp-name",
        ]
        on(path, method: .options) { _, _ in Response(status: .noContent, headers: HTTPFields(open + preflight)) }
    }
}
