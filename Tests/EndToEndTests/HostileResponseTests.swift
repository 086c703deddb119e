// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

@testable import MSALCore

/// Responses by which a server, or an attacker in between, tries to make the client do more than requested.
struct HostileResponseTests {
    private let transport = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))

    private func message(to port: RawPort) throws -> HTTPMessage {
        var message = HTTPMessage(
            method: "POST",
            to: try HTTPAddress(#require(URL(string: "http://127.0.0.1:\(port.number)/token"))),
            body: Data("refresh_token=secret".utf8)
        )
        message.maximumResponseBytes = 100
        return message
    }

    @Test(arguments: [301, 302, 303, 307, 308])
    func `a redirect of a request with a secret is returned and not followed`(status: Int) async throws {
        let elsewhere = try RawPort(answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        let port = try RawPort(
            answering: "HTTP/1.1 \(status) Moved\r\nLocation: http://127.0.0.1:\(elsewhere.number)/\r\n"
                + "Content-Length: 0\r\nConnection: close\r\n\r\n"
        )

        let reply = try await transport.send(try message(to: port))

        #expect(reply.status == status)
        #expect(elsewhere.connections == 0)
    }

    @Test(arguments: [true, false])
    func `a response that is too long is rejected, with or without a length`(saysLength: Bool) async throws {
        let length = saysLength ? "Content-Length: 101\r\n" : ""
        let port = try RawPort(
            answering: "HTTP/1.1 200 OK\r\n\(length)Connection: close\r\n\r\n" + String(repeating: "a", count: 101)
        )
        let message = try message(to: port)

        let failure = await #expect(throws: TransportError.self) { try await transport.send(message) }

        #expect(failure?.kind == .responseTooLarge(limit: 100))
    }

    @Test func `a response of exactly the limit is read`() async throws {
        let port = try RawPort(
            answering: "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + String(repeating: "a", count: 100)
        )

        let reply = try await transport.send(try message(to: port))

        #expect(reply.body.count == 100)
    }
}
