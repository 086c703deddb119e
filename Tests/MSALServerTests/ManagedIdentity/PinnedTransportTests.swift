// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore
import MSALServer
import TestSupport
import Testing

/// The connection to the only server that Service Fabric names.
struct PinnedTransportTests {
    private func message(_ port: Int, timeout: Duration = .seconds(60)) throws -> HTTPMessage {
        let url = try #require(URL(string: "https://127.0.0.1:\(port)/metadata/identity/oauth2/token?resource=r%20s"))
        var message = HTTPMessage(method: "GET", to: try HTTPAddress(url), headers: ["Secret": "hdr-secret"])
        message.timeout = timeout
        message.maximumResponseBytes = 64
        return message
    }

    private func fault(_ transport: PinnedTransport, _ message: HTTPMessage) async throws -> TransportError {
        do throws(TransportError) {
            let response = try await transport.send(message)
            Issue.record("\(response) came.")
            throw TransportError(.badURL, message: "No error was thrown.")
        } catch {
            return error
        }
    }

    @Test func `interim responses before the response are skipped`() async throws {
        let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nConnection: close\r\n\r\n"
        let server = try await TLSResponder(interim + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        let transport = PinnedTransport(thumbprint: try TLSResponder.thumbprint())

        let response = try await transport.send(try message(server.port))

        #expect(response.status == 200 && response.body == Data("{}".utf8))
        try await server.stop()
    }

    @Test func `the pinned server receives the request, whatever its certificate says`() async throws {
        let server = try await TLSResponder("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 2\r\n\r\nok")
        let transport = PinnedTransport(thumbprint: try TLSResponder.thumbprint())

        let response = try await transport.send(try message(server.port))
        try await server.stop()

        // No redirect is followed.
        #expect(response.status == 302)
        #expect(response[header: "location"] == "/x")
        #expect(response.body == Data("ok".utf8))
        #expect(server.request.hasPrefix("GET /metadata/identity/oauth2/token?resource=r%20s HTTP/1.1\r\n"))
        #expect(server.request.contains("\r\nSecret: hdr-secret\r\n"))
        #expect(server.request.contains("\r\nHost: 127.0.0.1:\(server.port)\r\n"))
    }

    @Test func `another server receives nothing of the request`() async throws {
        let server = try await TLSResponder("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let other = try #require(CertificateThumbprint(String(repeating: "0", count: 40)))

        let error = try await fault(PinnedTransport(thumbprint: other), try message(server.port))
        try await server.stop()

        #expect(error.kind == .untrustedCertificate)
        #expect(server.request.isEmpty)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", TransportError.Kind.connectionLost),
        ("", .connectionLost),
        ("this is not HTTP\r\n\r\n", .badResponse),
        ("HTTP/1.1 099 No\r\n\r\n", .badResponse),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 65\r\n\r\n" + String(repeating: "x", count: 65),
            .responseTooLarge(limit: 64)
        ),
    ])
    func `a response that is invalid or too long is not used`(
        response: String,
        kind: TransportError.Kind
    ) async throws {
        let server = try await TLSResponder(response)
        let transport = PinnedTransport(thumbprint: try TLSResponder.thumbprint())

        let error = try await fault(transport, try message(server.port))
        try await server.stop()

        #expect(error.kind == kind)
    }

    @Test func `an endless response is abandoned at the time limit`() async throws {
        let server = try await TLSResponder("HTTP/1.1 200 OK\r\n", then: .staysOpen)
        let transport = PinnedTransport(thumbprint: try TLSResponder.thumbprint())

        let error = try await fault(transport, try message(server.port, timeout: .milliseconds(300)))
        try await server.stop()

        #expect(error.kind == .timedOut)
    }

    @Test func `a cancellation ends the wait for a response`() async throws {
        let server = try await TLSResponder("HTTP/1.1 200 OK\r\n", then: .staysOpen)
        let transport = PinnedTransport(thumbprint: try TLSResponder.thumbprint())
        let message = try message(server.port)
        let call = Task { try await fault(transport, message) }

        try await until(!server.request.isEmpty)
        call.cancel()
        let error = try await call.value
        try await server.stop()

        #expect(error.kind == .canceled)
    }

    @Test func `a port without a listener is a connection failure`() async throws {
        let port = try LoopbackPort(isListening: false)
        defer { close(port.descriptor) }
        let transport = PinnedTransport(thumbprint: try TLSResponder.thumbprint())

        let error = try await fault(transport, try message(port.number))

        #expect(error.kind == .cannotConnect)
    }

    @Test func `plain http and line breaks in headers are rejected before any connection`() async throws {
        let transport = PinnedTransport(thumbprint: try TLSResponder.thumbprint())
        var broken = try message(1)
        broken.headers["Secret"] = "a\r\nX-Evil: 1"
        let plain = HTTPMessage(method: "GET", to: try HTTPAddress(#require(URL(string: "http://127.0.0.1:1/"))))

        #expect(try await fault(transport, broken).kind == .badURL)
        #expect(try await fault(transport, plain).kind == .badURL)
    }
}
