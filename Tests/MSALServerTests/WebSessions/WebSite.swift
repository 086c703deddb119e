// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import Logging
import MSALBase
import MSALHummingbird
import MSALServer
import MSALStoreConformance
import NIOCore
import Synchronization
import TestSupport
import Testing

/// The context of an application that has no connection.
struct WebTestContext: MSALWebRequestContext {
    struct Source: RequestContextSource {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    }

    var coreContext: CoreRequestContextStorage
    var user: MSALWebUser?

    init(source: Source) { coreContext = CoreRequestContextStorage(source: source) }
}

/// An instance of a web application without a socket.
struct WebSite {
    static let host = "app.contoso.example"

    let story: WebAppStory
    private let responder: RouterResponder<WebTestContext>

    init(
        _ service: SignInService = SignInService(),
        cache: MSALTokenCache = MSALTokenCache(),
        time: ManualTime = ManualTime(skipsSleeps: true),
        seed: UInt8 = 0,
        redirectUri: String = "https://\(host)/signin-oidc",
        configure: (inout MSALWebSignInConfiguration) -> Void = { _ in }
    ) throws {
        story = try WebAppStory(service, cache: cache, time: time, seed: seed) { configuration in
            configuration.redirectUri = redirectUri
        }
        var configuration = MSALWebSignInConfiguration(scopes: ["User.Read"])
        configure(&configuration)
        let router = Router(context: WebTestContext.self)
        try MSALWebSignIn(story.application, configuration: configuration).addRoutes(to: router)
        router.get("/") { _, context in context.user?.name ?? "nobody" }
        router.get("cached") { _, _ in Response(status: .ok, headers: [.cacheControl: "private"]) }
        router.requiresSignIn().get("account") { _, context in context.user?.objectId ?? "" }
        router.requires(role: "Admin").get("admin") { _, _ in "admin" }
        router.requires(scopes: ["Mail.Read"]).get("mail") { _, _ in "mail" }
        router.requiresSignIn().get("profile") { _, context in
            try await context.user?.token(for: ["User.Read"]).accessToken ?? ""
        }
        router.requiresSignIn().get("orders") { _, context in
            guard let user = context.user, let base = URL(string: "https://orders.contoso.example") else { return "" }
            return try await String(
                user.api(at: base, scopes: ["Orders.Read"]).json([String].self, from: "orders").count
            )
        }
        router.requiresSignIn().get("payment") { _, context in
            guard context.user?.claims["acrs"]?.strings.contains("c1") == true else {
                throw MSALClaimsChallenge.authenticationContext("c1")
            }
            return "paid"
        }
        router.requiresSignIn().post("notes") { request, context in
            let fields: [String: String]? = try await context.user?.form(of: request)
            return fields?["note"] ?? ""
        }
        router.requiresSignIn().get("field") { _, context in context.user?.formField ?? "" }
        responder = router.buildResponder()
    }

    /// The response of the server to a request, also if a handler throws.
    func respond(to request: Request) async -> (response: Response, body: String) {
        let context = WebTestContext(source: WebTestContext.Source())
        var response: Response
        do {
            response = try await responder.respond(to: request, context: context)
        } catch let error as any HTTPResponseError {
            response = Response(status: error.status)
        } catch {
            Issue.record("A handler threw \(error).")
            response = Response(status: .internalServerError)
        }
        let writer = BodyWriter()
        try? await response.body.write(writer)
        return (response, writer.text.withLock { $0 })
    }

    private final class BodyWriter: ResponseBodyWriter {
        let text = Mutex("")

        func write(_ buffer: ByteBuffer) async throws { text.withLock { $0 += String(buffer: buffer) } }
        func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }
}

/// Two instances of a web application, and a browser for each of their users.
struct WebSites {
    let store = MSALMemoryStore(prefix: "msal:1:")
    let service = SignInService()
    let sites: [WebSite]

    init(
        clocksApart: Duration = .zero,
        skipsSleeps: Bool = true,
        wrap: (MSALMemoryStore) -> any MSALDistributedTokenStore = { $0 }
    ) throws {
        var shared = try MSALSharedCacheConfiguration(wrap(store), keys: [.example()])
        shared.writesThrough = true
        shared.time = ManualTime(skipsSleeps: skipsSleeps)
        let (service, caches) = (service, shared)
        sites = try (0..<2).map { number in
            let time = ManualTime(skipsSleeps: skipsSleeps)
            time.advance(by: clocksApart * number)
            let cache = MSALTokenCache(shared: caches)
            return try WebSite(service, cache: cache, time: time, seed: UInt8(number) * 100)
        }
    }
}

