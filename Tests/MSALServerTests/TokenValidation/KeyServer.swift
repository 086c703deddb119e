// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import Hummingbird
import MSALBase
import MSALCore
import MSALServer
import NIOCore
import Synchronization
import TestSupport

/// An issuer on a real socket, over TLS, which serves its keys as a test specifies.
final class KeyServer: Sendable {
    /// The settings of a test.
    struct Behavior: Sendable {
        /// The response to the request with this number, from 0, for the keys. The address is that of the server.
        var keys: @Sendable (_ number: Int, _ server: KeyServer) async throws -> Response
        /// A change of the metadata, which receives the address of the server.
        var metadata: @Sendable (inout [String: JSONValue], String) -> Void = { _, _ in }
    }

    private struct State {
        var paths: [String] = []
        var keyRequests = 0
    }

    private let state = Mutex(State())
    private let waiting = AsyncStream.makeStream(of: Never.self)

    /// The requested paths.
    var paths: [String] { state.withLock { $0.paths } }
    var keyRequests: Int { state.withLock { $0.keyRequests } }

    /// Runs a test with an API whose issuer is this server.
    ///
    /// `isPatient`: Whether the API waits longer for a response than in production, because a busy machine may be slow.
    static func run(
        _ behavior: Behavior,
        isPatient: Bool = true,
        _ body: (KeyServer, APIServer, String) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let certificate = try LocalCertificate(in: directory.url)
        let server = KeyServer()
        let router = Router()
        router.get("**") { request, _ in try await server.respond(to: request, as: behavior) }
        try await LocalServer.run(router, certificate: certificate) { port in
            defer { server.waiting.continuation.finish() }
            let transport = AsyncHTTPClientTransport(.trusting(certificate.file))
            let api = try APIServer(transport: isPatient ? PatientTransport(base: transport) : transport) {
                $0.authority = .tenant(TestIssuer.tenant, host: "localhost:\(port)")
            }
            try await body(server, api, "https://localhost:\(port)/\(TestIssuer.tenant)/v2.0")
        }
    }

    private struct PatientTransport: HTTPTransport {
        let base: any HTTPTransport

        func send(_ message: HTTPMessage) async throws(TransportError) -> MSALCore.HTTPResponse {
            var message = message
            message.timeout = .seconds(60)
            return try await base.send(message)
        }
    }

    private func respond(to request: Request, as behavior: Behavior) async throws -> Response {
        let base = "https://\(request.head.authority ?? "")/\(TestIssuer.tenant)"
        let path = request.uri.path
        let number = state.withLock { state in
            state.paths.append(path)
            if path.hasSuffix("/keys") { state.keyRequests += 1 }
            return state.keyRequests - 1
        }
        if path.hasSuffix("/keys") { return try await behavior.keys(number, self) }
        var members: [String: JSONValue] = [
            "issuer": .string("\(base)/v2.0"), "jwks_uri": .string("\(base)/discovery/v2.0/keys"),
            "authorization_endpoint": .string("\(base)/oauth2/v2.0/authorize"),
            "token_endpoint": .string("\(base)/oauth2/v2.0/token"),
        ]
        behavior.metadata(&members, base)
        return Self.json(JSONValue.object(members).text)
    }

    /// Never responds, as long as the test lasts.
    func hang() async throws -> Response {
        for await _ in waiting.stream {}
        return Response(status: .serviceUnavailable)
    }

    /// A response of 200 MB without a length.
    func endless() -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody { writer in
                let piece = ByteBuffer(repeating: UInt8(ascii: " "), count: 65_536)
                for _ in 0..<3200 { try await writer.write(piece) }
                try await writer.finish(nil)
            }
        )
    }

    static func keys(_ keys: JSONValue...) -> Response { json(JSONValue.object(["keys": .array(keys)]).text) }

    static func json(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
