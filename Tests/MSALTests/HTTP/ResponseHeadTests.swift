// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALCore

/// The effect of the first lines of a response on a client, over real sockets.
@Suite(.timeLimit(.minutes(1)))
struct ResponseHeadTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The routes to a server.
    enum Way: CaseIterable, Sendable {
        case plain, tls, connectProxy, socksProxy
    }

    private struct Line {
        let server: ScriptedServer
        let transport: AsyncHTTPClientTransport
        let url: URL

        func send(body: String? = nil) async throws -> HTTPResponse {
            var message = HTTPMessage(
                method: body == nil ? "GET" : "POST",
                to: try HTTPAddress(url),
                body: body.map { Data($0.utf8) }
            )
            message.timeout = .seconds(20)
            return try await transport.send(message)
        }
    }

    private func line(
        _ way: Way,
        response: @escaping @Sendable (Int, String) -> ScriptedServer.Response
    ) async throws -> Line {
        let certificate = try TestCertificate(names: ["127.0.0.1", "login.example"])
        let file = try certificate.file(in: directory.url)
        switch way {
        case .plain:
            let server = try await ScriptedServer(response: response)
            return try line(to: server, "http://127.0.0.1:\(server.port)/", HTTPSettings(environment: [:]))
        case .tls:
            let server = try await ScriptedServer(certificate, response: response)
            let settings = HTTPSettings(caFile: file, environment: [:])
            return try line(to: server, "https://127.0.0.1:\(server.port)/", settings)
        case .connectProxy:
            let server = try await ScriptedServer(certificate, front: .connectProxy, response: response)
            let proxy = ["HTTPS_PROXY": "http://127.0.0.1:\(server.port)"]
            return try line(to: server, "https://login.example/", HTTPSettings(caFile: file, environment: proxy))
        case .socksProxy:
            let server = try await ScriptedServer(certificate, front: .socksProxy, response: response)
            let proxy = ["HTTPS_PROXY": "socks5://127.0.0.1:\(server.port)"]
            return try line(to: server, "https://login.example/", HTTPSettings(caFile: file, environment: proxy))
        }
    }

    private func line(to server: ScriptedServer, _ address: String, _ settings: HTTPSettings) throws -> Line {
        Line(
            server: server,
            transport: AsyncHTTPClientTransport(settings),
            url: try #require(URL(string: address))
        )
    }

    @Test(arguments: Way.allCases, ["000", "001", "050", "099", "600", "999"])
    func `a status outside 100 to 599 is an invalid response`(_ way: Way, _ status: String) async throws {
        let line = try await line(way) { _, _ in .init("HTTP/1.1 \(status) Odd\r\nContent-Length: 2\r\n\r\n{}") }

        let failure = await #expect(throws: TransportError.self) { try await line.send() }

        #expect(failure?.urlErrorCode == -1011, "\(String(describing: failure))")
        #expect(failure?.message.contains(line.url.host() ?? "no host") == true)
    }

    @Test(arguments: Way.allCases)
    func `an invalid response does not affect the next request`(_ way: Way) async throws {
        let line = try await line(way) { index, _ in
            index == 0 ? .init("HTTP/1.1 099 Odd\r\n\r\n") : .init("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        }

        await #expect(throws: TransportError.self) { try await line.send() }

        #expect(try await line.send().status == 200)
    }

    /// Responses that are complete although the connection stays open.
    static let complete = [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Trailer: 1\r\n\r\n",
        "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 20\r\n\r\n",
        "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 503 Down\r\nRetry-After: 1\r\nContent-Length: 2\r\n\r\n{}",
    ]

    static let interim = [
        "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 102 Processing\r\nContent-Length: 5\r\n\r\n",
        "HTTP/1.1 199 Odd\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nConnection: close\r\n\r\n", "HTTP/1.0 100 Continue\r\n\r\n",
        "HTTP/1.1 199 Odd\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
    ]

    @Test(arguments: Way.allCases, complete.indices)
    func `a response after interim ones is returned when it is complete`(_ way: Way, _ index: Int) async throws {
        let final = Self.complete[index]
        let line = try await line(way) { index, _ in
            let interim = Self.interim[index % Self.interim.count]
            switch index % 3 {
            case 0: return .init(interim + final)
            case 1: return .init(interim, interim, final)
            default: return .init(bytes: (interim + final).utf8.map { [$0] })
            }
        }

        for round in 0..<2 * Self.interim.count {
            let reply = try await line.send(body: round % 4 < 2 ? nil : "code=1")
            #expect("\(reply.status)" == final.dropFirst(9).prefix(3))
        }
        #expect(line.server.connections == 1)
    }
}
