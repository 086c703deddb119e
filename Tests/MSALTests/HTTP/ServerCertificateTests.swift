// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALCore

/// The server certificates that are accepted, over real sockets.
@Suite(.timeLimit(.minutes(1)))
struct ServerCertificateTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// The result of a request to `address`, and how much of it reaches the server. `PORT` is the server's.
    private func send(
        _ certificate: TestCertificate,
        to address: String,
        front: ScriptedServer.Front = .none
    ) async throws -> (outcome: Result<HTTPResponse, TransportError>, requests: [String]) {
        let server = try await ScriptedServer(certificate, front: front) { _, _ in
            .init("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        }
        let proxy = front == .none ? [:] : ["HTTPS_PROXY": "http://127.0.0.1:\(server.port)"]
        let settings = HTTPSettings(caFile: try certificate.file(in: directory.url), environment: proxy)
        let url = try #require(URL(string: address.replacing("PORT", with: "\(server.port)")))
        var message = HTTPMessage(method: "POST", to: try HTTPAddress(url), body: Data("code=secret".utf8))
        message.timeout = .seconds(20)
        do throws(TransportError) {
            return (.success(try await AsyncHTTPClientTransport(settings).send(message)), server.requests)
        } catch {
            return (.failure(error), server.requests)
        }
    }

    @Test(arguments: [
        ("https://127.0.0.1:PORT/", ["127.0.0.1"]), ("https://localhost:PORT/", ["LocalHost"]),
        ("https://localhost:PORT/", ["other.example", "localhost"]),
        ("https://app.localhost:PORT/", ["app.localhost"]),
    ])
    func `a certificate that names the host is accepted`(_ address: String, _ names: [String]) async throws {
        let (outcome, requests) = try await send(TestCertificate(names: names), to: address)

        #expect(try outcome.get().status == 200)
        #expect(requests.count == 1)
    }

    @Test(arguments: ["\u{FEFF}", ""], ["\n", "\r\n"])
    func `a CA file with a byte order mark or CR LF is read`(_ mark: String, _ lineEnd: String) async throws {
        let certificate = try TestCertificate(names: ["127.0.0.1"])
        let server = try await ScriptedServer(certificate) { _, _ in
            .init("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        }
        let file = try certificate.file(in: directory.url)
        let text = try String(contentsOf: file, encoding: .utf8)
        try Data((mark + text.replacing("\n", with: lineEnd)).utf8).write(to: file)
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))

        let transport = AsyncHTTPClientTransport(HTTPSettings(caFile: file, environment: [:]))

        #expect(try await transport.send(HTTPMessage(method: "GET", to: try HTTPAddress(url))).status == 200)
    }

    @Test(arguments: [true, false])
    func `without system authorities the app's own are used, and their absence reported`(isNamed: Bool) async throws {
        let certificate = try TestCertificate(names: ["127.0.0.1"])
        let server = try await ScriptedServer(certificate) { _, _ in
            .init("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
        }
        var settings = HTTPSettings(caFile: isNamed ? try certificate.file(in: directory.url) : nil, environment: [:])
        settings.systemHasAuthorities = false
        var message = HTTPMessage(
            method: "GET",
            to: try HTTPAddress(#require(URL(string: "https://127.0.0.1:\(server.port)/")))
        )
        message.timeout = .seconds(20)

        do throws(TransportError) {
            let response = try await AsyncHTTPClientTransport(settings).send(message)
            #expect(isNamed && response.status == 200)
        } catch {
            #expect(!isNamed && error.kind == .untrustedCertificate)
            #expect(error.message.contains("Install the package ca-certificates"), "\(error.message)")
        }
    }

    @Test(arguments: [
        ("https://localhost:PORT/", [], "localhost"), ("https://localhost:PORT/", ["*"], "localhost"),
        ("https://localhost:PORT/", ["local*"], "localhost"), ("https://127.0.0.1:PORT/", ["localhost"], "127.0.0.1"),
        ("https://localhost:PORT/", ["127.0.0.1"], "localhost"),
    ])
    func `a server whose certificate does not name the host gets no request`(
        _ address: String,
        _ names: [String],
        _ commonName: String
    ) async throws {
        let (outcome, requests) = try await send(
            TestCertificate(names: names, commonName: commonName),
            to: address
        )

        let failure = #expect(throws: TransportError.self) { try outcome.get() }
        #expect(failure?.kind == .wrongHostName, "\(String(describing: failure))")
        #expect(failure?.urlErrorCode == -1202)
        #expect(requests.isEmpty)
    }

    @Test func `the address of a proxy in a certificate does not match the server`() async throws {
        let (outcome, requests) = try await send(
            TestCertificate(names: ["127.0.0.1"]),
            to: "https://203.0.113.7/",
            front: .connectProxy
        )

        let failure = #expect(throws: TransportError.self) { try outcome.get() }
        #expect(failure?.kind == .wrongHostName, "\(String(describing: failure))")
        #expect(requests.isEmpty)
    }

    @Test func `a certificate that is not yet valid is distinguished from an unknown authority`() async throws {
        let tomorrow = Date.now.addingTimeInterval(86_400)

        let (outcome, requests) = try await send(
            TestCertificate(names: ["127.0.0.1"], validity: tomorrow...tomorrow.addingTimeInterval(86_400)),
            to: "https://127.0.0.1:PORT/"
        )

        let failure = #expect(throws: TransportError.self) { try outcome.get() }
        #expect(failure?.kind == .certificateNotYetValid, "\(String(describing: failure))")
        #expect(failure?.urlErrorCode == -1204)
        #expect(failure?.message.contains("clock") == true)
        #expect(requests.isEmpty)
    }

    @Test func `an expired certificate is distinguished from an unknown authority`() async throws {
        let lastYear = Date.now.addingTimeInterval(-31_536_000)

        let (outcome, _) = try await send(
            TestCertificate(names: ["127.0.0.1"], validity: lastYear...lastYear.addingTimeInterval(86_400)),
            to: "https://127.0.0.1:PORT/"
        )

        let failure = #expect(throws: TransportError.self) { try outcome.get() }
        #expect(failure?.kind == .certificateExpired, "\(String(describing: failure))")
    }

    @Test func `only key exchanges with forward secrecy are offered`() async throws {
        let port = try HandshakePort(.afterHello, .close)
        let url = try #require(URL(string: "https://127.0.0.1:\(port.number)/"))

        await #expect(throws: TransportError.self) {
            try await AsyncHTTPClientTransport(HTTPSettings(environment: [:])).send(
                HTTPMessage(method: "GET", to: try HTTPAddress(url))
            )
        }

        let suites = try #require(port.offeredSuites)
        #expect(suites.contains(0xC02F))
        // TLS 1.3; ECDHE (RFC 8422, RFC 5289, RFC 7905); no suite except a signaling or a GREASE value (RFC 5746, RFC
        // 8701).
        let others = suites.filter { ![0x13, 0xC0, 0xCC].contains($0 >> 8) && $0 != 0x00FF && $0 & 0x0F0F != 0x0A0A }
        #expect(others == [])
    }

    @Test(arguments: [
        ("login.example", "login.example", true), ("LOGIN.example.", "login.EXAMPLE", true),
        ("a.login.example", "*.login.example", true), ("a.login.example.", "*.login.example.", true),
        ("login.example", "*.login.example", false), ("a.b.login.example", "*.login.example", false),
        ("login.example", "*.example", false), ("example", "*", false), ("a.login.example", "a*.login.example", false),
        ("a.login.example", "*.*.example", false), ("a.login.example", "a.*.example", false),
        ("login.example", "login.example\0.evil.example", false), ("login.example", "", false), ("", "", false),
        ("login.example", ".login.example", false), (".login.example", "*.login.example", false),
        ("*.login.example", "*.login.example", true), ("bücher.example", "bücher.example", false),
        ("127.0.0.1", "127.0.0.1", false), ("1.0.0.127", "*.0.0.127", false),
    ])
    func `a DNS name covers a host or not`(_ host: String, _ name: String, _ covers: Bool) {
        #expect(PeerNames(dnsNames: [Array(name.utf8)], addresses: []).cover(host) == covers)
    }

    @Test(arguments: [
        ("127.0.0.1", [127, 0, 0, 1], true), ("127.0.0.1", [127, 0, 0, 2], false), ("127.0.0.1", [], false),
        ("::1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], true), ("::1", [127, 0, 0, 1], false),
        ("0:0::1", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], true), ("login.example", [127, 0, 0, 1], false),
        ("127.1", [127, 0, 0, 1], false),
    ])
    func `an address covers a host or not`(_ host: String, _ address: [UInt8], _ covers: Bool) {
        #expect(PeerNames(dnsNames: [], addresses: [address]).cover(host) == covers)
    }

    @Test(arguments: [
        ("login.example", "login.example"), ("login.example:8443", "login.example"), ("[::1]", "::1"),
        ("[::1]:8443", "::1"), ("127.0.0.1:1", "127.0.0.1"), ("", ""),
    ])
    func `the host of a request is read from its header`(_ value: String, _ host: String) {
        #expect(HostHeader.name(in: value) == host)
    }
}