/// A browser with cookies. It follows no redirects.
final class WebBrowser {
    struct Answer {
        let status: HTTPResponse.Status
        let headers: HTTPFields
        let body: String
        /// The address of a redirect.
        var location: String { headers[.location] ?? "" }
        /// A value in the query of the redirect.
        func parameter(_ name: String) -> String? {
            URLComponents(string: location)?.queryItems?.first { $0.name == name }?.value
        }
    }

    private struct StoredCookie {
        var value: String
        var sameSite: String
    }

    private var cookies: [String: StoredCookie] = [:]
    var site: WebSite

    init(_ site: WebSite) {
        self.site = site
    }

    /// The values of the cookies, by name. An attacker may have planted one.
    subscript(name: String) -> String? {
        get { cookies[name]?.value }
        set { cookies[name] = newValue.map { StoredCookie(value: $0, sameSite: "Lax") } }
    }

    /// Adds a cookie that browsers send with forms of other sites.
    func plant(_ name: String, _ value: String) { cookies[name] = StoredCookie(value: value, sameSite: "None") }

    var cookieNames: [String] { cookies.keys.sorted() }

    func get(_ path: String, headers: HTTPFields = [:]) async throws -> Answer {
        try await send(.get, path, headers: headers)
    }

    /// `isCrossSite`: a page of another site submits the form.
    func post(
        _ path: String,
        _ form: String,
        isCrossSite: Bool = false,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        try await send(.post, path, body: form, isCrossSite: isCrossSite, headers: headers)
    }

    func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        body: String = "",
        isCrossSite: Bool = false,
        headers: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = headers
        let sent = cookies.filter { !isCrossSite || $0.value.sameSite == "None" }
        if !sent.isEmpty { headers[.cookie] = sent.map { "\($0.key)=\($0.value.value)" }.joined(separator: "; ") }
        let head = HTTPRequest(
            method: method,
            scheme: "https",
            authority: WebSite.host,
            path: path,
            headerFields: headers
        )
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(string: body)))
        let (response, text) = await site.respond(to: request)
        for line in response.headers[values: .setCookie] { try keep(line) }
        return Answer(status: response.status, headers: response.headers, body: text)
    }

    private func keep(_ line: String) throws {
        let parts = line.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let attributes = Set(parts.dropFirst())
        let sameSite = attributes.first { $0.hasPrefix("SameSite=") }?.dropFirst(9)
        // RFC 6265bis §4.1.3.2, and the rules of this application.
        #expect(pair[0].hasPrefix("__Host-") && attributes.isSuperset(of: ["Secure", "HttpOnly", "Path=/"]))
        #expect(pair[0].utf8.count + pair[1].utf8.count <= 4096)
        cookies[pair[0]] =
            attributes.contains("Max-Age=0")
            ? nil : StoredCookie(value: pair[1], sameSite: String(try #require(sameSite)))
    }

    // MARK: - Sign-in

    /// The service's form for a redirect to it, and the response of its token endpoint.
    func form(
        for redirect: Answer,
        access: String = "at-1",
        scope: String = "User.Read openid profile",
        claims: [String: JSONValue] = [:]
    ) throws -> String {
        let state = try #require(redirect.parameter("state"))
        let idToken = try site.story.service.idToken(
            nonce: redirect.parameter("nonce"),
            at: site.story.time.now,
            changes: ["sid": .string("service-1")].merging(claims) { $1 }
        )
        site.story.service.append(SignInService.tokens(access: access, scope: scope, idToken: idToken))
        return "code=0.abc&state=\(state)"
    }

    /// Completes a sign-in that a page has started.
    @discardableResult
    func complete(
        _ redirect: Answer,
        access: String = "at-1",
        scope: String = "User.Read openid profile",
        claims: [String: JSONValue] = [:]
    ) async throws -> Answer {
        let form = try form(for: redirect, access: access, scope: scope, claims: claims)
        return try await post("/signin-oidc", form, isCrossSite: true)
    }

    @discardableResult
    func signIn(claims: [String: JSONValue] = [:]) async throws -> Answer {
        try await complete(try await get("/signin"), claims: claims)
    }

    /// The form field with the session's token, as a browser submits it.
    func formField() async throws -> String {
        let field = try await get("/field").body
        let value = try #require(field.firstMatch(of: /value="([^"]+)"/)?.1)
        return "formToken=\(value)"
    }
}
