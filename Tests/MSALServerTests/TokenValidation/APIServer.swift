// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer
import TestSupport
import Testing

/// An API on Hummingbird with an issuer, on a port of this machine.
struct APIServer {
    let issuer = TestIssuer()
    let time = ManualTime(now: Date(timeIntervalSince1970: 1_790_000_000))
    let validator: MSALTokenValidator
    let configuration: MSALTokenValidatorConfiguration

    /// An API. `transport` is its route to the issuer. Without it, the API has an issuer without sockets.
    init(
        transport: (any HTTPTransport)? = nil,
        _ change: (inout MSALTokenValidatorConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = MSALTokenValidatorConfiguration(
            clientId: TestIssuer.client,
            authority: .tenant(TestIssuer.tenant)
        )
        change(&configuration)
        self.configuration = configuration
        validator = try MSALTokenValidator([configuration]) { [time, issuer] configuration in
            var options = MSALCredentialOptions()
            #if Metrics
                options.metrics = configuration.metrics
            #endif
            #if Tracing
                options.tracer = configuration.tracer
            #endif
            return ServerEnvironment.double(time: time, transport: transport ?? issuer).applying(options)
        }
        issuer.serve(keys: .keys([try IssuerKey("k1").published]))
    }

    /// A token of a user, with these changes.
    func token(_ changes: [String: JSONValue?] = [:], header: [String: JSONValue] = [:]) throws -> String {
        try IssuerKey("k1").token(at: time.now, claims: changes, header: header)
    }

    private func router(_ resource: MSALProtectedResource?) -> Router<MSALAPIContext> {
        let router = Router(context: MSALAPIContext.self)
        if let resource { router.serve(resource) }
        let orders = router.group("orders").add(middleware: MSALAuthenticator(validator))
        orders.get { _, context in context.identity?.objectId ?? "nobody" }
        orders.requires(scope: "Orders.Write").delete { _, _ in "deleted" }
        orders.get("secret") { _, _ -> String in throw MSALClaimsChallenge.authenticationContext("c1") }
        orders.get("refused") { _, _ -> String in
            throw MSALTokenError(
                kind: .interactionRequired,
                message: "A second factor.",
                claims: #"{"access_token":{}}"#
            )
        }
        return router
    }

    /// Runs a test against the port of the server.
    func run(
        resource: MSALProtectedResource? = nil,
        _ body: (APIClient) async throws -> Void
    ) async throws {
        try await run(router(resource), body)
    }

    /// Runs a test with the test's own routes.
    func run(_ router: Router<MSALAPIContext>, _ body: (APIClient) async throws -> Void) async throws {
        try await LocalServer.run(router) { port in try await body(APIClient(port: port)) }
    }
}

/// Sends requests byte for byte, as no HTTP client would.
struct APIClient {
    struct Answer {
        let status: Int
        /// The lines of the header.
        let lines: [String]
        let body: String

        func values(_ name: String) -> [String] {
            lines.filter { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
                $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
            }
        }
    }

    let port: Int

    /// Sends a request with these header lines.
    func send(
        _ method: String = "GET",
        _ path: String = "/orders",
        lines: [String],
        body: String = ""
    ) async throws -> Answer {
        let connection = try RawConnection(port: port)
        defer { connection.close() }
        let head = ["\(method) \(path) HTTP/1.1", "Host: api.contoso.example", "Connection: close"] + lines
        connection.send((head.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
        let bytes = try #require(await connection.rest())
        let text = String(decoding: bytes, as: UTF8.self)
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
        let answer = parts.first?.split(separator: "\r\n").map(String.init) ?? []
        return Answer(
            status: answer.first.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int($0) } ?? 0,
            lines: Array(answer.dropFirst()),
            body: parts.count > 1 ? parts[1] : ""
        )
    }

    /// Sends a request with a bearer token.
    func send(_ method: String = "GET", _ path: String = "/orders", bearer token: String) async throws -> Answer {
        try await send(method, path, lines: ["Authorization: Bearer \(token)"])
    }
}
