// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import TestSupport
import Testing

/// How many connections a transport opens to one host.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionLimitTests {
    private func transport(_ maximumConnections: Int) -> AsyncHTTPClientTransport {
        var settings = HTTPSettings(environment: [:])
        settings.maximumConnections = maximumConnections
        return AsyncHTTPClientTransport(settings)
    }

    private func message(to server: ScriptedServer) throws -> HTTPMessage {
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        return HTTPMessage(method: "GET", to: try HTTPAddress(url))
    }

    @Test func `as many requests run concurrently as connections are allowed`() async throws {
        let server = try await ScriptedServer { _, _ in .init() }
        let (transport, message) = (transport(20), try message(to: server))
        let calls = (0..<20).map { _ in Task { try await transport.send(message) } }

        try await until(server.requests.count == 20)

        #expect(server.connections == 20)
        for call in calls { call.cancel() }
        for call in calls { await #expect(throws: TransportError.self) { try await call.value } }
    }

    @Test(arguments: [-1, 1, 2])
    func `further requests wait for a connection`(_ limit: Int) async throws {
        let server = try await ScriptedServer { _, _ in .init("HTTP/1.1 204 No Content\r\n\r\n") }
        let (transport, message) = (transport(limit), try message(to: server))

        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await transport.send(message).status } }
            for try await status in group { #expect(status == 204) }
        }

        #expect(server.requests.count == 20)
        #expect(server.connections <= max(limit, 1))
    }

    @Test func `an app's transport has eight connections`() {
        #expect(HTTPSettings(environment: [:]).maximumConnections == 8)
    }
}
