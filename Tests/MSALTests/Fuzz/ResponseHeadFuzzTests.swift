// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Synchronization
import TestSupport
import Testing

@testable import MSALCore

/// Damaged responses of a server, over a real socket. Each results in a response or an error. `MSAL_FUZZ_ROUNDS` and
/// `MSAL_FUZZ_SECONDS` set the length (see ``Fuzz``).
struct ResponseHeadFuzzTests {
    @Test func `no response head traps`() async throws {
        let responses = ResponseBox()
        let server = try await ScriptedServer { _, _ in .init(bytes: [responses.next], closes: true) }
        let transport = AsyncHTTPClientTransport(HTTPSettings(environment: [:]))
        var message = HTTPMessage(
            method: "GET",
            to: try HTTPAddress(#require(URL(string: "http://127.0.0.1:\(server.port)/")))
        )
        message.timeout = .seconds(20)
        var fuzz = Fuzz(
            corpus: (ResponseHeadTests.complete + ResponseHeadTests.interim.map { $0 + ResponseHeadTests.complete[0] }
                + [
                    "HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\n{}",
                    "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\n{}",
                    "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nabc",
                    "HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer\r\nSet-Cookie: a=b\r\nConnection: close\r\n\r\n{}",
                ]).map { Array($0.utf8) },
            words: [
                "HTTP/1.1", "HTTP/2", " 099 ", " 100 ", " 101 ", " 204 ", " 999 ", "\r\n", "\r\n\r\n", ":", "0\r\n\r\n",
                "Content-Length: ", "Transfer-Encoding: chunked\r\n", "Connection: close\r\n", "Upgrade: x\r\n",
                "ffffffffffffffff",
            ]
        )

        // A connection for each: a third of the rounds takes as long as all rounds of a parser.
        await fuzz.run(rounds: Fuzz.rounds / 3) { [message] input in
            responses.next = input
            do {
                let reply = try await transport.send(message)
                #expect((100...599).contains(reply.status))
            } catch {
                #expect(error is TransportError)
            }
        }
    }
}

/// The bytes that the server sends next.
private final class ResponseBox: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var next: [UInt8] {
        get { bytes.withLock(\.self) }
        set { bytes.withLock { $0 = newValue } }
    }
}
