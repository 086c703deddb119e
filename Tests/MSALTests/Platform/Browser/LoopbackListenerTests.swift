// Licensed under the MIT License. See LICENSE.

import Foundation
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// A machine without IPv6: no program can listen at the address that replaces `::1` here.
struct LoopbackListenerTests {
    private let session: LoopbackSession

    init() throws {
        let url = try #require(URL(string: "https://login.contoso.example/authorize"))
        let redirect = AuthorizationVisit.Redirect.loopback(host: "[::1]", port: nil, path: "")
        let visit = AuthorizationVisit(redirect: redirect, expectedState: "state") { _ in url }
        session = LoopbackSession(visit: visit, startToken: "token")
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a redirect that is reachable over IPv4 works`(_ host: String) async throws {
        let listener = try await LoopbackListener.open(port: nil, host: host, ipv6: "2001:db8::1", session: session)

        #expect(listener.port > 0)
        await listener.close()
    }

    // Linux has all of 127.0.0.0/8.
    @Test func `a numeric address is listened on, with a warning`() async throws {
        let lines = Mutex<[String]>([])

        let listener = try await Log.$listener.withValue(Log.Listener { _, line in lines.withLock { $0.append(line) } })
        {
            try await LoopbackListener.open(
                port: nil,
                host: "localhost",
                listeningOn: ListenAddress("127.0.0.2"),
                session: session
            )
        }

        #expect(listener.port > 0)
        #expect(lines.withLock { $0 }.contains { $0.contains("127.0.0.2") && $0.contains("can connect unidentified") })
        await listener.close()
    }

    // The browser of this machine, a forwarded port and the start address connect to 127.0.0.1 anyway.
    @Test(arguments: ["127.0.0.2", "0.0.0.0"])
    func `with a numeric address this machine's usual addresses are listened on, too`(_ text: String) async throws {
        let listener = try await LoopbackListener.open(
            port: nil,
            host: "localhost",
            listeningOn: ListenAddress(text),
            session: session
        )

        for number in ["127.0.0.1", "127.0.0.2"] {
            let url = try #require(URL(string: "http://\(number):\(listener.port)/x"))
            let http = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))
            #expect(try await http.send(HTTPMessage(method: "GET", to: try HTTPAddress(url))).status >= 400)
        }
        await listener.close()
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.2"])
    func `another program on the loopback address of IPv6 conflicts with a numeric address`(_ text: String) async throws
    {
        let group = MultiThreadedEventLoopGroup.singleton
        // A machine without IPv6 has no such program.
        guard let other = try? await ServerBootstrap(group: group).bind(host: "::1", port: 0).get() else { return }
        let port = try #require(other.localAddress?.port)

        let error = await #expect(throws: AgentError.self) {
            _ = try await LoopbackListener.open(
                port: port,
                host: "localhost",
                listeningOn: ListenAddress(text),
                session: session
            )
        }

        #expect(error?.kind == .portInUse(port))
        try await other.close()
    }

    /// The redirect with this number of 4 KiB cookies, in one field as browsers send it.
    private func redirect(cookies: Int, to listener: LoopbackListener) async throws -> HTTPResponse {
        let url = try #require(URL(string: "http://localhost:\(listener.port)/"))
        let form = Data("code=c&state=state".utf8)
        var message = HTTPMessage(method: "POST", to: try HTTPAddress(url), body: form)
        message.headers["Content-Type"] = "application/x-www-form-urlencoded"
        let cookie = "=" + String(repeating: "v", count: 4_090)
        message.headers["Cookie"] = (0..<cookies).map { "c\($0)\(cookie)" }.joined(separator: "; ")
        return try await AsyncHTTPClientTransport(HTTPSettings(environment: [:])).send(message)
    }

    @Test func `a redirect with 720 KiB of cookies is accepted, and one with more gets a page before`() async throws {
        let listener = try await LoopbackListener.open(port: nil, host: "localhost", session: session)

        let tooLarge = try await redirect(cookies: 300, to: listener)
        let taken = try await redirect(cookies: 180, to: listener)

        #expect(tooLarge.status == 431)
        #expect(String(decoding: tooLarge.body, as: UTF8.self).contains("Delete the cookies of localhost"))
        #expect(taken.status == 200)
        #expect(try await session.outcome.value(ifCancelled: .success([:])).get()["code"] == "c")
        await listener.close()
    }

    @Test(arguments: [400, 1_000])
    func `a browser can read the page however many cookies it sends`(_ cookies: Int) async throws {
        let listener = try await LoopbackListener.open(port: nil, host: "localhost", session: session)

        let response = try await redirect(cookies: cookies, to: listener)

        #expect(response.status == 431)
        await listener.close()
    }

    @Test(arguments: ["localhost", "contoso.example", "", "127.0.0", "256.0.0.1"])
    func `a host name cannot be listened on, because a lookup blocks`(_ text: String) throws {
        #expect(ListenAddress(text) == nil)
        let configuration = MSALPublicClientApplicationConfig(clientId: "client")
        configuration.listenAddress = text

        let error = #expect(throws: AuthError.self) {
            try configuration.snapshot(applicationID: nil, registeredSchemes: [])
        }

        #expect(error?.nsError.userInfo[MSALInternalErrorCodeKey] as? Int == -42000)
    }

    @Test func `an address of another machine fails at once`() async {
        let error = await #expect(throws: AgentError.self) {
            _ = try await LoopbackListener.open(
                port: nil,
                host: "localhost",
                listeningOn: ListenAddress("203.0.113.5"),
                session: session
            )
        }

        #expect(error?.kind == .listenerFailed)
        #expect(error?.message.contains("0.0.0.0") == true)
    }

    @Test func `a redirect that cannot be reached fails at once, with a message`() async {
        let error = await #expect(throws: AgentError.self) {
            let listener = try await LoopbackListener.open(
                port: nil,
                host: "[::1]",
                ipv6: "2001:db8::1",
                session: session
            )
            await listener.close()
        }

        #expect(error?.kind == .listenerFailed)
        #expect(error?.message.contains("http://localhost") == true)
    }
}
