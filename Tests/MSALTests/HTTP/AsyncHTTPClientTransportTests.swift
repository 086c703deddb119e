// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSAL
import MSALBase
import NIOCore
import TestSupport
import Testing

@testable import MSALCore

struct AsyncHTTPClientTransportTests {
    func failure(_ address: String, _ settings: HTTPSettings = HTTPSettings(environment: [:])) async -> TransportError?
    {
        await #expect(throws: TransportError.self) {
            let url = try #require(URL(string: address))
            return try await AsyncHTTPClientTransport(settings).send(
                HTTPMessage(method: "GET", to: try HTTPAddress(url))
            )
        }
    }

    @Test func `a port without a listener cannot be connected to`() async {
        let failure = await failure("https://127.0.0.1:1/")

        #expect(failure?.kind == .cannotConnect)
        #expect(failure?.urlErrorCode == -1004)
        #expect(failure?.underlying != nil)
    }

    @Test func `an unreachable proxy is named instead of the server behind it`() async {
        let failure = await failure(
            "https://login.example/",
            HTTPSettings(environment: ["HTTPS_PROXY": "http://127.0.0.1:1"])
        )

        #expect(failure?.kind == .cannotConnect)
        #expect(failure?.message.contains("the proxy 127.0.0.1:1 ") == true)
    }

    /// The settings of an application with a proxy on this machine.
    private func settings(proxyPort: Int, user: String? = nil) throws -> HTTPSettings {
        var settings = HTTPSettings(environment: [:])
        let address = "http://127.0.0.1:\(proxyPort)"
        settings.route = ProxyRules.route(through: address, user: user, password: user.map { _ in "p@ss" })
        return settings
    }

    @Test func `an application's proxy that refuses the connection is named with its setting`() async throws {
        let failure = await failure("https://login.example/", try settings(proxyPort: 1))

        #expect(failure?.kind == .cannotConnect)
        #expect(
            failure?.message
                == "Cannot connect to the proxy 127.0.0.1:1 (connection refused). Check the application's proxy "
                + "setting and NO_PROXY, and that the proxy is running."
        )
    }

    @Test(arguments: [
        (nil, "asks for a user name and password. Add them to the application's proxy setting."),
        ("me", "does not accept the user name and password. Correct them in the application's proxy setting."),
    ])
    func `a proxy says which credentials it needs`(_ user: String?, _ message: String) async throws {
        let server = try await ScriptedServer { _, _ in
            .init("HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
        }

        let failure = await failure("https://login.example/", try settings(proxyPort: server.port, user: user))

        #expect(failure?.kind == .cannotConnect)
        #expect(failure?.message == "The proxy 127.0.0.1 \(message)")
    }

    @Test(arguments: [true, false])
    func `a proxy that hangs is named`(_ isConnecting: Bool) async throws {
        // The system accepts the connection, and nothing reads the request.
        let port = try LoopbackPort()
        var settings = try settings(proxyPort: port.number)
        if isConnecting { settings.connectTimeout = .milliseconds(100) }
        let url = try #require(URL(string: "https://login.example/"))
        var message = HTTPMessage(method: "GET", to: try HTTPAddress(url))
        if !isConnecting { message.timeout = .milliseconds(100) }

        let failure = await #expect(throws: TransportError.self) {
            try await AsyncHTTPClientTransport(settings).send(message)
        }

        #expect(failure?.kind == .timedOut)
        #expect(failure?.message.contains("he proxy 127.0.0.1 ") == true, "\(String(describing: failure))")
        close(port.descriptor)
    }

    @Test(arguments: LoopbackAddress.all)
    func `localhost is reached at each of its addresses`(_ address: String) async throws {
        let server: ScriptedServer
        do {
            server = try await ScriptedServer(at: address) { _, _ in .init("HTTP/1.1 204 No Content\r\n\r\n") }
        } catch let error as IOError where error.errnoCode == EADDRNOTAVAIL {
            return  // This machine has no IPv6.
        }
        let url = try #require(URL(string: "http://localhost:\(server.port)/"))

        let response = try await AsyncHTTPClientTransport(HTTPSettings(environment: [:])).send(
            HTTPMessage(method: "GET", to: try HTTPAddress(url))
        )

        #expect(response.status == 204)
    }

    @Test func `a port of localhost without a listener is named`() async {
        let failure = await failure("https://localhost:1/")

        #expect(failure?.kind == .cannotConnect)
        #expect(failure?.message.contains("Cannot connect to localhost:1 (connection refused).") == true)
    }

    @Test(arguments: ["http", "socks5"])
    func `a proxy that closes the connection is named with the server`(_ scheme: String) async throws {
        let port = try HandshakePort(.afterHello, .close)

        let failure = await failure(
            "https://login.example/",
            HTTPSettings(environment: ["HTTPS_PROXY": "\(scheme)://127.0.0.1:\(port.number)"])
        )

        #expect(failure?.kind == .connectionLost, "\(String(describing: failure))")
        #expect(failure?.message.contains("login.example through the proxy 127.0.0.1 ") == true)
    }

    @Test func `the library sends its name and version`() async throws {
        let server = try await ScriptedServer { _, _ in .init("HTTP/1.1 204 No Content\r\n\r\n") }
        let transport = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))

        _ = try await transport.send(HTTPMessage(method: "GET", to: try HTTPAddress(url)))
        _ = try await transport.send(
            HTTPMessage(method: "POST", to: try HTTPAddress(url), headers: ["user-agent": "An app"])
        )

        let agent = "msal-swift/\(try #require(MSALPublicClientApplication.sdkVersion))"
        #expect(server.requests.first?.contains("User-Agent: \(agent)\r\n") == true)
        #expect(server.requests.last?.lowercased().contains("user-agent: an app\r\n") == true)
        #expect(server.requests.last?.contains(agent) == false)
    }

    @Test func `a response that is lost after the body was sent is marked as such`() async throws {
        let server = try await ScriptedServer { _, _ in .init(closes: true) }
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/"))
        let closed = try #require(URL(string: "http://127.0.0.1:1/"))
        let transport = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))

        let lost = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPMessage(method: "POST", to: try HTTPAddress(url), body: Data("code=1".utf8)))
        }
        let unsent = await #expect(throws: TransportError.self) {
            try await transport.send(
                HTTPMessage(method: "POST", to: try HTTPAddress(closed), body: Data("code=1".utf8))
            )
        }

        #expect(lost?.kind == .connectionLost)
        #expect(lost?.hasSentBody == true)
        #expect(server.requests == server.requests.filter { $0.hasSuffix("\r\n\r\ncode=1") })
        #expect(server.requests.count == 1)
        #expect(unsent?.hasSentBody == false)
    }

    @Test(arguments: ["http://login.example/", "ftp://login.example/", "login.example", "https:///path"])
    func `plain HTTP is accepted for this machine only`(_ address: String) async {
        #expect(await failure(address)?.kind == .badURL)
    }

    @Test(arguments: ["/nonexistent/ca.pem", "/nonexistent/José's 100% CA.pem"])
    func `a missing CA file is named`(_ path: String) async {
        let failure = await failure("https://127.0.0.1:1/", HTTPSettings(caFile: URL(filePath: path), environment: [:]))

        #expect(failure?.kind == .untrustedCertificate)
        #expect(failure?.message.contains(path) == true)
    }

    @Test func `a missing file in SSL_CERT_FILE is named`() async {
        let failure = await failure(
            "https://127.0.0.1:1/",
            HTTPSettings(environment: ["SSL_CERT_FILE": "/nonexistent/roots.pem"])
        )

        #expect(failure?.message.contains("SSL_CERT_FILE") == true)
    }

    @Test(arguments: [false, true])
    func `a pipe instead of a CA file does not block`(_ isVariable: Bool) async throws {
        let folder = try TemporaryDirectory()
        let pipe = folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let settings =
            isVariable
            ? HTTPSettings(environment: ["SSL_CERT_FILE": pipe])
            : HTTPSettings(caFile: URL(filePath: pipe), environment: [:])

        let failure = await failure("https://127.0.0.1:1/", settings)

        #expect(failure?.kind == .untrustedCertificate)
        #expect(failure?.message.contains("\(pipe), which") == true)
        #expect(failure?.message.contains("is not a regular file") == true)
    }

    @Test(arguments: ["a\r\nb", "a\nb", "\0", "\u{7F}"])
    func `a header that HTTP does not allow is not retried`(_ value: String) async throws {
        let url = try #require(URL(string: "https://127.0.0.1:1/"))
        let message = HTTPMessage(method: "GET", to: try HTTPAddress(url), headers: ["X-App-Name": value])

        let failure = await #expect(throws: TransportError.self) {
            try await AsyncHTTPClientTransport(HTTPSettings(environment: [:])).send(message)
        }

        #expect(failure?.kind == .badURL)
        #expect(failure?.message.contains("header") == true)
    }

    @Test func `canceling ends a request`() async throws {
        let silent = try LoopbackPort()
        defer { close(silent.descriptor) }
        let url = try #require(URL(string: "https://127.0.0.1:\(silent.number)/"))
        let request = Task {  // Awaited below.
            try await AsyncHTTPClientTransport(HTTPSettings(environment: [:])).send(
                HTTPMessage(method: "GET", to: try HTTPAddress(url))
            )
        }
        request.cancel()

        let failure = await #expect(throws: TransportError.self) { try await request.value }
        #expect(failure?.kind == .canceled)
    }

    @Test(
        arguments: [
            (TransportError.Kind.timedOut, -1001), (.cannotFindHost, -1003), (.cannotConnect, -1004),
            (.connectionLost, -1005), (.offline, -1009), (.badURL, -1000), (.untrustedCertificate, -1202),
            (.wrongHostName, -1202), (.certificateExpired, -1201), (.tlsHandshake, -1200), (.badResponse, -1011),
            (.certificateNotYetValid, -1204), (.canceled, nil),
            (.responseTooLarge(limit: 1), nil),
        ] as [(TransportError.Kind, Int?)]
    )
    func `each failure has Apple's code`(_ kind: TransportError.Kind, _ code: Int?) {
        #expect(TransportError(kind, message: "").urlErrorCode == code)
    }
}
