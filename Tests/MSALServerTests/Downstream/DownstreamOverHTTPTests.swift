// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import MSALCore
import MSALHummingbird
import MSALServer
import NIOCore
import Synchronization
import TestSupport
import Testing

/// An API on Hummingbird that calls another one over real sockets, and the responses to its caller while the other one
/// fails.
struct DownstreamOverHTTPTests {
    private static let claims = #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#

    /// The API that is called.
    private final class Stock: Sendable {
        private let state = Mutex<[String]>([])
        private let arrivals = AsyncStream.makeStream(of: Void.self)
        private let waiting = AsyncStream.makeStream(of: Never.self)

        var requests: [String] { state.withLock { $0 } }

        func untilSomebodyHangs() async { for await _ in arrivals.stream { return } }
        func end() { waiting.continuation.finish() }

        func router() -> Router<BasicRequestContext> {
            let router = Router()
            router.get("**") { [self] request, _ in
                state.withLock { $0.append("\(request.uri.path) \(request.headers[.authorization] ?? "")") }
                switch request.uri.path {
                case "/always":
                    let encoded = Data(claims.utf8).base64EncodedString()
                    let value = #"Bearer realm="", error="insufficient_claims", claims="\#(encoded)""#
                    return Response(status: .unauthorized, headers: [.wwwAuthenticate: value])
                case "/stranger":
                    return Response(status: .found, headers: [.location: "https://stranger.example/items"])
                case "/large": return large()
                case "/hanging":
                    arrivals.continuation.yield()
                    for await _ in waiting.stream {}
                    return Response(status: .ok)
                default: return KeyServer.json(#"["screw"]"#)
                }
            }
            return router
        }

        /// A response of 100 MB without a length.
        private func large() -> Response {
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    let piece = ByteBuffer(repeating: UInt8(ascii: " "), count: 65_536)
                    for _ in 0..<1600 { try await writer.write(piece) }
                    try await writer.finish(nil)
                }
            )
        }
    }

    /// An API in which each path calls the same path of Stock, as itself, or as the user below `/user`.
    private func withAPIs(
        user: MSALConfidentialClientApplication? = nil,
        _ body: (Stock, APIServer, APIClient, FixedCredential) async throws -> Void
    ) async throws {
        let stock = Stock()
        try await LocalServer.run(stock.router()) { port in
            defer { stock.end() }
            let base = try #require(URL(string: "http://127.0.0.1:\(port)"))
            let api = try APIServer()
            let credential = FixedCredential()
            let router = Router(context: MSALAPIContext.self)
            router.group().add(middleware: MSALAuthenticator(api.validator)).get("**") { request, context in
                let caller = try context.identity.map { principal in
                    try MSALDownstreamAPI(
                        baseURL: base,
                        scopes: ["api://stock/Stock.Read"],
                        as: user.map { .user($0, principal) } ?? .application(credential)
                    )
                }
                do throws(MSALDownstreamError) {
                    return try await caller?.json([String].self, from: request.uri.path).joined() ?? ""
                } catch {
                    guard error.challenge == nil else { throw error }
                    throw HTTPError(.badGateway)
                }
            }
            try await api.run(router) { client in try await body(stock, api, client, credential) }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an API that always requires claims is called twice by an application`() async throws {
        try await withAPIs { stock, api, client, credential in
            let answer = try await client.send("GET", "/always", bearer: try api.token())

            #expect(answer.status == 502)
            #expect(answer.values("WWW-Authenticate") == [])
            #expect(stock.requests == ["/always Bearer a-token", "/always Bearer a-token for claims"])
            #expect(credential.asked == [nil, Self.claims])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an API's claims for a user reach the caller as a challenge, unchanged`() async throws {
        let service = SignInService()
        service.append(SignInService.tokens(access: "at-user", scope: "api://stock/Stock.Read", changes: [:]))
        let application = try MSALConfidentialClientApplication(
            configuration: MSALConfidentialClientConfiguration(
                clientId: SignInService.clientID,
                authority: .tenant(SignInService.tenant),
                credential: .secret("s~ecret")
            ),
            environment: .double(time: ManualTime(), transport: service)
        )
        try await withAPIs(user: application) { stock, api, client, _ in
            let able = try api.token(["xms_cc": .array([.string("cp1")])])
            let answer = try await client.send("GET", "/always", bearer: able)

            #expect(answer.status == 401)
            let value = try #require(answer.values("WWW-Authenticate").first)
            #expect(value.contains(#"error="insufficient_claims""#))
            #expect(value.contains(Data(Self.claims.utf8).base64EncodedString()))
            #expect(stock.requests == ["/always Bearer at-user"])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `an API with a private certificate authority is reached with its file, and not without`() async throws {
        let directory = try TemporaryDirectory()
        let certificate = try LocalCertificate(in: directory.url)
        let stock = Stock()
        try await LocalServer.run(stock.router(), certificate: certificate) { port in
            defer { stock.end() }
            let base = try #require(URL(string: "https://localhost:\(port)"))
            func items(
                _ file: URL? = nil,
                as caller: MSALDownstreamAPI.Caller = .application(FixedCredential())
            ) async throws -> [String] {
                let api = try MSALDownstreamAPI(
                    baseURL: base,
                    scopes: ["api://stock/.default"],
                    as: caller,
                    caFile: file
                )
                return try await api.json([String].self, from: "items")
            }

            await #expect(throws: MSALDownstreamError.self) { _ = try await items() }
            #expect(stock.requests == [])
            let trusted = try await items(certificate.file)
            #expect(trusted == ["screw"])
            #expect(stock.requests == ["/items Bearer a-token"])

            // The file of the application that calls, as itself and for its user.
            let service = SignInService()
            service.append(SignInService.tokens(access: "at-own", scope: "api://stock/.default", changes: [:]))
            service.append(SignInService.tokens(access: "at-user", scope: "api://stock/.default", changes: [:]))
            var configuration = MSALConfidentialClientConfiguration(
                clientId: SignInService.clientID,
                authority: .tenant(SignInService.tenant),
                credential: .secret("s~ecret")
            )
            configuration.caFile = certificate.file
            let application = try MSALConfidentialClientApplication(
                configuration: configuration,
                environment: .double(time: ManualTime(), transport: service)
            )
            let api = try APIServer()
            let user = try await api.validator.validate(
                authorization: ["Bearer \(try api.token())"],
                request: MSALRequestFacts()
            )
            #expect(try await items(as: .application(application)) == ["screw"])
            #expect(try await items(as: .user(application, user)) == ["screw"])
            #expect(stock.requests.suffix(2) == ["/items Bearer at-own", "/items Bearer at-user"])
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a redirect to another host and 100 MB are failures of the other API`() async throws {
        try await withAPIs { _, api, client, _ in
            for path in ["/stranger", "/large"] {
                let answer = try await client.send("GET", path, bearer: try api.token())
                #expect(answer.status == 502)
                #expect(answer.values("WWW-Authenticate") == [] && answer.values("Location") == [])
                #expect(!answer.body.contains("stranger"))
            }
            let good = try await client.send("GET", "/items", bearer: try api.token())
            #expect(good.status == 200 && good.body.hasSuffix("screw"))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `a caller that disconnects does not affect others`() async throws {
        try await withAPIs { stock, api, client, _ in
            let token = try api.token()
            let leaving = try RawConnection(port: client.port)
            let lines = ["GET /hanging HTTP/1.1", "Host: api.contoso.example", "Authorization: Bearer \(token)"]
            leaving.send((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
            await stock.untilSomebodyHangs()
            leaving.close()

            let other = try await client.send("GET", "/items", bearer: token)
            #expect(other.status == 200)
            stock.end()
            #expect(try await client.send("GET", "/items", bearer: token).status == 200)
        }
    }
}
