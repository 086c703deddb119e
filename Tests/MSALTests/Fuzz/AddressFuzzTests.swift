// Licensed under the MIT License. See LICENSE.

import AsyncHTTPClient
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import MSALCore

/// Addresses from outside. `MSAL_FUZZ_ROUNDS` and `MSAL_FUZZ_SECONDS` set the length (see ``Fuzz``); an hour makes some
/// million.
struct AddressFuzzTests {
    private static let hosts = [
        "login.example", "127.0.0.1", "127.0.0.1.", "169.254.169.254", "10.0.0.1", "[::1]", "[2001:db8::1]",
        "[fe80::1%25eth0]",
        "[::ffff:127.0.0.1]", "localhost", "xn--bcher-kva.example", "0x7f000001", "2130706433",
    ]
    private static let ports = [
        "", ":", ":0", ":1", ":443", ":65535", ":65536", ":70000", ":00443", ":4294967739", ":99999999999999999999",
        ":-1",
        ":+443", ":4 4", ":%34",
    ]

    /// NIO and the HTTP client end the process on a port that they cannot keep.
    @Test func `no address that is accepted ends the process in the layers below`() {
        var fuzz = Fuzz(
            corpus: Self.hosts.flatMap { host in Self.ports.map { Array("https://\(host)\($0)/path?a=b#c".utf8) } },
            words: ["65536", ":", "[", "]", "@", "%00", "://", "http", "user:password@", "\\", "?", "#"] + Self.hosts
                + Self.ports
        )
        var accepted = 0

        fuzz.run(rounds: max(Fuzz.rounds, 20_000)) { bytes in
            guard let address = HTTPAddress(String(decoding: bytes, as: UTF8.self)) else { return }
            accepted += 1
            // It makes a NIO address of a numeric host. A refusal of the client is no failure here.
            guard let request = try? HTTPClient.Request(url: address.url) else { return }
            #expect((1...65_535).contains(request.port), "\(address)")
            _ = try? SocketAddress(ipAddress: request.host, port: request.port)
        }

        #expect(accepted > 1_000)
    }
}
