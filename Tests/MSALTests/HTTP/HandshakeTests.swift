// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALCore

/// The result of a TLS handshake that the server ends, over a real socket.
@Suite(.timeLimit(.minutes(1)))
struct HandshakeTests {
    private func failure(at port: HandshakePort) async -> TransportError? {
        let settings = HTTPSettings(environment: [:])
        let base = AsyncHTTPClientTransport(settings)
        let transport = RetryingTransport(base: base, time: ManualTime(skipsSleeps: true))
        return await #expect(throws: TransportError.self) {
            let url = try #require(URL(string: "https://127.0.0.1:\(port.number)/"))
            return try await transport.send(HTTPMessage(method: "GET", to: try HTTPAddress(url)))
        }
    }

    @Test(arguments: HandshakePort.Moment.allCases, HandshakePort.Ending.allCases)
    func `a connection that breaks during the handshake is reported as lost and retried once`(
        _ moment: HandshakePort.Moment,
        _ ending: HandshakePort.Ending
    ) async throws {
        let port = try HandshakePort(moment, ending)

        let failure = await failure(at: port)

        #expect(failure?.kind == .connectionLost, "\(String(describing: failure))")
        #expect(failure?.underlying != nil)
        #expect(failure?.message.contains("Try again") == true)
        #expect(port.connections == 2)
    }

    @Test func `a server that closes the connection during the handshake is tried again`() async throws {
        // RFC 8446 §6.1: the alert close_notify.
        let port = try HandshakePort(.afterHello, .close, saying: [0x15, 0x03, 0x03, 0x00, 0x02, 0x01, 0x00])

        let failure = await failure(at: port)

        #expect(failure?.kind == .connectionLost, "\(String(describing: failure))")
        #expect(port.connections == 2)
    }

    /// Responses to a ClientHello that would be the same on a second attempt.
    private static let refusals: [(says: [UInt8], words: String)] = [
        // RFC 8446 §6: a fatal alert of type handshake_failure.
        ([0x15, 0x03, 0x03, 0x00, 0x02, 0x02, 0x28], "a version and a cipher in common"),
        (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "does not speak TLS on port"),
    ]

    @Test(arguments: refusals.indices)
    func `a server with any other response to the ClientHello is not tried again`(_ index: Int) async throws {
        let (says, words) = Self.refusals[index]
        let port = try HandshakePort(.afterHello, .close, saying: says)

        let failure = await failure(at: port)

        #expect(failure?.kind == .tlsHandshake, "\(String(describing: failure))")
        #expect(failure?.message.contains(words) == true)
        #expect(port.connections == 1)
    }
}
