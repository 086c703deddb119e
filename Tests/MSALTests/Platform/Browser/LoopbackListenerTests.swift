// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization
import Testing

@testable import MSAL
@testable import MSALSupport

/// A machine without IPv6: no program can listen at the address that stands for `::1` here.
struct LoopbackListenerTests {
    private let session: LoopbackSession

    init() throws {
        let url = try #require(URL(string: "https://login.contoso.example/authorize"))
        let redirect = AuthorizationVisit.Redirect.loopback(host: "[::1]", port: nil, path: "")
        let visit = AuthorizationVisit(redirect: redirect, expectedState: "state") { _ in url }
        session = LoopbackSession(visit: visit, startToken: "token")
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a redirect that IPv4 reaches works`(_ host: String) async throws {
        let listener = try await LoopbackListener.open(port: nil, host: host, ipv6: "2001:db8::1", session: session)

        #expect(listener.port > 0)
        await listener.close()
    }

    // Linux has all of 127.0.0.0/8.
    @Test func `a named address is listened on, with a warning`() async throws {
        let lines = Mutex<[String]>([])

        let listener = try await Log.$listener.withValue(Log.Listener { _, line in lines.withLock { $0.append(line) } })
        {
            try await LoopbackListener.open(port: nil, host: "localhost", listeningOn: "127.0.0.2", session: session)
        }

        #expect(listener.port > 0)
        #expect(lines.withLock { $0 }.contains { $0.contains("127.0.0.2") && $0.contains("cannot tell who") })
        await listener.close()
    }

    @Test func `an address of another machine fails at once`() async {
        let error = await #expect(throws: AgentError.self) {
            _ = try await LoopbackListener.open(
                port: nil,
                host: "localhost",
                listeningOn: "203.0.113.5",
                session: session
            )
        }

        #expect(error?.kind == .listenerFailed)
        #expect(error?.message.contains("0.0.0.0") == true)
    }

    @Test func `a redirect that nobody could reach fails at once, in words`() async {
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
